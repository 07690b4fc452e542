import type { ApiError } from '#lib/api/api-error.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import {
  getRequestByRequestNoOrMobileNo,
  getRequestByRequestNoOrMobileNoV2,
  type PublicRequestStatus,
} from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { requestReadersAndProviders, type ReplyOf } from '@diwan/contract/wire/call';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';

/** A request that was found: its status explained to everybody, or its summary for staff. */
type FoundRequest = Omit<PublicRequestStatus, 'statusDescription'> & {
  statusDescription?: string;
  applicantName?: string;
  onHold?: RequestSummary['onHold'];
};

export interface InquiryReply {
  items: readonly FoundRequest[];
  totalCount: number;
}

/** The second version of the call answers with summaries, which the public must not have. */
const toReply = ({
  items,
  totalCount,
}: ReplyOf<typeof getRequestByRequestNoOrMobileNoV2>): InquiryReply => ({
  totalCount,
  items: items.map(({ governmentAgency, ...found }) => ({
    ...found,
    governmentAgencyName: governmentAgency.name,
  })),
});

const useIsStaff = () => hasRole(useSession(), ...requestReadersAndProviders);

/** The maximum number of requests in a reply. */
const inquiryTake = 50;

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
  const isStaff = useIsStaff();
  const input = {
    query: { SearchKeyword: requestNumber, Take: inquiryTake },
    skipErrorHandling: true,
  };
  const isAsked = requestNumber !== '';
  const open = useCall(getRequestByRequestNoOrMobileNo, { ...input, enabled: isAsked && !isStaff });
  const ofStaff = useCall(getRequestByRequestNoOrMobileNoV2, {
    ...input,
    enabled: isAsked && isStaff,
  });
  const { error, isFetching, refetch } = isStaff ? ofStaff : open;
  const data: InquiryReply | undefined = isStaff
    ? ofStaff.data && toReply(ofStaff.data)
    : open.data;
  return { data, error, isFetching, refetch };
}

/**
 * The inquiry by mobile number, first without a code and then with it; staff need none. It is never
 * repeated.
 */
export function useInquiryByMobile() {
  const isStaff = useIsStaff();
  const open = useAction(getRequestByRequestNoOrMobileNo, { skipErrorHandling: true });
  const ofStaff = useAction(getRequestByRequestNoOrMobileNoV2, { skipErrorHandling: true });
  const { error, isPending, reset } = isStaff ? ofStaff : open;
  const data: InquiryReply | undefined = isStaff
    ? ofStaff.data && toReply(ofStaff.data)
    : open.data;
  const ask = (
    keyword: string,
    code?: string,
    options: { onError?: (error: ApiError) => void } = {},
  ) => {
    const query = { SearchKeyword: keyword, Take: inquiryTake };
    if (isStaff) ofStaff.mutate({ query }, options);
    else open.mutate({ query: { ...query, VerificationCode: code } }, options);
  };
  return { data, error, isPending, reset, ask };
}
