import { t } from '../i18n/translate.ts';
import { redirect, type LoaderArguments } from '../router/router.ts';
import type { Role } from '@diwan/contract/wire/call';
import { getFreshToken, refreshTokenOnce } from '../api/token-refresh.ts';
import { restrictionPages } from '../api/handle-error.ts';
import { currentSession, hasRole, storeReturnUrl, readToken } from '../api/session.ts';
import { clearSession, resumeOwnSession } from './sign-out.ts';
import { showToast } from '../browser/toasts.ts';

/**
 * The loader of a route for these roles; without roles every session may open it. It refreshes an
 * expired token first. Without a session the user signs in and returns, with another role they go
 * home, and a restricted user goes to the page that explains it. Source: specification §4, §6.
 */
export function requireRole(...roles: Role[]) {
  return async ({ request }: LoaderArguments): Promise<Response | null> => {
    const wasSignedIn = readToken() !== null;
    // Without a connection the session remains: the page shows the error.
    let token = await getFreshToken().catch(readToken);
    // Only a new token says that a restriction has ended.
    if (token !== null && currentSession()?.restriction)
      token = await refreshTokenOnce(token).catch(readToken);
    if (token === null && resumeOwnSession()) {
      showToast(t('actingOver', { ns: 'errors' }), 'info');
      return redirect('/requests/counter');
    }
    if (token === null || currentSession() === null) {
      const { pathname, search, hash } = new URL(request.url);
      storeReturnUrl(`${pathname}${search}${hash}`);
      if (wasSignedIn) clearSession();
      showToast(t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');
      return redirect('/account/login');
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
