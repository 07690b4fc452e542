import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { handleError } from '../../../lib/handle-error.ts';
import { detailsLink } from '../details-link.ts';
import { readFilters } from './list-filters.ts';
import { keepSeenList, nextIn, seenList } from './next-request.ts';
import { readRequestList, staffPageSize } from '../request-list.data.ts';
import { useStatuses } from '../requests.data.ts';
import { staffListOf, statusIdsOfList } from './staff-lists.ts';

/** The request below this one in the list that the person came from, with its filters. */
export function useNextRequest(requestNumber: string, list: string) {
  const navigate = useNavigate();
  const statuses = useStatuses();
  const client = useQueryClient();
  const [isLooking, setIsLooking] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);

  async function find(): Promise<string | undefined> {
    const [pathname = '', search] = list.split('?');
    const { keyword, from, to, sort, isMine, refund, page, statusId } = readFilters(new URLSearchParams(search));
    const statusIds = statusIdsOfList(staffListOf(pathname), statuses.data ?? [], statusId);
    const ask = (wanted: number) => client.fetchQuery({ queryKey: ['next-request', list, wanted], staleTime: 0, gcTime: 0, queryFn: ({ signal }) => readRequestList({ statusIds, keyword, from, to, sort, isMine, refund, page: wanted, take: staffPageSize }, signal) });
    let seen = seenList(list);
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

  const go = async () => {
    if (isLooking || !statuses.data) return;
    setIsLooking(true);
    try {
      const next = await find();
      // In place of this one, so that "back" leads to the list.
      if (next === undefined) setIsAtEnd(true);
      else await navigate(detailsLink(next, list).to, { state: detailsLink(next, list).state, replace: true });
    } catch (error) {
      handleError(error);
    } finally {
      setIsLooking(false);
    }
  };
  return { go, isLooking, isAtEnd };
}
