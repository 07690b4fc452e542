import { restrictionPages } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import {
  currentSession,
  hasRole,
  takeReturnUrl,
  takeSelectedService,
  type Session,
} from '#lib/api/session.ts';
import { homeAddressOf } from '#lib/auth/home-address.ts';
import { loadItem } from '#lib/browser/storage.ts';
import { matchRoute } from '#lib/router/match-route.ts';
import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
import { routedPages } from '@diwan/contract/portal/page-list';
import { accountTypeOf } from './identity-check.ts';

/** The address of the service that was selected before the sign-in. A failure is logged only: §8. */
async function findSelectedService(): Promise<string | null> {
  const serviceId = takeSelectedService();
  if (serviceId === null) return null;
  try {
    const { replacedName } = await send(getServiceNameByServiceId, {
      query: { serviceId },
      skipErrorHandling: true,
    });
    return replacedName ? `/requests/Create/${encodeURIComponent(replacedName)}` : null;
  } catch (error) {
    console.error(error);
    return null;
  }
}

/**
 * Whether the session outlives the page: the home page ends it, and a page for other roles leads to
 * the home page. Source: specification §2, §6.
 */
function canReturnTo(address: string, session: Session | null): boolean {
  const { pathname } = new URL(address, window.location.origin);
  const page = matchRoute(routedPages, pathname)?.route;
  if (page?.name === 'home' || page?.name === 'root') return false;
  return page === undefined || page.who === 'anyone' || hasRole(session, ...page.who);
}

/**
 * The address after a sign-in: the selected service, the requested page where this user may open it,
 * or the start page of the user's role. Source: specification §4.
 */
export async function nextAddress(): Promise<string> {
  const session = currentSession();
  if (session?.restriction) return restrictionPages[session.restriction];
  const selected = await findSelectedService();
  const requested = selected ?? takeReturnUrl();
  if (requested !== null && canReturnTo(requested, session)) return requested;
  const slug = accountTypeOf(loadItem('session', 'accountType') ?? undefined);
  return slug && hasRole(session, 'Client', 'CompanyUser')
    ? `/home/services/${slug}`
    : homeAddressOf(session);
}
