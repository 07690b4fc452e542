import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@diwan/contract/call';
import { getRequestsByStatusId, type RequestSummary } from '@diwan/contract/requests';
import { useLanguage } from '../../lib/language.ts';
import type { SendError } from '../../lib/send-error.ts';
import { send } from '../../lib/send.ts';

export const requestsPageSize = 10;
const largestTake = 100;

type RequestPage = ReplyOf<typeof getRequestsByStatusId>;

export interface ListQuestion {
  /** All statuses when not given. */
  statusIds: readonly number[] | undefined;
  keyword: string;
  from: string;
  to: string;
  sort: 'asc' | 'desc';
  page: number;
}

async function readPages(question: ListQuestion, statusId: number | undefined, take: number, pages: readonly number[], signal: AbortSignal): Promise<RequestPage> {
  const replies = await Promise.all(pages.map((page) => send(getRequestsByStatusId, {
    query: { StatusId: statusId, SearchKeyword: question.keyword || undefined, sortOrder: question.sort, DateFrom: question.from || undefined, DateTo: question.to || undefined, PageNumber: page, Take: take },
    signal,
  })));
  return { items: replies.flatMap((reply) => reply.items), pageNumber: question.page, totalCount: replies[0]?.totalCount ?? 0 };
}

/** The call takes one status, a group has several: as much of each is read as the page could need, then merged in the order asked for. */
async function readMerged(question: ListQuestion, statusIds: readonly number[], signal: AbortSignal): Promise<RequestPage> {
  const needed = question.page * requestsPageSize;
  const take = Math.min(needed, largestTake);
  const pages = Array.from({ length: Math.ceil(needed / take) }, (_, index) => index + 1);
  const lists = await Promise.all(statusIds.map((statusId) => readPages(question, statusId, take, pages, signal)));
  const direction = question.sort === 'asc' ? 1 : -1;
  const inOrder = (one: RequestSummary, other: RequestSummary) => direction * (one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId);
  return {
    items: lists.flatMap((list) => list.items).sort(inOrder).slice(needed - requestsPageSize, needed),
    pageNumber: question.page,
    totalCount: lists.reduce((sum, list) => sum + list.totalCount, 0),
  };
}

export function useRequestList(question: ListQuestion, options: { enabled: boolean; refetchInterval?: number }) {
  const { language } = useLanguage();
  const { statusIds } = question;
  return useQuery<RequestPage, SendError>({
    queryKey: [getRequestsByStatusId.name, language, question],
    queryFn: ({ signal }) => (statusIds === undefined || statusIds.length === 1 ? readPages(question, statusIds?.[0], requestsPageSize, [question.page], signal) : readMerged(question, statusIds, signal)),
    placeholderData: (previous) => previous,
    ...options,
  });
}
