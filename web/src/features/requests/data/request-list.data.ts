import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { QueryInputOf, ReplyOf } from '@diwan/contract/wire/call';
import { getRequestsByStatusId } from '@diwan/contract/requests/requests';
import type { RefundFilter } from '@diwan/contract/requests/saved-filters';
import { useLanguage } from '../../../lib/i18n/language.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { send } from '../../../lib/api/send.ts';

export const requestsPageSize = 10;
/** Staff read down a dense list. */
export const staffPageSize = 20;

export type RequestPage = ReplyOf<typeof getRequestsByStatusId>;

export interface ListQuestion {
  /** All statuses when not given. */
  statusIds: readonly number[] | undefined;
  keyword: string;
  from: string;
  to: string;
  sort: 'asc' | 'desc';
  isMine?: boolean;
  refund?: RefundFilter | undefined;
  page: number;
  /** How many a page holds. */
  take: number;
}

function queryOf({
  statusIds,
  keyword,
  from,
  to,
  sort,
  isMine,
  refund,
  page,
  take,
}: ListQuestion): QueryInputOf<typeof getRequestsByStatusId> {
  return {
    StatusIds: statusIds?.join(','),
    OnlyMine: isMine ? 'true' : undefined,
    SearchKeyword: keyword || undefined,
    sortOrder: sort,
    DateFrom: from || undefined,
    DateTo: to || undefined,
    PageNumber: page,
    Take: take,
    ...(refund ? { HasRefundableFees: 'true', IsRefunded: String(refund === 'done') } : {}),
  };
}

const nothing: RequestPage = { items: [], pageNumber: 1, totalCount: 0 };

/** One page of a list. No status at all holds no request. */
export async function readRequestList(
  question: ListQuestion,
  signal?: AbortSignal,
): Promise<RequestPage> {
  return question.statusIds?.length === 0
    ? nothing
    : send(getRequestsByStatusId, { query: queryOf(question), signal });
}

export function useRequestList(
  question: ListQuestion,
  options: { enabled: boolean; refetchInterval?: number },
) {
  const { language } = useLanguage();
  return useQuery<RequestPage, SendError>({
    queryKey: [getRequestsByStatusId.name, language, question],
    queryFn: ({ signal }) => readRequestList(question, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
}
