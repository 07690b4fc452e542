import { removeUnpaidFines, waiveLatestFine } from '../actions/charges.ts';
import { waivedOf } from '../model/paid-lines.ts';
import type { RequestChanges, RequestRow } from '../model/requests.store.ts';
import type { StepFacts } from '../model/step-facts.store.ts';
import { completeMessage, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/** What ends a fine: an unpaid one is removed, and what was paid for one becomes refundable. */
function cancelFine(row: RequestRow, { paid, overpaid }: StepFacts): RequestChanges {
  const removed = removeUnpaidFines({ ...row, paid });
  if (row.fined_by === null || removed.quote !== undefined) return removed;
  const quote = waiveLatestFine(row.quote);
  return {
    quote: JSON.stringify(quote),
    refundable: Math.max(row.refundable, overpaid + waivedOf(quote, paid)),
  };
}

/**
 * Accepts an objection: a fine is cancelled, or the request is processed again, by the employee who
 * accepts. What was paid back meanwhile is not charged again.
 */
export const grantObjection = defineStaffAction<'grantObjection'>()({
  read: () => undefined,
  prepare: async ({ caller, row, facts }) => ({
    changes: {
      ...cancelFine(row, facts),
      ...(row.fined_by === null ? { holder_id: caller.userId } : {}),
    },
  }),
});

/** Confirms the decision that was objected to, with the reason. */
export const refuseObjection = defineStaffAction<'refuseObjection'>()({
  read: (body) => ({ message: messageOf(body) }),
  prepare: async ({ facts, sent }) => ({ message: completeMessage(sent.message, true, facts) }),
});
