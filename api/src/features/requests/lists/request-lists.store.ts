import { isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database } from '#platform/database/database.ts';
import { columnsOf, selectList, sql, type RowsOf, type Sql } from '#platform/database/sql.ts';
import { onePlanMark } from '#platform/database/statement-names.ts';
import { utcText } from '#platform/database/utc-text.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { senderNameAr, type VisibilityCondition } from '../model/requests.store.ts';
import { unionOfParts, wholePart, type ListFilter } from './list-filter.store.ts';

export interface Page {
  pageNumber: number;
  take: number;
  order: 'asc' | 'desc';
  /** By the time of sending, unless by the due day. Requests without a due day come last. */
  by?: 'sent' | 'due';
  /** How many requests come before the page; by default its number says it. */
  skip?: number;
}

/** A page with the number of requests in its list. */
export interface FoundPage {
  rows: ListedRow[];
  count: number;
}

/** A select of one row with the column `count`. */
export type Total = Sql<{ count: number }>;

/** Where the total is known, or not asked for. */
export const noTotal: Total = sql`select 0 as count`;

const mostPlanned = 100;
const steps = [10, 20, 50, mostPlanned];

/**
 * How many rows are read for a page. PostgreSQL keeps the plan of a prepared statement only when it
 * knows how many rows its parts read. The first pages read as many as one of a few numbers; those of
 * later pages would make a statement for each page.
 */
export const rowsUpTo = (pageEnd: number): Sql<number> => {
  const step = steps.find((rows) => rows >= pageEnd);
  return step === undefined ? sql<number>`${pageEnd}` : sql.raw(step);
};

/** A number of rows that is the same for all first pages; the later ones have others. */
export const literal = (rows: number, pageEnd: number): Sql<number> =>
  pageEnd <= mostPlanned ? sql.raw(rows) : sql<number>`${rows}`;

const reverseOf = { asc: 'desc', desc: 'asc' } as const;

/**
 * The order of a list. Requests of the same time are ordered by id: none is on two pages. Of the
 * same due day, the newest come first.
 */
export const orderOf = ({ order, by }: Page, table = ''): Sql<unknown> => {
  const sent = by === 'due' ? reverseOf[order] : order;
  return sql.raw(
    `order by ${by === 'due' ? `${table}due_on ${order} nulls last, ` : ''}` +
      `${table}created_at ${sent}, ${table}id ${sent}`,
  );
};

/** How many requests come before a page. */
export const skipOf = ({ skip, pageNumber, take }: Page): number => skip ?? (pageNumber - 1) * take;

const rowColumns = selectList({
  ...columnsOf('requests', [
    'id',
    'number',
    'service_id',
    'agency_id',
    'workflow_id',
    'status_id',
    'version',
    'total',
    'applicant_name',
    'sent_by',
    'acted_for',
    'user_id',
    'company_id',
    'partner_id',
    'holder_id',
    'approver_id',
    'objection_until',
    'hold_reason',
    'hold_until',
    'promised_on',
    'due_on',
    'calendar_id',
  ]),
  holder_name: sql<string | null>`holder.full_name`,
  holder_name_ar: sql<string | null>`holder.full_name_ar`,
  sent_by_ar: senderNameAr,
  created_at: utcText('requests.created_at'),
  updated_at: utcText('requests.updated_at'),
  /** The paid amount, in fils; 0 when there is nothing to pay. */
  paid: sql<number>`case
    when requests.total > 0 then (
      select coalesce(sum(amount), 0)::bigint
      from payments
      where payments.request_id = requests.id
        and payments.status = 'paid'
    )
    else 0
  end`,
});

/** A request of a list, with what its description needs of other tables. */
export type ListedRow = RowsOf<typeof rowColumns> & {
  /** Whether the reader has acted on it at a counter, for its owner. */
  acted_at_counter: boolean;
};

const actedAtCounter = (readerId: string | null): Sql<boolean> =>
  readerId === null
    ? sql`false`
    : sql`exists (
      select
      from request_history
      where request_id = requests.id
        and actor_id = ${readerId}
        and acted_for ->> 'by' = 'counter'
    )`;

/**
 * One page of a list and its total, for a reader, in one statement. `ids` selects the ids of the
 * page; only their rows are read completely. `before` are common table expressions of both,
 * `ending` is an order by columns of `ids`, named `page`.
 */
export async function selectRows(
  database: Database,
  {
    before = sql``,
    ids,
    total,
    ending,
  }: Record<'ids' | 'total', Sql<unknown>> & Partial<Record<'before' | 'ending', Sql<unknown>>>,
  page: Page,
  readerId: string | null,
): Promise<FoundPage> {
  const { rows } = await sql<Partial<ListedRow> & { total_count: number }>`
    ${before}
    select ${rowColumns},
      ${actedAtCounter(readerId)} as acted_at_counter,
      counted.count as total_count
    from (${total}) as counted
    left join (${ids}) as page on true
    left join requests on requests.id = page.id
    left join users as holder on holder.id = requests.holder_id
    ${ending ?? orderOf(page, 'requests.')}
    ${skipOf(page) + page.take <= mostPlanned ? sql.raw(onePlanMark) : sql``}
  `.execute(database);
  return {
    // A page without requests has one row, with the total alone.
    rows: rows.filter((row): row is ListedRow & { total_count: number } => row.id !== null),
    count: rows[0]?.total_count ?? 0,
  };
}

// The index of due days holds the requests in progress alone, of all statuses. The others are read
// when those do not fill the page.
function pageByDue(filter: ListFilter, page: Page): Record<'before' | 'ids', Sql<unknown>> {
  const skip = skipOf(page);
  const end = skip + page.take;
  const { statusIds, ...others } = filter;
  const inStatuses = statusIds && sql`and requests.status_id = any(${statusIds}::int[])`;
  const dated = unionOfParts(
    others,
    sql`and requests.due_on is not null ${inStatuses ?? sql``} ${orderOf(page)} limit ${rowsUpTo(end)}`,
    'id, due_on, created_at',
  );
  const undated = unionOfParts(
    filter,
    sql`
      and requests.due_on is null
      and (select count(*) from dated) < ${rowsUpTo(end)}
      ${orderOf({ ...page, by: 'sent', order: reverseOf[page.order] })}
      limit ${rowsUpTo(end)}`,
    'id, due_on, created_at',
  );
  return {
    before: sql`
      with dated as materialized (
        select id, due_on, created_at
        from (${dated}) as found
        ${orderOf(page)}
        limit ${rowsUpTo(end)}
      )`,
    ids: sql`
      select id
      from (select id, due_on, created_at from dated union all ${undated}) as matching
      ${orderOf(page)}
      limit ${page.take}
      offset ${skip}`,
  };
}

/** One page of a list without keywords, and its total, for a reader. */
export function selectPage(
  database: Database,
  filter: ListFilter,
  page: Page,
  { total, readerId }: { total: Total; readerId: string | null },
): Promise<FoundPage> {
  if (page.by === 'due')
    return selectRows(database, { ...pageByDue(filter, page), total }, page, readerId);
  const skip = skipOf(page);
  const end = skip + page.take;
  const ids = sql`
    select id
    from (${unionOfParts(filter, sql`${orderOf(page)} limit ${rowsUpTo(end)}`)}) as matching
    ${orderOf(page)}
    limit ${page.take}
    offset ${skip}`;
  return selectRows(database, { ids, total }, page, readerId);
}

/** The number of requests in a list without keywords, counted up to `maximum`. */
export const countUpTo = (filter: ListFilter, maximum: number): Total => sql`
  select count(*)::int as count
  from (
    select 1
    from (${unionOfParts(filter, wholePart)}) as matching
    limit ${sql.raw(maximum)}
  ) as counted`;

/** A total alone, for lists that are read from their end. */
export async function selectTotal(database: Database, total: Total): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count
    from (${total}) as counted
    ${sql.raw(onePlanMark)}
  `.execute(database);
  return rows[0]?.count ?? 0;
}

/** Whether there is a request with this phone number. */
export async function hasRequests(database: Database, phoneNumber: string): Promise<boolean> {
  const row = await database
    .selectFrom('requests')
    .select('id')
    .where('phone_number', '=', phoneNumber)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The names of the services that are deleted, and of these. */
export function selectServiceNames(
  database: Database,
  ids: readonly number[] = [],
): Promise<{ id: number; name: LocalizedText; agency_id: number }[]> {
  return database
    .selectFrom('services')
    .select(['id', 'name', 'agency_id'])
    .where((eb) =>
      eb.or([eb('deleted_at', 'is not', null), eb('id', '=', eb.fn.any(eb.val([...ids])))]),
    )
    .execute();
}

/** The names of all agencies, retired ones included. */
export function selectAgencyNames(
  database: Database,
): Promise<{ id: number; name: LocalizedText; logo: string }[]> {
  return database.selectFrom('agencies').select(['id', 'name', 'logo']).execute();
}

/** The agencies of which a request has reached the partner. Counts name those that can be. */
export async function selectAgenciesOfProvider(
  database: Database,
  partnerId: number,
): Promise<number[]> {
  const { rows } = await sql<{ agency_id: number }>`
    select agency_id
    from (
      select distinct agency_id
      from request_counts
      where partner_id = ${partnerId}
    ) as counted
    where exists (
      select
      from requests
      where requests.partner_id = ${partnerId}
        and requests.came_to_provider
        and requests.agency_id = counted.agency_id
    )
  `.execute(database);
  return rows.map((row) => row.agency_id);
}

/** The services that belonged to one of these agencies before; of all agencies, all that have moved. */
export function selectFormerServices(
  database: Database,
  scope: AgencyScope,
): Promise<{ service_id: number; agency_id: number }[]> {
  return database
    .selectFrom('former_agencies')
    .select(['service_id', 'agency_id'])
    .where(isInScope(scope, sql`agency_id`))
    .execute();
}

/** Those of these services that have a request which the caller sees, in their order. */
export async function selectUsedServices(
  database: Database,
  serviceIds: readonly number[],
  { visible, maximum }: { visible: VisibilityCondition; maximum: number },
): Promise<number[]> {
  // The limit makes PostgreSQL read one request of each service, not all requests.
  const { rows } = await sql<{ id: number }>`
    select candidates.id
    from unnest(${[...serviceIds]}::int[]) with ordinality as candidates (id, place)
    cross join lateral (
      select
      from requests
      where requests.service_id = candidates.id
        -- guard: services without a request of the caller (moved-service)
        and ${visible}
      limit 1
    ) as used
    order by candidates.place
    limit ${maximum}`.execute(database);
  return rows.map(({ id }) => id);
}

/** The services of which a request has reached the partner: one read of the index `requests_partner`. */
export async function selectServicesOfProvider(
  database: Database,
  partnerId: number,
): Promise<number[]> {
  const { rows } = await sql<{ service_id: number }>`
    select distinct service_id
    from requests
    where partner_id = ${partnerId}
      and came_to_provider
  `.execute(database);
  return rows.map((row) => row.service_id);
}
