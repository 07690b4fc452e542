import type { Database } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { SortColumn } from '@diwan/contract/requests/request-lists';
import type { Language } from '@diwan/contract/wire/languages';
import { unionOfParts, wholePart, type ListFilter } from './list-filter.store.ts';
import {
  rowsUpTo,
  selectRows,
  skipOf,
  type FoundPage,
  type Page,
  type Total,
} from './request-lists.store.ts';

/**
 * The places of services, agencies or statuses in an order, three bytes by id, so that thousands of
 * them are a small parameter of a statement. Ids with the same place are equal.
 */
export type Places = Buffer;

const bytesOfPlace = 3;
/** The place of ids that have none. */
const noPlace = 0xff_ff_ff;

export function packPlaces(places: ReadonlyMap<number, number>): Places {
  const last = [...places.keys()].reduce((one, other) => Math.max(one, other), 0);
  const packed = Buffer.alloc((last + 1) * bytesOfPlace, 0xff);
  for (const [id, place] of places) packed.writeUIntBE(place, id * bytesOfPlace, bytesOfPlace);
  return packed;
}

/** By what a list is sorted. `places` belong to columns that hold the id of what is shown. */
export interface ListOrder {
  column: SortColumn;
  places?: Places;
  /** Of the reader, in whose alphabet names are sorted. */
  language: Language;
}

const placeOf = (id: Sql<unknown>, places: Places): Sql<unknown> => sql`
  case
    when ${id} < ${places.length / bytesOfPlace}::int
    then nullif(
      get_byte(${places}::bytea, ${id} * 3) * 65536
        + get_byte(${places}::bytea, ${id} * 3 + 1) * 256
        + get_byte(${places}::bytea, ${id} * 3 + 2),
      ${sql.raw(noPlace)}
    )
  end`;

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
  const source = sql.raw(`matching.${sources[column]}`);
  const collation = sql.raw(`"${collations[language]}"`);
  if (column === 'holder')
    return {
      value: sql`users.full_name collate ${collation}`,
      join: sql`left join users on users.id = ${source}`,
    };
  if (column === 'applicant') return { value: sql`${source} collate ${collation}`, join: sql`` };
  return { value: places ? placeOf(source, places) : source, join: sql`` };
}

interface SortedRead {
  order: ListOrder;
  total: Total;
  /** A list of more requests is counted, and not read. */
  upTo?: number;
  readerId: string | null;
}

/**
 * One page of a list in the order of a column without an index, and its total. It reads every
 * request of the list, so callers limit how many long ones run at the same time. Requests without a
 * value come last; of equal ones the newest come first.
 */
export function selectSortedPage(
  database: Database,
  filter: ListFilter,
  page: Page,
  { order, upTo, readerId, ...counted }: SortedRead,
): Promise<FoundPage> {
  const parts = unionOfParts(filter, wholePart, `id, created_at, ${sources[order.column]}`);
  const { value, join } = valueOf(order);
  const direction = sql.raw(page.order);
  const before = upTo === undefined ? sql`` : sql`with total as materialized (${counted.total})`;
  const total =
    upTo === undefined ? counted.total : sql<{ count: number }>`select count from total`;
  const isRead =
    upTo === undefined
      ? sql``
      : sql`where (select count from total) between ${skipOf(page) + 1} and ${sql.raw(upTo)}`;
  const ids = sql`
    select id, created_at, value
    from (
      select matching.id, matching.created_at, ${value} as value
      from (${parts}) as matching
      ${join}
      ${isRead}
      order by value ${direction} nulls last, matching.created_at desc, matching.id desc
      limit ${rowsUpTo(skipOf(page) + page.take)}
    ) as first_ones
    order by value ${direction} nulls last, created_at desc, id desc
    limit ${page.take}
    offset ${skipOf(page)}`;
  const ending = sql`order by page.value ${direction} nulls last, page.created_at desc, page.id desc`;
  return selectRows(database, { before, ids, total, ending }, page, readerId);
}
