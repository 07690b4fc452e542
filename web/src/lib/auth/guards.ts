import type { Role } from '@diwan/contract/wire/call';
import { restrictionPages } from '../api/handle-error.ts';
import { currentSession, hasRole, storeReturnUrl, readToken } from '../api/session.ts';
import { getFreshToken, loadTabs, refreshTokenOnce } from '../api/token-refresh.ts';
import { showToast } from '../browser/toasts.ts';
import { t } from '../i18n/translate.ts';
import { redirect, type LoaderArguments } from '../router/router.ts';
import { clearSession, resumeOwnSession } from './sign-out.ts';

// Without a connection the session remains: the page shows the error.
async function findToken(): Promise<string | null> {
  const token = await getFreshToken().catch(readToken);
  // Only a new token says that a restriction has ended.
  return token !== null && currentSession()?.restriction
    ? refreshTokenOnce(token).catch(readToken)
    : token;
}

function askToSignIn(url: string, wasSignedIn: boolean): Response {
  const { pathname, search, hash } = new URL(url);
  storeReturnUrl(`${pathname}${search}${hash}`);
  if (wasSignedIn) clearSession();
  // Who only opened an address has done nothing wrong.
  const tone = wasSignedIn ? 'danger' : 'info';
  showToast(t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), tone);
  return redirect('/account/login');
}

/** Decides whether a user may open a page: null, or where they go instead. */
export type Guard = (args: LoaderArguments) => Promise<Response | null>;

/**
 * The loader of a route for these roles; without roles every session may open it. It refreshes an
 * expired token first. Without a session the user signs in and returns, with another role they go
 * home, and a restricted user goes to the page that explains it. Source: specification §4, §6.
 */
export function requireRole(...roles: Role[]): Guard {
  return async ({ request }) => {
    const wasSignedIn = readToken() !== null;
    let token = await findToken();
    if (token === null && resumeOwnSession()) {
      showToast(t('actingOver', { ns: 'errors' }), 'info');
      return redirect('/requests/counter');
    }
    if (token === null && !wasSignedIn && (await (await loadTabs())?.takeSessionOfOtherTab()))
      token = await findToken();
    if (token === null || currentSession() === null) {
      return askToSignIn(request.url, wasSignedIn);
    }
    const restriction = currentSession()?.restriction;
    if (restriction)
      return new URL(request.url).pathname === restrictionPages[restriction]
        ? null
        : redirect(restrictionPages[restriction]);
    if (roles.length > 0 && !hasRole(currentSession(), ...roles)) {
      showToast(t('refusals.YouAreUnauthorized', { ns: 'errors' }), 'danger');
      return redirect('/home');
    }
    return null;
  };
}
