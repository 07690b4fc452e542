import { useTranslation } from 'react-i18next';
import { servicesPageSize } from '@diwan/contract/services';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import type { ServiceFilters } from './service-filters.ts';
import { ServiceRow } from './service-row.tsx';
import { useServices } from './services.data.ts';

/** One page of the listing, with its count above and its pager below. */
export function ServiceList({ filters, onPage, onShowAll }: { filters: ServiceFilters; onPage: (pageNumber: number) => void; onShowAll: () => void }) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  const { data, error, isPlaceholderData, isFetching, refetch } = useServices(filters);
  if (error && !data) return <ErrorState error={error} title={t('listing.failed')} onRetry={refetch} isRetrying={isFetching} />;
  if (!data) return <SkeletonRows />;
  if (data.totalCount === 0) {
    return (
      <div role="status">
        <EmptyState title={t('listing.none')} action={<Button onPress={onShowAll}>{t('listing.showAll')}</Button>}>
          {filters.serviceSerach ? <p>{t('listing.noneFor', { search: filters.serviceSerach })}</p> : null}
          <p>{t('listing.noneHint')}</p>
        </EmptyState>
      </div>
    );
  }
  const first = (data.pageNumber - 1) * servicesPageSize + 1;
  const last = Math.min(first + data.items.length - 1, data.totalCount);
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-sm text-ink-600">{t('listing.range', { first: count(first), last: count(last), total: count(data.totalCount), count: data.totalCount })}</p>
      <ul aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'flex flex-col gap-3 opacity-60' : 'flex flex-col gap-3'}>
        {data.items.map((service) => <ServiceRow key={service.id} service={service} accountTypeId={filters.accountTypeId} />)}
      </ul>
      <Pager pageNumber={data.pageNumber} pageSize={servicesPageSize} totalCount={data.totalCount} onSelect={onPage} />
    </div>
  );
}
