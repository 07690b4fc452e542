import { useCall } from '#lib/api/use-call.ts';
import type { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import type { getVisibleAgencies } from '@diwan/contract/requests/request-lists';
import type { Choice } from '../forms/select-field.tsx';

/**
 * The agencies that a filter offers, by the call that lists those of the caller: of requests and
 * payments, or of services and staff. Who has one agency, or none, has nothing to choose: then the list
 * is empty, and no filter is shown.
 */
export function useAgencyChoices(
  call: typeof getVisibleAgencies | typeof getManagedAgencies,
): readonly Choice[] {
  const { data } = useCall(call, { staleTime: 3_600_000 });
  return data && data.length > 1
    ? data.map(({ id, name }) => ({ value: String(id), label: name }))
    : [];
}
