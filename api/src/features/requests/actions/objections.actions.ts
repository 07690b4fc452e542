import { findPaidStatus } from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { sumStartedRefunds } from '../record/refunds.store.ts';
import { performAction, type ActionTarget } from './perform.actions.ts';
import { readReason } from './withdraw.actions.ts';

/**
 * Objects to the latest decision on a request, which waits for another person than who took it. Of a
 * rejected request nothing more is refunded until they decide. An objection to a fine that was paid
 * leads back to where the request was. Throws a ValidationRefusal without a reason, and what
 * `performAction` throws.
 */
export const objectToDecision = (
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  typed: string,
): Promise<void> =>
  performAction(context, caller, target, {
    action: 'object',
    sent: typed,
    prepare: async ({ transaction, row, workflow }) => {
      const message = readReason(typed);
      // The service provider may have accepted the request after somebody else charged the fine.
      if (row.fined_by !== null)
        return {
          message,
          changes: {
            // guard: who charged a paid fine does not decide (objections)
            approver_id: row.fined_by,
            ...(findPaidStatus(workflow, row.status_id) === undefined
              ? { paid_status_id: row.status_id }
              : {}),
          },
        };
      const { started } = await sumStartedRefunds(transaction, row.id);
      return {
        message,
        changes: { refundable: Math.min(row.refundable, row.refunded + started) },
      };
    },
  });
