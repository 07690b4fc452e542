import type { Database } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { SortColumn } from '@diwan/contract/requests/request-lists';
import type { Language } from '@diwan/contract/wire/languages';
import {
  literal,
  selectRows,
  skipOf,
  unionOfParts,
  type FoundPage,
  type ListFilter,
  type Page,
  type Total,
} from './request-lists.store.ts';

/** The places of services, agencies or statuses in an order; ids with the same place are equal. */
type Places = ReadonlyMap<number, number>;

/** By what a list is sorted. `places` belong to columns that hold the id of what is shown. */
export interface ListOrder {
  column: SortColumn;
  places?: Places;
  /** Of the reader, in whose alphabet names are sorted. */
  language: Language;
}

/** ICU's collations have been in every PostgreSQL since version 10. */
const collations: Record<Language, string> = {
  'ar-EG': 'ar-x-icu',
  'en-US': 'en-x-icu',
  'ur-PK': 'ur-x-icu',
};

const sources: Record<SortColumn, string> = {
  number: 'number',
  service: 'service_id',
  agency: 'agency_id',
  applicant: 'applicant_name',
  status: 'status_id',
  total: 'total',
  holder: 'holder_id',
};

// Ids are replaced by what the reader sees in their place.
function valueOf({ column, places, language }: ListOrder): Record<'value' | 'join', Sql<unknown>> {
  const collation = sql.raw(`"${collations[language]}"`);
  if (column === 'holder')
    return {
      value: sql`users.full_name collate ${collation}`,
      join: sql`left join users on users.id = matching.source`,
    };
  if (column === 'applicant')
    return { value: sql`matching.source collate ${collation}`, join: sql`` };
  if (!places) return { value: sql`matching.source`, join: sql`` };
  return {
    value: sql`places.place`,
    join: sql`
      left join unnest(${[...places.keys()]}::int[], ${[...places.values()]}::int[])
        as places (id, place) on places.id = matching.source`,
  };
}

/**
 * One page of a list in the order of a column without an index, and its total. It reads every
 * request of the list, so callers limit how many run at the same time. Requests without a value
 * come last; of equal ones the newest come first.
 */
export function selectSortedPage(
  database: Database,
  filter: ListFilter,
  page: Page,
  { order, ...others }: { order: ListOrder; total: Total; readerId: string | null },
): Promise<FoundPage> {
  const source = sql.raw(`requests.${sources[order.column]}`);
  const parts = unionOfParts(
    filter,
    sql``,
    sql`requests.id, requests.created_at, ${source} as source`,
  );
  const { value, join } = valueOf(order);
  const direction = sql.raw(page.order);
  const skip = skipOf(page);
  const end = skip + page.take;
  const ids = sql`
    select matching.id, matching.created_at, ${value} as value
    from (${parts}) as matching
    ${join}
    order by value ${direction} nulls last, matching.created_at desc, matching.id desc
    limit ${literal(page.take, end)}
    offset ${literal(skip, end)}`;
  const ending = sql`order by page.value ${direction} nulls last, page.created_at desc, page.id desc`;
  return selectRows(database, { ids, total: others.total, ending }, page, others.readerId);
}
