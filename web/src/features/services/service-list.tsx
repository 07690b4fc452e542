import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigationType } from 'react-router';
import { servicesPageSize } from '@diwan/contract/catalogue/services';
import { useFormat } from '../../lib/i18n/format.ts';
import { quotableText } from '../../lib/i18n/quotable-text.ts';
import { Button } from '../../ui/actions/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Pager } from '../../ui/data/pager.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import type { ServiceFilters } from './service-filters.ts';
import { ServiceRow } from './service-row.tsx';
import { useServices } from './services.data.ts';
import { useKeptScroll } from './use-kept-scroll.ts';

interface ServiceListProps {
  filters: ServiceFilters;
  onPage: (pageNumber: number) => void;
  onShowAll: () => void;
}

/** One page of the listing, with its count above and its pager below. */
export function ServiceList({ filters, onPage, onShowAll }: ServiceListProps) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  const { data, error, isPlaceholderData, isFetching, refetch } = useServices(filters);
  const { range, turn } = useFocusOnChange(isPlaceholderData ? undefined : data);
  useKeptScroll(data !== undefined);
  if (error && !data)
    return (
      <ErrorState
        error={error}
        title={t('listing.failed')}
        onRetry={refetch}
        isRetrying={isFetching}
      />
    );
  if (!data) return <SkeletonRows />;
  if (data.totalCount === 0)
    return <NothingFound search={filters.serviceSerach} onShowAll={onShowAll} />;
  // A page past the end, as an old address may name: the list itself is still there.
  if (data.items.length === 0)
    return (
      <EmptyState
        title={t('listing.none')}
        action={<Button onPress={() => onPage(1)}>{t('listing.firstPage')}</Button>}
      >
        <p>{t('listing.pastEnd', { count: data.totalCount })}</p>
      </EmptyState>
    );
  const first = (data.pageNumber - 1) * servicesPageSize + 1;
  const last = Math.min(first + data.items.length - 1, data.totalCount);
  return (
    <div className="flex flex-col gap-4">
      <p
        ref={range}
        tabIndex={-1}
        role="status"
        className="scroll-mt-4 text-sm text-ink-600 outline-none"
      >
        {t('listing.range', {
          first: count(first),
          last: count(last),
          total: count(data.totalCount),
          count: data.totalCount,
        })}
      </p>
      <ul
        aria-busy={isPlaceholderData || undefined}
        className={isPlaceholderData ? 'flex flex-col gap-3 opacity-60' : 'flex flex-col gap-3'}
      >
        {data.items.map((service) => (
          <ServiceRow key={service.id} service={service} accountTypeId={filters.accountTypeId} />
        ))}
      </ul>
      <Pager
        pageNumber={data.pageNumber}
        pageSize={servicesPageSize}
        totalCount={data.totalCount}
        onSelect={(pageNumber) => {
          turn();
          onPage(pageNumber);
        }}
      />
    </div>
  );
}

/**
 * After turning a page the list is read from its beginning; and where what was pressed is gone,
 * such as a filter, the focus goes on with the list.
 * Going back is left to the browser. `shown` is another with every answer.
 */
function useFocusOnChange(shown: unknown) {
  const range = useRef<HTMLParagraphElement>(null);
  const isTurned = useRef(false);
  const before = useRef<unknown>(undefined);
  const isBack = useNavigationType() === 'POP';
  useEffect(() => {
    if (shown === undefined || shown === before.current) return;
    const isLost = before.current !== undefined && document.activeElement === document.body;
    before.current = shown;
    if (!isBack && (isTurned.current || isLost)) range.current?.focus({ preventScroll: true });
    if (!isBack && isTurned.current) range.current?.scrollIntoView({ block: 'start' });
    isTurned.current = false;
  }, [shown, isBack]);
  return {
    range,
    turn: useCallback(() => {
      isTurned.current = true;
    }, []),
  };
}

function NothingFound({
  search,
  onShowAll,
}: {
  search: string | undefined;
  onShowAll: () => void;
}) {
  const { t } = useTranslation('services');
  // The words around what was typed; it stands by itself, so that its direction turns nothing else.
  const [before, after] = t('listing.noneFor', { search: '\n' }).split('\n');
  return (
    <div role="status">
      <EmptyState
        title={t('listing.none')}
        action={<Button onPress={onShowAll}>{t('listing.showAll')}</Button>}
      >
        {search ? (
          <p>
            {before}
            <bdi>{quotableText(search)}</bdi>
            {after}
          </p>
        ) : null}
        <p>{t('listing.noneHint')}</p>
      </EmptyState>
    </div>
  );
}
