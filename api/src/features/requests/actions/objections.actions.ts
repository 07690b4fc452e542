import type { Caller } from '#platform/auth/caller.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { sumStartedRefunds } from '../record/refunds.store.ts';
import { performAction, type ActionTarget } from './perform.actions.ts';
import { readReason } from './withdraw.actions.ts';

/**
 * Objects to the latest decision on a request, which waits for another person then. Until they decide
 * nothing more of it is refunded. Throws a ValidationRefusal without a reason, and what `performAction`
 * throws.
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
    prepare: async ({ transaction, row }) => {
      const { started } = await sumStartedRefunds(transaction, row.id);
      return {
        message: readReason(typed),
        changes: { refundable: Math.min(row.refundable, row.refunded + started) },
      };
    },
  });
