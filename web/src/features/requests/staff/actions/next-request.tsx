import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from '../../../../lib/router/router-provider.tsx';
import { useTranslation } from '../../../../lib/i18n/translate.ts';
import { handleError } from '../../../../lib/api/handle-error.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { IconButton } from '../../../../ui/actions/icon-button.tsx';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';
import { detailsLink, readDetailsLink } from '../../data/details-link.ts';
import { noStaffFilters, readFilters, toRequestListQuery } from '../../data/list-filters.ts';
import {
  storeSeenList,
  findNextRequest,
  findPreviousRequest,
  loadSeenList,
} from '../list/seen-list.ts';
import { fetchRequestList, staffPageSize } from '../../data/request-list.data.ts';
import { useStatuses } from '../../data/requests.data.ts';
import { staffListOf, statusIdsOfList } from '../list/staff-lists.ts';

interface NextRequestButtonsProps {
  isAtEnd: boolean;
  isSearching: boolean;
  /** No action is allowed, so this is the main button. */
  isMain: boolean;
  /** Many actions are allowed, so the text appears in wide windows only. */
  isCompact: boolean;
  onNext: () => void;
  /** Undefined for the first request of the list. */
  onPrevious: (() => unknown) | undefined;
  onBack: () => void;
}

/**
 * Buttons for the next and the previous request of the list from which the user came. At the end of
 * the list the next button becomes a link back to it.
 */
export function NextRequestButtons({
  isAtEnd,
  isSearching,
  isMain,
  isCompact,
  onNext,
  onPrevious,
  onBack,
}: NextRequestButtonsProps) {
  const { t } = useTranslation('staff');
  const arrow = <ArrowRight aria-hidden size={18} className="mirror" />;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:ms-auto">
      <span role="status" className={isAtEnd ? 'text-sm font-semibold' : 'sr-only'}>
        {isAtEnd ? t('next.end') : ''}
      </span>
      {onPrevious ? (
        <span className="max-lg:hidden lg:-me-3">
          <IconButton label={t('next.previous')} aria-keyshortcuts="p" onPress={onPrevious}>
            <ArrowLeft aria-hidden size={18} className="mirror" />
          </IconButton>
        </span>
      ) : null}
      {isAtEnd ? (
        <Button variant={isMain ? 'primary' : 'secondary'} aria-keyshortcuts="b" onPress={onBack}>
          {t('next.back')}
          <ShortcutHint of="b" />
        </Button>
      ) : (
        <>
          {isMain ? null : (
            <span className="lg:hidden">
              <IconButton label={t('next.next')} isDisabled={isSearching} onPress={onNext}>
                {arrow}
              </IconButton>
            </span>
          )}
          <span
            className={
              isMain ? undefined : isCompact ? 'max-lg:hidden max-2xl:-me-5' : 'max-lg:hidden'
            }
          >
            <Button
              variant={isMain ? 'primary' : 'quiet'}
              aria-keyshortcuts="n"
              icon={arrow}
              isPending={isSearching}
              onPress={onNext}
            >
              <span className={isCompact ? 'max-2xl:sr-only' : undefined}>{t('next.next')}</span>
              <ShortcutHint of="n" isCompact={isCompact} />
            </Button>
          </span>
        </>
      )}
    </span>
  );
}

/**
 * Opens the next and the previous request of the list from which the user came, with the list's
 * filters.
 */
export function useNextRequest(requestNumber: string, list: string) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const statuses = useStatuses();
  const client = useQueryClient();
  const [isSearching, setIsSearching] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const previous = findPreviousRequest(loadSeenList(list).numbers, requestNumber);
  useEffect(() => {
    const seen = loadSeenList(list);
    if (seen.numbers.includes(requestNumber)) storeSeenList({ ...seen, opened: requestNumber });
  }, [list, requestNumber]);

  async function find(): Promise<string | undefined> {
    const [pathname = '', search] = list.split('?');
    const filters = readFilters(new URLSearchParams(search), noStaffFilters);
    const { page, statusId } = filters;
    const statusIds = statusIdsOfList(staffListOf(pathname), statuses.data ?? [], statusId);
    const fetchPage = (wanted: number) =>
      client.fetchQuery({
        queryKey: ['next-request', list, wanted],
        staleTime: 0,
        gcTime: 0,
        queryFn: ({ signal }) =>
          fetchRequestList(
            { ...toRequestListQuery(filters), statusIds, page: wanted, pageSize: staffPageSize },
            signal,
          ),
      });
    let seen = loadSeenList(list).numbers;
    // When requests leave the list, the following ones move up to the current page.
    for (const wanted of [page, page + 1]) {
      const { items, totalCount } = await fetchPage(wanted);
      const numbers = items.map((item) => item.requestNumber);
      const next = findNextRequest(seen, requestNumber, numbers);
      seen = [...seen, ...numbers.filter((number) => !seen.includes(number))];
      if (next !== undefined) {
        storeSeenList({ address: list, numbers: seen });
        return next;
      }
      if (wanted * staffPageSize >= totalCount) break;
    }
    return undefined;
  }

  // It replaces this page in the history, so that "back" leads to the list.
  const open = (number: string) =>
    navigate(detailsLink(number).to, {
      state: { ...(state as object | null), requestNumber: number },
      replace: true,
    });
  const openNext = async () => {
    if (isSearching || !statuses.data) return;
    setIsSearching(true);
    try {
      const next = await find();
      if (next === undefined) setIsAtEnd(true);
      else await open(next);
    } catch (error) {
      handleError(error);
    } finally {
      setIsSearching(false);
    }
  };
  return {
    openNext,
    openPrevious: previous === undefined ? undefined : () => open(previous),
    isSearching,
    isAtEnd,
  };
}

/**
 * Goes back to the list. It uses the browser's history when the list is the previous page, so that
 * the scroll position is restored.
 */
export function useBackToList(list: string): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromList =
    readDetailsLink(state, new URLSearchParams()).from === list &&
    (window.history.state as { idx?: number } | null)?.idx !== 0;
  return () => void (cameFromList ? navigate(-1) : navigate(list));
}
