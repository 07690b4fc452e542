import type { Caller } from '#platform/auth/caller.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { refundOf } from '../model/paid-lines.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { findTakenSteps } from '../model/step-facts.store.ts';
import { performAction, type ActionTarget } from './perform.actions.ts';

/** Ends a request for its owner before work on it begins. Throws what `performAction` throws. */
export const withdraw = (
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
): Promise<void> =>
  performAction(context, caller, target, {
    action: 'withdraw',
    sent: undefined,
    prepare: async ({ transaction, row }) => ({
      refund: refundOf(row, await findTakenSteps(transaction, row.id)),
      changes: { holder_id: null },
    }),
  });

/** The words of an applicant, which are the same in every language. */
const inEveryLanguage = (text: string): LocalizedText =>
  Object.fromEntries(languages.map((language) => [language, text])) as LocalizedText;

/** The reason that an applicant gives. Throws a ValidationRefusal without one. */
export function readReason(typed: string): LocalizedText {
  const reason = cleanText(typed, true);
  if (!reason) throw new ValidationRefusal([{ field: 'reason', code: 'required', params: {} }]);
  return inEveryLanguage(reason);
}

/**
 * Asks the agency to end a request on which work has begun. Throws a ValidationRefusal without a
 * reason, and what `performAction` throws.
 */
export const askToWithdraw = (
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  typed: string,
): Promise<void> =>
  performAction(context, caller, target, {
    action: 'askToWithdraw',
    sent: typed,
    prepare: async () => ({ message: readReason(typed) }),
  });
