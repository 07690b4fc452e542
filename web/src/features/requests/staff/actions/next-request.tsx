import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { detailsLink, readDetailsLink } from '#features/requests/data/details-link.ts';
import {
  noStaffFilters,
  readFilters,
  toRequestListQuery,
} from '#features/requests/data/list-filters.ts';
import { fetchRequestList, staffPageSize } from '#features/requests/data/request-list.data.ts';
import { useStatuses } from '#features/requests/data/requests.data.ts';
import { handleError } from '#lib/api/handle-error.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { loadItem, removeItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useIsLoading, useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { Button, type ButtonSize } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import {
  storeSeenList,
  findNextRequest,
  findPreviousRequest,
  loadSeenList,
} from '../list/seen-list.ts';
import { staffListOf, statusesOfList } from '../list/staff-lists.ts';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';

interface NextRequestProps {
  next: ReturnType<typeof useNextRequest>;
  /** No action is allowed, so the next request is the main button. */
  isMain: boolean;
  size: ButtonSize;
  /**
   * How a phone shows it: an arrow beside the only action, a labelled button among all actions, or
   * not while these are folded.
   */
  onPhone: 'arrow' | 'labelled' | 'hidden';
}

/**
 * The ways from this request to the others of its list, and whether the next one opens by itself.
 * On a wide screen this is the end of the first line of the bar, and the actions are the second.
 */
export function NextRequest({ next, isMain, size, onPhone }: NextRequestProps) {
  const { t } = useTranslation('staff');
  // The end of the list is said in any case.
  const isHidden = onPhone === 'hidden' && !next.isAtEnd;
  return (
    <span
      className={classNames(
        'ms-auto flex items-center gap-x-4 lg:order-first',
        isHidden && 'max-lg:hidden',
        onPhone === 'labelled' && 'max-lg:order-last',
      )}
    >
      {next.isFromList ? (
        <span className="-my-2 text-sm max-lg:hidden">
          <Checkbox
            isPlain
            label={t('next.automatic')}
            value={next.opensByItself}
            onChange={next.setOpensByItself}
          />
        </span>
      ) : null}
      <NextRequestButtons next={next} isMain={isMain} size={size} onPhone={onPhone} />
    </span>
  );
}

/**
 * Buttons for the next and the previous request of the list from which the user came. At the end of
 * the list the next button becomes a link back to it.
 */
function NextRequestButtons({ next, isMain, size, onPhone }: NextRequestProps) {
  const { t } = useTranslation('staff');
  const { nextNumber, isAtEnd, isSearching } = next;
  const openNext = () => void next.openNext();
  const nextLabel = nextNumber
    ? t('next.named', { number: `\u2066${nextNumber}\u2069` })
    : t('next.next');
  const arrow = <ArrowRight aria-hidden size={18} className="mirror" />;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span role="status" className={isAtEnd ? 'text-sm font-semibold' : 'sr-only'}>
        {isAtEnd ? t('next.end') : ''}
      </span>
      {next.openPrevious ? (
        <span className="max-lg:hidden lg:-me-3">
          <IconButton label={t('next.previous')} aria-keyshortcuts="p" onPress={next.openPrevious}>
            <ArrowLeft aria-hidden size={18} className="mirror" />
          </IconButton>
        </span>
      ) : null}
      {isAtEnd ? (
        <Button
          size={size}
          variant={isMain ? 'primary' : 'secondary'}
          aria-keyshortcuts="b"
          onPress={next.backToList}
        >
          {t('next.back')}
          <ShortcutHint of="b" />
        </Button>
      ) : (
        <>
          {isMain || onPhone === 'labelled' ? null : (
            <span className="lg:hidden">
              <IconButton label={nextLabel} isDisabled={isSearching} onPress={openNext}>
                {arrow}
              </IconButton>
            </span>
          )}
          <span className={isMain || onPhone === 'labelled' ? undefined : 'max-lg:hidden'}>
            <Button
              size={size}
              variant={isMain ? 'primary' : 'quiet'}
              aria-keyshortcuts="n"
              icon={arrow}
              isPending={isSearching}
              pendingLabel={t('next.searching')}
              onPress={openNext}
            >
              <span>{nextLabel}</span>
              <ShortcutHint of="n" />
            </Button>
          </span>
        </>
      )}
    </span>
  );
}

const stayKey = 'stay-on-request';

/** Whether the next request opens after an action that can be undone. */
function useOpensByItself() {
  const [opensByItself, setOpensByItself] = useState(() => loadItem('local', stayKey) === null);
  return {
    opensByItself,
    setOpensByItself: (opens: boolean) => {
      if (opens) removeItem('local', stayKey);
      else storeItem('local', stayKey, 'true');
      setOpensByItself(opens);
    },
  };
}

// For how long the next request is taken from the last look at the list.
const nextRequestMs = 10_000;

/**
 * Opens the next and the previous request of the list from which the user came, with the list's
 * filters, or goes back to the list.
 */
export function useNextRequest(requestNumber: string, list: string) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const statuses = useStatuses();
  const client = useQueryClient();
  const goToList = useBackToList(list);
  const automatic = useOpensByItself();
  const [isSearching, setIsSearching] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const { numbers } = loadSeenList(list);
  const previous = findPreviousRequest(numbers, requestNumber);
  const isFromList = numbers.includes(requestNumber);
  useEffect(() => {
    const seen = loadSeenList(list);
    if (seen.numbers.includes(requestNumber)) storeSeenList({ ...seen, opened: requestNumber });
  }, [list, requestNumber]);

  async function find(): Promise<string | null> {
    const [pathname = '', search] = list.split('?');
    const filters = readFilters(new URLSearchParams(search), noStaffFilters);
    const { page, statusId } = filters;
    // Who is quicker than the statuses waits for them.
    const known =
      statuses.data ??
      (await statuses.refetch({ cancelRefetch: false, throwOnError: true })).data ??
      [];
    const chosen = statusesOfList(staffListOf(pathname), known, statusId);
    const fetchPage = (wanted: number) =>
      client.fetchQuery({
        queryKey: ['next-request', list, wanted],
        staleTime: 0,
        gcTime: 0,
        queryFn: ({ signal }) =>
          fetchRequestList(
            { ...toRequestListQuery(filters), ...chosen, page: wanted, pageSize: staffPageSize },
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
        storeSeenList({ ...loadSeenList(list), numbers: seen });
        return next;
      }
      if (wanted * staffPageSize >= totalCount) break;
    }
    return null;
  }
  const following = {
    queryKey: ['next-request', list, requestNumber],
    queryFn: find,
    staleTime: nextRequestMs,
    retry: false,
  };
  const next = useQuery({ ...following, enabled: isFromList && statuses.data !== undefined });

  // Who leaves this request while its next one is looked for stays where they went.
  const search = useRef<object>(undefined);
  const stopSearch = () => (search.current = undefined);
  const isLeaving = useIsLoading();
  useEffect(() => {
    if (isLeaving) search.current = undefined;
  }, [isLeaving]);
  useEffect(() => () => void (search.current = undefined), []);
  // It replaces this page in the history, so that "back" leads to the list.
  const open = (number: string) => {
    stopSearch();
    return navigate(detailsLink(number).to, {
      state: { ...(state as object | null), requestNumber: number },
      replace: true,
      preventScrollReset: true,
    });
  };
  const openNext = async () => {
    // A second press asks for the same request: it must not skip one that nobody has seen. The button
    // says that the search continues.
    if (isSearching) return;
    const own = {};
    search.current = own;
    setIsSearching(true);
    try {
      const found = await client.fetchQuery(following);
      if (search.current !== own) return;
      if (found === null) setIsAtEnd(true);
      else await open(found);
    } catch (error) {
      if (search.current === own) handleError(error);
    } finally {
      setIsSearching(false);
    }
  };
  return {
    ...automatic,
    openNext,
    /** The number of the next request, once it is known. */
    nextNumber: next.data ?? undefined,
    isFromList,
    open,
    /** Undefined for the first request of the list. */
    openPrevious: previous === undefined ? undefined : () => open(previous),
    backToList: () => {
      stopSearch();
      goToList();
    },
    isSearching,
    isAtEnd,
  };
}

/**
 * Goes back to the list. It uses the browser's history when the list is the previous page, so that
 * the scroll position is restored.
 */
function useBackToList(list: string): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromList =
    readDetailsLink(state, new URLSearchParams()).from === list &&
    (window.history.state as { idx?: number } | null)?.idx !== 0;
  return () => void (cameFromList ? navigate(-1) : navigate(list));
}
