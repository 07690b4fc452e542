import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { getAuditLog } from '@diwan/contract/portal/audit-log';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import {
  getAllUsers,
  getUserById,
  getUserSessions,
  type UserRecord,
} from '@diwan/contract/staff/user-administration';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';

/** Reads again what a change of an account touches. */
export async function refreshUser(): Promise<void> {
  await Promise.all(
    [
      getUserById,
      getUserSessions,
      getAllUsers,
      getAuditEvents,
      getAuditLog,
      getRoleConfirmation,
    ].map(({ name }) => queryClient.invalidateQueries({ queryKey: [name] })),
  );
}

/**
 * An action on an account that a dialog sends. After a conflict the page shows the account as it is
 * now, and the dialog keeps what was typed.
 */
export function useUserAction<C extends Call>(call: C, onDone: (reply: ReplyOf<C>) => void) {
  return useAction(call, {
    skipErrorHandling: true,
    onSuccess: async (reply) => {
      onDone(reply);
      await refreshUser();
    },
    onError: (error) => (error.name === 'RecordHasChanged' ? refreshUser() : undefined),
  });
}

export interface UserDialogProps {
  user: UserRecord;
  onClose: () => void;
}
