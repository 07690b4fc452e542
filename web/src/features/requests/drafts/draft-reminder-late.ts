import i18next from 'i18next';
import { currentSession, hasRole } from '../../../lib/api/session.ts';
import { whenQuiet } from '../../../lib/browser/when-quiet.ts';

/** Comes with its texts when all else is there, and only for who can have drafts. */
export async function loadDraftReminder() {
  await whenQuiet();
  if (!hasRole(currentSession(), 'Client', 'CompanyUser')) return undefined;
  const [{ DraftReminder }] = await Promise.all([
    import('./draft-reminder.tsx'),
    i18next.loadNamespaces('drafts'),
  ]);
  return DraftReminder;
}
