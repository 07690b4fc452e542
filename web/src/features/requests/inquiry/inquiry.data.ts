import type { ReplyOf } from '@diwan/contract/wire/call';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/requests';
import { toLatinDigits } from '../../../lib/i18n/digits.ts';
import { useAction, useCall } from '../../../lib/api/use-call.ts';

export type InquiryReply = ReplyOf<typeof getRequestByRequestNoOrMobileNo>;
export const inquiryTake = 50;

/**
 * Without a letter it may be a phone number: that must neither stand in an address nor be asked for
 * again by itself, for each asking may send a message.
 */
export function mayBeMobile(keyword: string): boolean {
  return !/\p{L}/u.test(toLatinDigits(keyword));
}

/** By request number: safe to repeat, so it is a query and follows the language. */
export function useInquiryByNumber(requestNumber: string) {
  return useCall(getRequestByRequestNoOrMobileNo, {
    query: { SearchKeyword: requestNumber, Take: inquiryTake },
    enabled: requestNumber !== '',
    skipErrorHandling: true,
  });
}

/** By mobile number, first without and then with the code; asked only when the person asks. */
export function useInquiryByMobile() {
  return useAction(getRequestByRequestNoOrMobileNo, { skipErrorHandling: true });
}
