import { removeUnpaidFines } from '../actions/charges.ts';
import { completeMessage, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/**
 * Accepts an objection: an unpaid fine is removed, or the request is processed again, by the employee
 * who accepts. What was paid back meanwhile is not charged again.
 */
export const grantObjection = defineStaffAction<'grantObjection'>()({
  read: () => undefined,
  prepare: async ({ caller, row, facts }) => ({
    changes: {
      ...removeUnpaidFines({ ...row, paid: facts.paid }),
      holder_id: caller.userId,
    },
  }),
});

/** Confirms the decision that was objected to, with the reason. */
export const refuseObjection = defineStaffAction<'refuseObjection'>()({
  read: (body) => ({ message: messageOf(body) }),
  prepare: async ({ facts, sent }) => ({ message: completeMessage(sent.message, true, facts) }),
});
