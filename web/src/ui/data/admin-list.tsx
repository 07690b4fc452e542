import { type ReactNode, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import type { SearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '../actions/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import { ComboField } from '../forms/combo-field.tsx';
import { SelectField, type Choice } from '../forms/select-field.tsx';
import { KeywordField } from '../search/keyword-field.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { AdminPageHeader } from './page-header.tsx';
import { Pager } from './pager.tsx';

const any = '-';
/** With more choices than this the filter is a combo box. */
const maximumSelectChoices = 15;

interface ListFilter<Name extends string> {
  name: Name;
  label: string;
  /** The label of the choice that does not filter. */
  any: string;
  choices: readonly Choice[];
}

/**
 * A search form that submits on Enter or by its button; the filter applies immediately. Pass the
 * keyword as `key`, so that the field follows the address.
 */
function AdminListSearch<Name extends string>({
  placeholder,
  filters,
  filter,
  more,
}: {
  placeholder: string | undefined;
  filters: SearchFilters<Name>;
  filter?: ListFilter<Name>;
  more?: ReactNode;
}) {
  const { t } = useTranslation('dashboards');
  const [text, setText] = useState(filters.keyword);
  const search = (keyword: string) => filters.change({ keyword });
  const choose = (value: string) => {
    if (filter) filters.change({ [filter.name]: value === any ? '' : value });
  };
  const FilterField =
    filter && filter.choices.length > maximumSelectChoices ? ComboField : SelectField;
  return (
    <form
      role="search"
      aria-label={t('list.search')}
      // On paper only a filter that was chosen says something.
      className={classNames(
        'flex flex-col gap-4 md:flex-row md:flex-wrap md:items-end',
        !filters.isFiltered && 'print:hidden',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      {placeholder === undefined ? null : (
        <div className="flex min-w-0 items-end gap-2 md:max-w-form md:grow">
          <KeywordField
            label={t('list.search')}
            placeholder={placeholder}
            value={text}
            onChange={setText}
            onClear={() => search('')}
          />
        </div>
      )}
      {filter ? (
        <div className="md:w-60">
          <FilterField
            label={filter.label}
            value={filters.values[filter.name] || any}
            onChange={choose}
            choices={[{ value: any, label: filter.any }, ...filter.choices]}
          />
        </div>
      ) : null}
      {more}
    </form>
  );
}

export const adminPageSize = 20;

/** One page of a list and the state of its query. */
export interface ListState<Row> {
  /** `isTotalAtLeast`: there are more than `totalCount`, which no page shows. */
  data:
    | { items: readonly Row[]; totalCount: number; isTotalAtLeast?: boolean | undefined }
    | undefined;
  error: unknown;
  refetch: () => unknown;
  isRefetching: boolean;
  isPlaceholderData: boolean;
}

interface AdminListProps<Row, Name extends string> {
  title: string;
  lead: string;
  /** The placeholder: what the keyword matches. A list without it has no keyword. */
  placeholder?: string;
  filters: SearchFilters<Name>;
  filter?: ListFilter<Name>;
  /** A further filter with its own control. */
  more?: ReactNode;
  list: ListState<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** An action in the page header. */
  action?: ReactNode;
  /** What waits for a decision, above the list. */
  notice?: ReactNode;
  /** What to say of the search above its results. */
  searchNote?: ReactNode;
  /** The title of the empty state, where a specific one exists. */
  emptyTitle?: string;
  /** What to do in an empty list, and how. */
  emptyText?: ReactNode;
  emptyAction?: ReactNode;
}

/** How many rows a list has. Only screen readers read 0: the empty state says the same. */
function Total({ of }: { of: { totalCount: number; isTotalAtLeast?: boolean } | undefined }) {
  const { t } = useTranslation('dashboards');
  const format = useFormat();
  const isEmpty = of?.totalCount === 0;
  const text = of?.isTotalAtLeast
    ? t('list.countAtLeast', { number: format.count(of.totalCount) })
    : of
      ? t('list.count', { count: of.totalCount })
      : '';
  return (
    <p
      role="status"
      className={isEmpty ? 'pt-4' : 'flex min-h-[1lh] items-center pt-3 pb-4 text-sm text-ink-600'}
    >
      {isEmpty ? <span className="sr-only">{text}</span> : text}
    </p>
  );
}

/**
 * A page with a searchable, filterable list for admins, with its loading, error and empty states.
 */
export function AdminList<Row, Name extends string = never>({
  title,
  lead,
  placeholder,
  filters,
  filter,
  more,
  list,
  columns,
  rowKey,
  action,
  notice,
  searchNote,
  emptyTitle,
  emptyText,
  emptyAction,
}: AdminListProps<Row, Name>) {
  const { t } = useTranslation('dashboards');
  usePageTitle(title);
  const { data, error } = list;
  // A page number past the end, after a deletion or from an old address.
  const isPastEnd = data !== undefined && data.items.length === 0 && data.totalCount > 0;
  return (
    <div className="page pb-16">
      <AdminPageHeader title={title} lead={lead} action={action} />
      <div className="pb-6 empty:hidden print:hidden">{notice}</div>
      <AdminListSearch
        key={filters.keyword}
        placeholder={placeholder}
        filters={filters}
        filter={filter}
        more={more}
      />
      <Total of={data} />
      <div className="pb-4 empty:hidden print:hidden">{searchNote}</div>
      {error && !data ? (
        <ErrorState
          error={error}
          title={t('failed')}
          onRetry={list.refetch}
          isRetrying={list.isRefetching}
        />
      ) : !data ? (
        <SkeletonRows count={6} />
      ) : isPastEnd ? (
        <EmptyState
          title={t('list.beyondTitle')}
          action={
            <Button variant="secondary" onPress={() => filters.change({ page: 1 })}>
              {t('list.firstPage')}
            </Button>
          }
        />
      ) : data.items.length > 0 ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={data.items}
          rowKey={rowKey}
          isStale={list.isPlaceholderData}
        />
      ) : filters.isFiltered ? (
        <EmptyState
          title={t('list.nothingTitle')}
          action={
            <Button variant="secondary" onPress={filters.clear}>
              {t('list.clear')}
            </Button>
          }
        >
          {t('list.nothingText')}
        </EmptyState>
      ) : (
        <EmptyState title={emptyTitle ?? t('list.emptyTitle')} action={emptyAction}>
          {emptyText}
        </EmptyState>
      )}
      {data ? (
        <div className="pt-6">
          <Pager
            pageNumber={filters.page}
            pageSize={adminPageSize}
            totalCount={data.totalCount}
            onSelect={(page) => filters.change({ page })}
          />
        </div>
      ) : null}
    </div>
  );
}

/** A list that the server sends whole, filtered and paginated in the browser. */
export function paginateLocally<Row>(
  query: Omit<ListState<Row>, 'data'> & { data: readonly Row[] | undefined },
  { keyword, page }: Pick<SearchFilters<never>, 'keyword' | 'page'>,
  textOf: (row: Row) => string,
): ListState<Row> {
  const found = query.data?.filter((item) => containsText(textOf(item), keyword));
  return {
    ...query,
    data: found && {
      items: found.slice((page - 1) * adminPageSize, page * adminPageSize),
      totalCount: found.length,
    },
  };
}
