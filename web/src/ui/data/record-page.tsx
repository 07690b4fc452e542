import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import type { Crumb } from './breadcrumbs.tsx';
import { PageHeader } from './page-header.tsx';

/**
 * The page of one record for an admin: its name and state, and its content when it is loaded. `title`
 * names the record, before it is loaded its kind. `list` is the page that leads here.
 */
export function RecordPage<Row>({
  record: { data, error, refetch, isRefetching },
  title,
  list,
  state,
  children,
}: {
  record: {
    data: Row | undefined;
    error: ApiError | null;
    refetch: () => unknown;
    isRefetching: boolean;
  };
  title: string;
  list: Crumb;
  /** Absent before the record is loaded. */
  state: ReactNode;
  children: (row: Row) => ReactNode;
}) {
  const { t } = useTranslation('dashboards');
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <PageHeader
        title={<bdi>{title}</bdi>}
        lead={state}
        crumbs={[{ label: t('admin.title'), to: '/dashboard-Admin' }, list, { label: title }]}
      />
      {data ? (
        children(data)
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} isRetrying={isRefetching} />
      ) : (
        <SkeletonRows count={5} />
      )}
    </div>
  );
}
