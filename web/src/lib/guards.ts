import i18next from 'i18next';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import type { Role } from '@diwan/contract/call';
import { freshToken } from './fresh-token.ts';
import { currentSession, hasRole, keepReturnUrl, readToken, storeToken } from './session.ts';
import { showToast } from './toasts.ts';

/**
 * Guards a route: an expired token is renewed first; without one the person signs in and comes back, with the wrong role they go home.
 * Without roles any session will do. Source: specification §6.
 */
export function requireRole(...roles: Role[]) {
  return async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    // Without a connection the session is kept: the page itself will say what is wrong.
    const token = await freshToken().catch(readToken);
    if (token === null) {
      const { pathname, search, hash } = new URL(request.url);
      keepReturnUrl(`${pathname}${search}${hash}`);
      storeToken(null);
      showToast(i18next.t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');
      return redirect('/account/login');
    }
    if (roles.length > 0 && !hasRole(currentSession(), ...roles)) {
      showToast(i18next.t('refusals.YouAreUnauthorized', { ns: 'errors' }), 'danger');
      return redirect('/home');
    }
    return null;
  };
}

/** A link that carries a request number opens the inquiry; anything else is a list for its owner. Source: specification §2. */
export function followRequestLink(otherwise: ReturnType<typeof requireRole>) {
  return async (args: LoaderFunctionArgs): Promise<Response | null> => {
    const requestNumber = new URL(args.request.url).searchParams.get('req');
    return requestNumber ? redirect(`/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`) : otherwise(args);
  };
}
