import { Refusal } from '#platform/core/refusals.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { approveRequest, rejectRequest } from '@diwan/contract/requests/request-actions';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Charges } from '../actions/charges.ts';
import { readMessage, type MessageInput } from '../actions/return-marks.ts';
import type { RequestChanges } from '../model/requests.store.ts';
import type { StepFacts } from '../model/step-facts.store.ts';

type SentMessage = Pick<BodyOf<typeof rejectRequest>, 'messageAr' | 'messageEn' | 'messageUr'>;

export const messageOf = ({ messageAr, messageEn, messageUr }: SentMessage): MessageInput => ({
  'ar-EG': messageAr,
  'en-US': messageEn,
  'ur-PK': messageUr,
});

export function chargesOf(
  sent: Partial<
    Pick<
      BodyOf<typeof approveRequest>,
      | 'fines'
      | 'totalAdminstrativeFees'
      | 'totalAdminstrativeFeesVatValue'
      | 'isPaymentGatewayFeesOfFinesCalculated'
      | 'requestHistoryRejectionReasonsList'
      | 'discounts'
    >
  >,
): Charges {
  return {
    fines: sent.fines,
    fees: sent.totalAdminstrativeFees,
    feesVat: sent.totalAdminstrativeFeesVatValue,
    isGatewayFeeIncluded: sent.isPaymentGatewayFeesOfFinesCalculated,
    reasons: sent.requestHistoryRejectionReasonsList,
    discounts: sent.discounts,
  };
}

/** The message in every language. Throws MessageIncomplete when the applicant's is missing. */
export function completeMessage(
  typed: MessageInput | undefined,
  isRequired: true,
  facts: StepFacts,
): LocalizedText;
export function completeMessage(
  typed: MessageInput | undefined,
  isRequired: boolean | undefined,
  facts: StepFacts,
): LocalizedText | null;
export function completeMessage(
  typed: MessageInput | undefined,
  isRequired: boolean | undefined,
  { applicantLanguage }: StepFacts,
): LocalizedText | null {
  const message = readMessage(typed ?? {}, applicantLanguage);
  if (
    message === undefined ||
    // guard: message that the workflow requires (workflow-drafts)
    (isRequired && !message)
  )
    throw new Refusal('MessageIncomplete');
  return message;
}

/** The chosen reasons with their texts. Throws RejectionReasonNotFound. */
export function findReasons(
  chosen: readonly number[],
  active: ReadonlyMap<number, LocalizedText>,
): { reasons: number[]; reasonTexts: LocalizedText[] } {
  const reasons = [...new Set(chosen)];
  const reasonTexts = reasons.flatMap((reason) => active.get(reason) ?? []);
  if (reasonTexts.length < reasons.length) throw new Refusal('RejectionReasonNotFound');
  return { reasons, reasonTexts };
}

export function providerNumber(typed: string | undefined): RequestChanges {
  const number = cleanText(typed ?? '', false);
  return number ? { service_provider_request_number: number } : {};
}
