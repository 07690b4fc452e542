import type { AllowedStep } from '#features/workflow/workflow-rules.actions.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Charges } from '../actions/charges.ts';
import type { ActionEffects } from '../actions/perform.actions.ts';
import type { MessageInput } from '../actions/return-marks.ts';
import { readChargeReasons } from '../rejection-reasons/rejection-reasons.actions.ts';
import { chargesOf, completeMessage, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/**
 * The charges of an action, with their reasons for the history and the messages. Throws
 * ChargeRequired where the workflow requires some.
 */
export async function explainCharges(
  transaction: Transaction,
  charges: Charges,
  { requires = [] }: AllowedStep,
  agencyId: number,
): Promise<ActionEffects> {
  const { fines = 0, fees = 0 } = charges;
  // guard: charge that the workflow requires (workflow-drafts)
  if (requires.includes('fee') && fines + fees === 0) throw new Refusal('ChargeRequired');
  const chosen = await readChargeReasons(transaction, charges, agencyId);
  const reasonTexts = Object.values(chosen);
  return {
    charges: { ...charges, reasonTexts: chosen },
    reasons: reasonTexts.length === 0 ? [] : [...new Set(charges.reasons)],
    details: { reasonTexts },
  };
}

/** Lets the request continue, with charges and a message where they are sent. */
const grant = defineStaffAction<'approve' | 'accept'>()({
  read: (body): Charges & { message?: MessageInput } => ({
    ...chargesOf(body),
    message: messageOf(body),
  }),
  prepare: async ({ transaction, row, facts, step, sent }) => ({
    ...(await explainCharges(transaction, sent, step, row.agency_id)),
    message: completeMessage(sent.message, step.requires?.includes('note'), facts),
  }),
});
export const approve = grant;
export const accept = grant;
