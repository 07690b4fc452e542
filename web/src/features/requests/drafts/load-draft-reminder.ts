import { loadNamespaces } from '../../../lib/i18n/translate.ts';
import { currentSession, hasRole } from '../../../lib/api/session.ts';
import { onIdle } from '../../../lib/browser/interaction.ts';

/**
 * Loads the reminder and its texts when the browser is idle, only for roles that can have drafts.
 */
export async function loadDraftReminder() {
  await onIdle();
  if (!hasRole(currentSession(), 'Client', 'CompanyUser')) return undefined;
  const [{ DraftReminder }] = await Promise.all([
    import('./draft-reminder.tsx'),
    loadNamespaces('drafts'),
  ]);
  return DraftReminder;
}
