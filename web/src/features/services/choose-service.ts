import { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { storeSelectedService } from '#lib/api/session.ts';
import { queryKeyOf } from '#lib/api/use-call.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { currentLanguage } from '#lib/i18n/language.ts';
import {
  getService,
  getServiceIdByServiceName,
  getServiceNameByServiceId,
} from '@diwan/contract/catalogue/services';
import { mustSignInToChoose, serviceAddress } from './service-address.ts';

/**
 * Fetches a suggested service and its replaced name, and opens it under that name (specification
 * §2). Its page shows the fetched service. A reply without a name and any error are logged and open
 * nothing; a missing connection is shown to the user (§8).
 */
export async function chooseService(
  serviceId: number,
  accountTypeId: number | undefined,
): Promise<void> {
  try {
    const input = { query: { serviceId }, skipErrorHandling: true };
    const [service, { replacedName }] = await Promise.all([
      send(getService, input),
      send(getServiceNameByServiceId, input),
    ]);
    if (!service.name || !replacedName)
      return console.error(`The service ${serviceId} has no name`);
    queryClient.setQueryData(
      queryKeyOf(getServiceIdByServiceName, currentLanguage(), {
        query: { serviceName: replacedName },
      }),
      { serviceId, service },
    );
    const signsIn = mustSignInToChoose(accountTypeId);
    if (signsIn) storeSelectedService(serviceId);
    await goTo(signsIn ? '/account/login' : serviceAddress(replacedName));
  } catch (error) {
    console.error(error);
    if (error instanceof ApiError && error.status === 0) showToast(messageOf(error), 'danger');
  }
}
