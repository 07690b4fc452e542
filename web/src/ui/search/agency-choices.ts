import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getVisibleAgencies } from '@diwan/contract/requests/request-lists';
import type { Choice } from '../forms/select-field.tsx';

const hour = { staleTime: 3_600_000 };

/**
 * The agencies that a filter offers, by the call that lists those of the caller: of requests and
 * payments, or of services and staff. Who has one agency, or none, has nothing to choose: then the list
 * is empty, and no filter is shown.
 */
export function useAgencyChoices(
  call: typeof getVisibleAgencies | typeof getManagedAgencies,
): readonly Choice[] {
  const { data } = useCall(call, hour);
  return data && data.length > 1
    ? data.map(({ id, name }) => ({ value: String(id), label: name }))
    : [];
}

/**
 * Whether the user is an employee or an administrator of one agency. All that their lists hold is of it,
 * so no list names it. False until it is known.
 */
export function useIsOfOneAgency(): boolean {
  const session = useSession();
  const isAdministrator = hasRole(session, 'AgencyAdmin');
  // Who has both roles has the same agencies by both.
  const { data } = useCall(isAdministrator ? getManagedAgencies : getVisibleAgencies, {
    ...hour,
    enabled: isAdministrator || hasRole(session, 'Employee'),
  });
  return data?.length === 1;
}
