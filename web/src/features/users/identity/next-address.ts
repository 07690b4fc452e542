import { restrictionPages } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { currentSession, hasRole, takeReturnUrl, takeSelectedService } from '#lib/api/session.ts';
import { homeAddressOf } from '#lib/auth/home-address.ts';
import { loadItem } from '#lib/browser/storage.ts';
import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
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
 * The address after a sign-in: the selected service, the requested page, or the start page of the
 * user's role. Source: specification §4.
 */
export async function nextAddress(): Promise<string> {
  const session = currentSession();
  if (session?.restriction) return restrictionPages[session.restriction];
  const selected = await findSelectedService();
  const requested = selected ?? takeReturnUrl();
  if (requested !== null) return requested;
  const slug = accountTypeOf(loadItem('session', 'accountType') ?? undefined);
  return slug && hasRole(session, 'Client', 'CompanyUser')
    ? `/home/services/${slug}`
    : homeAddressOf(session);
}
