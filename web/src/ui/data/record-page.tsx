import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import type { Crumb } from './breadcrumbs.tsx';
import { AdminPageHeader } from './page-header.tsx';

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
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <AdminPageHeader title={title} lead={state} parent={list} />
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
