import { refundOf } from '../model/paid-lines.ts';
import { findTakenSteps } from '../model/step-facts.store.ts';
import { completeMessage, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/** Ends a request that its applicant asked to withdraw. */
export const grantWithdrawal = defineStaffAction<'grantWithdrawal'>()({
  read: () => undefined,
  prepare: async ({ transaction, row }) => ({
    refund: refundOf(row, await findTakenSteps(transaction, row.id)),
  }),
});

/** Continues with a request that its applicant asked to withdraw, with the reason. */
export const refuseWithdrawal = defineStaffAction<'refuseWithdrawal'>()({
  read: (body) => ({ message: messageOf(body) }),
  prepare: async ({ caller, row, facts, sent }) => ({
    message: completeMessage(sent.message, true, facts),
    // A request that waited for its applicant has nobody who works on it.
    changes: { holder_id: row.holder_id ?? caller.userId },
  }),
});
