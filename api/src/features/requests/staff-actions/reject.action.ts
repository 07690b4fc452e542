import { findActiveReasons } from '../rejection-reasons/rejection-reasons.actions.ts';
import { completeMessage, findReasons, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

export const reject = defineStaffAction<'reject'>()({
  read: (body) => ({
    reasons: [body.requestHistoryRejectionReasonId],
    message: messageOf(body),
  }),
  async prepare({ transaction, row, facts, sent }) {
    const active = await findActiveReasons(transaction, row.agency_id);
    const { reasons, reasonTexts } = findReasons(sent.reasons, active);
    return {
      reasons,
      message: completeMessage(sent.message, true, facts),
      details: { reasonTexts },
    };
  },
});
