import { useQueryClient } from '@tanstack/react-query';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import {
  getCompanyUsers,
  type CompanyUsers,
  type inviteCompanyUser,
  type removeCompanyUser,
  type resendCompanyInvitation,
  type setCompanyManager,
  type cancelCompanyInvitation,
} from '@diwan/contract/people/companies';
import type { BodyInputOf } from '@diwan/contract/wire/call';

type CompanyAction =
  | typeof inviteCompanyUser
  | typeof removeCompanyUser
  | typeof resendCompanyInvitation
  | typeof setCompanyManager
  | typeof cancelCompanyInvitation;

export function useCompanyUsers() {
  return useCall(getCompanyUsers, {});
}

/**
 * A mutation of the company's users. Each reply is the updated list; a refusal is shown in the
 * form, and the list is loaded again.
 */
export function useCompanyAction<C extends CompanyAction>(
  call: C,
  { done, onDone }: { done: string; onDone: () => void },
) {
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: [getCompanyUsers.name] });
  const action = useAction(call, {
    skipErrorHandling: true,
    onSuccess: (users) => {
      client.setQueriesData<CompanyUsers>(
        { queryKey: [getCompanyUsers.name] },
        () => users as CompanyUsers,
      );
      showToast(done, 'success');
      onDone();
    },
  });
  return {
    ...action,
    act: (body: BodyInputOf<C>) => action.mutate({ body } as never, { onError: refresh }),
  };
}
