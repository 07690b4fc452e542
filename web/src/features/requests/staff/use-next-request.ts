import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { handleError } from '../../../lib/api/handle-error.ts';
import { detailsLink } from '../data/details-link.ts';
import { readFilters, wantedOf } from './list-filters.ts';
import { keepSeenList, nextIn, previousIn, seenList } from './next-request.ts';
import { readRequestList, staffPageSize } from '../data/request-list.data.ts';
import { useStatuses } from '../data/requests.data.ts';
import { staffListOf, statusIdsOfList } from './staff-lists.ts';

/**
 * The requests below and above this one in the list that the person came from, with its filters.
 */
export function useNextRequest(requestNumber: string, list: string) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const statuses = useStatuses();
  const client = useQueryClient();
  const [isLooking, setIsLooking] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const previous = previousIn(seenList(list).numbers, requestNumber);
  useEffect(() => {
    const seen = seenList(list);
    if (seen.numbers.includes(requestNumber)) keepSeenList({ ...seen, opened: requestNumber });
  }, [list, requestNumber]);

  async function find(): Promise<string | undefined> {
    const [pathname = '', search] = list.split('?');
    const filters = readFilters(new URLSearchParams(search));
    const { page, statusId } = filters;
    const statusIds = statusIdsOfList(staffListOf(pathname), statuses.data ?? [], statusId);
    const ask = (wanted: number) =>
      client.fetchQuery({
        queryKey: ['next-request', list, wanted],
        staleTime: 0,
        gcTime: 0,
        queryFn: ({ signal }) =>
          readRequestList(
            { ...wantedOf(filters), statusIds, page: wanted, take: staffPageSize },
            signal,
          ),
      });
    let seen = seenList(list).numbers;
    // Requests that have left the list move the rest up, so its own page comes first.
    for (const wanted of [page, page + 1]) {
      const { items, totalCount } = await ask(wanted);
      const numbers = items.map((item) => item.requestNumber);
      const next = nextIn(seen, requestNumber, numbers);
      seen = [...seen, ...numbers.filter((number) => !seen.includes(number))];
      if (next !== undefined) {
        keepSeenList({ address: list, numbers: seen });
        return next;
      }
      if (wanted * staffPageSize >= totalCount) break;
    }
    return undefined;
  }

  // In place of this one, so that "back" leads to the list.
  const open = (number: string) =>
    navigate(detailsLink(number).to, {
      state: { ...(state as object | null), requestNumber: number },
      replace: true,
    });
  const go = async () => {
    if (isLooking || !statuses.data) return;
    setIsLooking(true);
    try {
      const next = await find();
      if (next === undefined) setIsAtEnd(true);
      else await open(next);
    } catch (error) {
      handleError(error);
    } finally {
      setIsLooking(false);
    }
  };
  return {
    go,
    goBack: previous === undefined ? undefined : () => open(previous),
    isLooking,
    isAtEnd,
  };
}
