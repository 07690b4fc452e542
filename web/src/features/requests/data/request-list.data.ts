import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import {
  getAllRequestsByStatusId,
  getRequestsByStatusId,
  sortColumns,
  type DueFilter,
  type ListFigure,
  type StatusGroup,
} from '@diwan/contract/requests/request-lists';
import type { ListOrder, RefundFilter } from '@diwan/contract/requests/saved-filters';
import type { QueryInputOf, ReplyOf } from '@diwan/contract/wire/call';

export const requestsPageSize = 10;
export const staffPageSize = 20;

type RequestPage = ReplyOf<typeof getRequestsByStatusId>;

export interface RequestListQuery {
  /** The one status of a list; its call is the one for a single status, which knows no refunds. */
  statusId?: number | undefined;
  /** Undefined for all statuses. */
  statusIds?: readonly number[] | undefined;
  statusGroup?: StatusGroup | undefined;
  keyword: string;
  from: string;
  to: string;
  sort: ListOrder;
  isMine?: boolean;
  holderId?: string | undefined;
  serviceId?: number | undefined;
  agencyId?: number | undefined;
  teamId?: number | undefined;
  due?: DueFilter | undefined;
  refund?: RefundFilter | undefined;
  figure?: ListFigure | undefined;
  figureFrom?: string | undefined;
  figureTo?: string | undefined;
  figureBy?: string | undefined;
  partnerId?: number | undefined;
  companyId?: number | undefined;
  page: number;
  pageSize: number;
}

function toWireOrder(sort: ListOrder): QueryInputOf<typeof getRequestsByStatusId> {
  if (sort === 'asc' || sort === 'desc') return { sortOrder: sort };
  const isLastFirst = sort.endsWith('Last');
  const column = sort.replace(/Last$/, '');
  return {
    SortBy: (['due', ...sortColumns] as const).find((each) => each === column),
    sortOrder: isLastFirst ? 'desc' : 'asc',
  };
}

function toWireQuery({
  statusId,
  statusIds,
  statusGroup,
  keyword,
  from,
  to,
  sort,
  isMine,
  holderId,
  serviceId,
  agencyId,
  teamId,
  due,
  refund,
  figure,
  figureFrom,
  figureTo,
  figureBy,
  partnerId,
  companyId,
  page,
  pageSize,
}: RequestListQuery): QueryInputOf<typeof getRequestsByStatusId> {
  return {
    StatusId: statusId,
    StatusIds: statusIds?.join(','),
    StatusGroup: statusGroup,
    OnlyMine: isMine ? 'true' : undefined,
    SearchKeyword: keyword || undefined,
    ...toWireOrder(sort),
    Holder: holderId,
    ServiceId: serviceId,
    GovernmentAgencyId: agencyId,
    TeamId: teamId,
    Due: due,
    Figure: figure,
    FigureFrom: figureFrom,
    FigureTo: figureTo,
    FigureBy: figureBy,
    PartnerId: partnerId,
    CompanyId: companyId,
    DateFrom: from || undefined,
    DateTo: to || undefined,
    PageNumber: page,
    Take: pageSize,
    ...(refund ? { HasRefundableFees: 'true', IsRefunded: String(refund === 'done') } : {}),
  };
}

const emptyPage: RequestPage = { items: [], pageNumber: 1, totalCount: 0 };

/** One page of a list; an empty list of statuses gives an empty page without a call. */
export async function fetchRequestList(
  query: RequestListQuery,
  signal?: AbortSignal,
): Promise<RequestPage> {
  if (query.statusIds?.length === 0) return emptyPage;
  const isOfOneStatus = query.statusId !== undefined && query.refund === undefined;
  const call = isOfOneStatus ? getAllRequestsByStatusId : getRequestsByStatusId;
  return send(call, { query: toWireQuery(query), signal });
}

export function useRequestList(
  query: RequestListQuery,
  options: { enabled?: boolean; refetchInterval?: number } = {},
) {
  const { language } = useLanguage();
  return useQuery<RequestPage, ApiError>({
    queryKey: [getRequestsByStatusId.name, language, query],
    queryFn: ({ signal }) => fetchRequestList(query, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
}

/** The text for the number of requests in a list; the server may know only a lower bound. */
export function useTotalText(): (page: RequestPage) => string {
  const { t } = useTranslation('requests');
  return ({ isTotalAtLeast, totalCount }) =>
    isTotalAtLeast
      ? t('listing.moreThan', { number: totalCount })
      : t('listing.count', { count: totalCount });
}
