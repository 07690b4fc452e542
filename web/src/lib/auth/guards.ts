import i18next from 'i18next';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import type { Role } from '@diwan/contract/wire/call';
import { freshToken, renewToken } from '../api/fresh-token.ts';
import { explanationOf } from '../api/restriction.ts';
import { currentSession, hasRole, keepReturnUrl, readToken } from '../api/session.ts';
import { forgetSession, resumeOwn } from './sign-out.ts';
import { showToast } from '../browser/toasts.ts';

/**
 * Guards a route: an expired token is renewed first; without one the person signs in and comes
 * back, with the wrong role they go home.
 * Without roles any session will do. Who is restricted goes to the page that says why. Source:
 * specification §4, §6.
 */
export function requireRole(...roles: Role[]) {
  return async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    const wasSignedIn = readToken() !== null;
    // Without a connection the session is kept: the page itself will say what is wrong.
    let token = await freshToken().catch(readToken);
    // What restricts somebody may be over by now, which only a new token says.
    if (token !== null && currentSession()?.restriction)
      token = await renewToken(token).catch(readToken);
    if (token === null && resumeOwn()) {
      showToast(i18next.t('actingOver', { ns: 'errors' }), 'info');
      return redirect('/requests/counter');
    }
    if (token === null || currentSession() === null) {
      const { pathname, search, hash } = new URL(request.url);
      keepReturnUrl(`${pathname}${search}${hash}`);
      if (wasSignedIn) forgetSession();
      showToast(i18next.t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');
      return redirect('/account/login');
    }
    const restriction = currentSession()?.restriction;
    if (restriction)
      return new URL(request.url).pathname === explanationOf[restriction]
        ? null
        : redirect(explanationOf[restriction]);
    if (roles.length > 0 && !hasRole(currentSession(), ...roles)) {
      showToast(i18next.t('refusals.YouAreUnauthorized', { ns: 'errors' }), 'danger');
      return redirect('/home');
    }
    return null;
  };
}
