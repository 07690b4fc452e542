import type { ApiError } from '#lib/api/api-error.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import { DataTable, type Column } from './data-table.tsx';

/** A short list that one call reads whole: its rows while they load, an error, nothing, or a table. */
export function LoadedTable<Row>({
  list: { data, error, refetch, isRefetching },
  failed,
  emptyTitle,
  ...table
}: {
  list: {
    data: readonly Row[] | undefined;
    error: ApiError | null;
    refetch: () => unknown;
    isRefetching: boolean;
  };
  /** The title of the error. */
  failed: string;
  emptyTitle: string;
  caption: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
}) {
  if (error && !data)
    return <ErrorState error={error} title={failed} onRetry={refetch} isRetrying={isRefetching} />;
  if (!data) return <SkeletonRows count={4} />;
  if (data.length === 0) return <EmptyState title={emptyTitle} />;
  return <DataTable {...table} rows={data} />;
}
