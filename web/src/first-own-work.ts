import { aboutAYearAgo } from './features/requests/data/year-ago.ts';
import { prefetchFor } from './lib/api/prefetch.ts';
import { currentSession, hasRole, isExpired, type Session } from './lib/api/session.ts';
import { loadTexts } from './lib/i18n/load-texts.ts';
import { storedLanguage } from './lib/i18n/stored-language.ts';

/** The signed-in user whose calls may be sent early; null for an expired session. */
function sessionForPrefetch(): Session | null {
  const session = currentSession();
  return session && !isExpired(session) ? session : null;
}

const isApplicant = (): boolean => hasRole(sessionForPrefetch(), 'Client', 'CompanyUser');

/** The calls of `own-work.tsx`. */
export function prefetchOwnWork(): void {
  const session = sessionForPrefetch();
  if (!session || !isApplicant()) return;
  const lists = '/api/Request/GetRequestsByStatusId';
  for (const StatusGroup of ['waiting', 'progress'])
    prefetchFor(session, lists, { StatusGroup, sortOrder: 'desc', PageNumber: '1', Take: '3' });
  const { from: DateFrom, to: DateTo, pageSize } = aboutAYearAgo();
  prefetchFor(session, lists, {
    StatusGroup: 'finished',
    sortOrder: 'desc',
    DateFrom,
    DateTo,
    PageNumber: '1',
    Take: String(pageSize),
  });
  prefetchFor(session, '/api/Draft/GetDrafts', {});
}

/** The code and the texts of `own-work.tsx`, for which the rest of the page does not wait. */
export async function loadOwnWork(): Promise<void> {
  if (!isApplicant()) return;
  const language = storedLanguage();
  await Promise.all([
    import('./features/requests/pages/own-work.tsx'),
    ...['requests', 'drafts'].map((namespace) => loadTexts(language, namespace)),
  ]);
}
