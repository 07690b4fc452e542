import type { PageDefinition } from '@diwan/contract/portal/define-pages';
import { routedPages, type ShownPageName } from '@diwan/contract/portal/page-list';
import { pages } from '@diwan/contract/portal/pages';
import { prefetch } from './lib/api/prefetch.ts';
import { readToken } from './lib/api/session.ts';
import { captureIdentityReturn } from './lib/auth/identity-return.ts';
import { matchRoute } from './lib/router/match-route.ts';
import { loadPage } from './pages.ts';

captureIdentityReturn();
const found = matchRoute(routedPages, window.location.pathname);
const name = (found?.route.redirectTo ?? found?.route.name) as ShownPageName | undefined;
const page: PageDefinition | undefined = name && pages[name];

/**
 * The namespaces of the first page. Every page has the shell, and the texts of errors must exist
 * without a connection.
 */
export const firstNamespaces: readonly string[] = ['shell', 'errors', ...(page?.texts ?? [])];

/** Loads its code together with the portal. The router loads it again and handles a failure. */
export async function loadFirstPageCode(): Promise<void> {
  // Its guard sends visitors to the sign-in.
  if (!name || !page || (page.who !== 'anyone' && readToken() === null)) return;
  await loadPage(name).catch(() => undefined);
}

/** Sends its first calls, once the configuration says where the server is. */
export function prefetchFirstPageData(): void {
  const hasFilters =
    window.location.search !== '' ||
    Boolean((window.history.state as { usr?: unknown } | null)?.usr);
  const calls = page?.calls?.({ params: found?.params ?? {}, hasFilters }) ?? [];
  for (const { path, query } of calls) prefetch(path, query);
}
