import { ChevronRight, CircleSlash } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { sanitizeForQuote } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { useNavigationType } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import type { Closure } from '@diwan/contract/catalogue/closures';
import { servicesPageSize, type ServiceSummary } from '@diwan/contract/catalogue/services';
import { ServicesByCategory } from './all-services.tsx';
import { serviceLink } from './service-address.ts';
import { ServiceFacts } from './service-facts.tsx';
import { isNarrowed, narrowingOf, type ServiceFilters } from './service-filters.ts';
import { DidYouMean } from './service-search-box.tsx';
import { useServices } from './services.data.ts';

/** That a service takes no new requests, and when it opens. */
function ClosedMark({ closure }: { closure: Closure }) {
  const { t } = useTranslation('services');
  const { dateTime } = useFormat();
  return (
    <p className="flex w-fit items-center gap-2 rounded-lg bg-amber-100 px-3 text-sm text-amber-800">
      <CircleSlash aria-hidden size={16} className="shrink-0" />
      <span>
        {closure.until ? t('row.closedUntil', { at: dateTime(closure.until) }) : t('row.closed')}
      </span>
    </p>
  );
}

/** One service of the list; the whole row is clickable. */
function ServiceRow({
  service,
  accountTypeId,
  onOpen,
}: {
  service: ServiceSummary;
  accountTypeId?: number;
  onOpen: () => void;
}) {
  const link = serviceLink(service, accountTypeId);
  return (
    <li
      data-surface
      className={classNames(
        'group relative flex gap-4 rounded-lg border border-ink-100 bg-white p-4',
        'transition-colors duration-150 hover:border-gold-400 hover:bg-gold-50 md:gap-6 md:p-6',
      )}
    >
      <img
        fetchPriority="low"
        src={service.governmentAgency.logo}
        alt=""
        width={64}
        height={64}
        decoding="async"
        className="size-12 shrink-0 md:size-16"
      />
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="text-sm text-ink-500">{service.governmentAgency.name}</p>
        <h2 className="text-base md:text-lg">
          <Link
            {...link}
            onClick={(event) => {
              onOpen();
              link.onClick?.(event);
            }}
            className="row-link text-ink-900 group-hover:text-gold-800"
          >
            {service.name}
          </Link>
        </h2>
        <p className="line-clamp-2 text-ink-600 max-md:text-sm">{service.description}</p>
        {service.closure ? <ClosedMark closure={service.closure} /> : null}
        <ServiceFacts service={service} />
      </div>
      <ChevronRight
        aria-hidden
        size={22}
        className="mirror hidden shrink-0 self-center text-ink-400 group-hover:text-gold-700 md:block"
      />
    </li>
  );
}

// Loaded on demand: most visits do not search.
function recordUse(text: string | undefined, serviceId?: number): void {
  if (text)
    void import('./record-search.ts').then(
      ({ countSearch }) => countSearch(text, serviceId),
      () => undefined,
    );
}

interface ServiceListProps {
  filters: ServiceFilters;
  onShow: (filters: ServiceFilters) => void;
  onSearch: (text: string) => void;
}

/** One page of the list with its count and pager, or the names of all services by category. */
export function ServiceList({ filters, onShow, onSearch }: ServiceListProps) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  const { data, error, isPlaceholderData, isFetching, refetch } = useServices(filters);
  const { range, markPaged } = useFocusOnChange(isPlaceholderData ? undefined : data);
  const isShown = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (isShown) recordUse(filters.serviceSerach);
  }, [isShown, filters.serviceSerach]);
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
    return isNarrowed(filters) ? (
      <NothingFound search={filters.serviceSerach} onShowAll={() => onShow({})} />
    ) : (
      <EmptyState title={t('noneYet.title')}>
        <p>{t('noneYet.hint')}</p>
      </EmptyState>
    );
  const onPage = (pageNumber: number) => onShow({ ...narrowingOf(filters), pageNumber });
  // A page number past the end, for example from an old address.
  if (data.items.length === 0)
    return (
      <EmptyState
        title={t('listing.none')}
        action={<Button onPress={() => onPage(1)}>{t('listing.firstPage')}</Button>}
      >
        <p>{t('listing.pastEnd', { count: data.totalCount })}</p>
      </EmptyState>
    );
  const { isWhole } = filters;
  const first = (data.pageNumber - 1) * servicesPageSize + 1;
  const last = isWhole ? data.totalCount : first + data.items.length - 1;
  return (
    <div className="flex flex-col gap-4">
      {data.didYouMean ? <DidYouMean text={data.didYouMean} onSearch={onSearch} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
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
        {/* Without filters to remove, all services are shown on one page. */}
        <Button
          variant="secondary"
          size="sm"
          onPress={() => onShow(isNarrowed(filters) || isWhole ? {} : { isWhole: true })}
        >
          {t(isWhole ? 'listing.showPages' : 'listing.showAll')}
        </Button>
      </div>
      {isWhole ? (
        <div className="flex flex-col gap-6">
          <ServicesByCategory />
        </div>
      ) : (
        <>
          <ul
            aria-busy={isPlaceholderData || undefined}
            className={isPlaceholderData ? 'flex flex-col gap-3 opacity-60' : 'flex flex-col gap-3'}
          >
            {data.items.map((service) => (
              <ServiceRow
                key={service.id}
                service={service}
                accountTypeId={filters.accountTypeId}
                onOpen={() => recordUse(filters.serviceSerach, service.id)}
              />
            ))}
          </ul>
          <Pager
            pageNumber={data.pageNumber}
            pageSize={servicesPageSize}
            totalCount={data.totalCount}
            onSelect={(pageNumber) => {
              markPaged();
              onPage(pageNumber);
            }}
          />
        </>
      )}
    </div>
  );
}

/**
 * Moves the focus to the start of the list after paging, or when the focused element was removed,
 * such as a filter. Back navigation is left to the browser. `shown` is a new object for each reply.
 */
function useFocusOnChange(shown: unknown) {
  const range = useRef<HTMLParagraphElement>(null);
  const hasPaged = useRef(false);
  const before = useRef<unknown>(undefined);
  const isBack = useNavigationType() === 'POP';
  useEffect(() => {
    if (shown === undefined || shown === before.current) return;
    const isLost = before.current !== undefined && document.activeElement === document.body;
    before.current = shown;
    if (!isBack && (hasPaged.current || isLost)) range.current?.focus({ preventScroll: true });
    if (!isBack && hasPaged.current) range.current?.scrollIntoView({ block: 'start' });
    hasPaged.current = false;
  }, [shown, isBack]);
  return {
    range,
    markPaged: useCallback(() => {
      hasPaged.current = true;
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
  // The text is split around the query, which is isolated so that its direction changes nothing
  // else.
  const [before, after] = t('listing.noneFor', { search: '\n' }).split('\n');
  return (
    <div role="status">
      <EmptyState
        title={t('listing.none')}
        action={<Button onPress={onShowAll}>{t('listing.showAll')}</Button>}
      >
        {search ? (
          <p>
            <span>{before}</span>
            <bdi>{sanitizeForQuote(search)}</bdi>
            <span>{after}</span>
          </p>
        ) : null}
        <p>{t('listing.noneHint')}</p>
      </EmptyState>
    </div>
  );
}
