import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
import { messageOf } from '../../lib/api/handle-error.ts';
import { goTo } from '../../lib/browser/navigation.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { send } from '../../lib/api/send.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { storeSelectedService } from '../../lib/api/session.ts';
import { mustSignInToChoose, serviceAddress } from './service-address.ts';

/**
 * Opens a suggested service under its name in addresses, which the server returns (specification
 * §2). A reply without a name and any error are logged and open nothing; a missing connection is
 * shown to the user (§8).
 */
export async function chooseService(
  serviceId: number,
  accountTypeId: number | undefined,
): Promise<void> {
  try {
    const { name, replacedName } = await send(getServiceNameByServiceId, {
      query: { serviceId },
      skipErrorHandling: true,
    });
    if (!name || !replacedName) return console.error(`The service ${serviceId} has no name`);
    const signsIn = mustSignInToChoose(accountTypeId);
    if (signsIn) storeSelectedService(serviceId);
    await goTo(signsIn ? '/account/login' : serviceAddress(replacedName));
  } catch (error) {
    console.error(error);
    if (error instanceof ApiError && error.status === 0) showToast(messageOf(error), 'danger');
  }
}
