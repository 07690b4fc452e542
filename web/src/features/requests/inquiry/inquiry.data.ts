import { useAction, useCall } from '#lib/api/use-call.ts';
import { toLatinDigits } from '#lib/i18n/digits.ts';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';
import type { ReplyOf } from '@diwan/contract/wire/call';

export type InquiryReply = ReplyOf<typeof getRequestByRequestNoOrMobileNo>;
/** The maximum number of requests in a reply. */
export const inquiryTake = 50;

/**
 * Whether a keyword may be a mobile number, because it contains no letter. A mobile number must not
 * appear in the address. Its inquiry must not be repeated automatically, because each one may send
 * a message.
 */
export function mayBeMobile(keyword: string): boolean {
  return !/\p{L}/u.test(toLatinDigits(keyword));
}

/** The inquiry by request number. It can be repeated, so it is a query and follows the language. */
export function useInquiryByNumber(requestNumber: string) {
  return useCall(getRequestByRequestNoOrMobileNo, {
    query: { SearchKeyword: requestNumber, Take: inquiryTake },
    enabled: requestNumber !== '',
    skipErrorHandling: true,
  });
}

/** The inquiry by mobile number, first without a code and then with it. It is never repeated. */
export function useInquiryByMobile() {
  return useAction(getRequestByRequestNoOrMobileNo, { skipErrorHandling: true });
}
