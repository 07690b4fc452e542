import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { containsPattern, likePattern } from '../../../platform/database/keyword-search.ts';
import type { VisibilityCondition } from '../model/requests.store.ts';
import type { SummaryRow } from '../record/request-summary.ts';

/** A request of a list, with what its description needs of other tables. */
export interface ListedRow extends SummaryRow {
  /** The paid amount, in fils. */
  paid: number;
  /** The working days that were promised, and when they began: when it was last created, paid or corrected. */
  working_days: number;
  begun_at: Date | null;
  /** Whether the reader has acted on it at a counter, for its owner. */
  acted_at_counter: boolean;
}

/** Which requests a list contains; every keyword must be found. */
export interface ListFilter {
  /**
   * Conditions on `requests` of which exactly one holds for each request of the list. Without a
   * condition the list is empty.
   */
  visibility: readonly VisibilityCondition[];
  statusIds?: readonly number[] | undefined;
  holderId?: string;
  from?: Date | undefined;
  before?: Date | undefined;
  keywords?: readonly Keyword[];
  number?: string;
  phoneNumber?: string;
  hasRefundableFees?: boolean | undefined;
  isRefunded?: boolean | undefined;
}

/** A normalized word, and the services in whose names it occurs. */
export interface Keyword {
  text: string;
  serviceIds: readonly number[];
}

export interface Page {
  pageNumber: number;
  take: number;
  order: 'asc' | 'desc';
  /** How many requests come before the page; by default its number says it. */
  skip?: number;
}

function containsKeyword(
  { text, serviceIds }: Keyword,
  contains = containsPattern,
): RawBuilder<SqlBool> {
  const byText = contains(sql`requests.search_text`, likePattern(text));
  return serviceIds.length === 0
    ? byText
    : sql`(requests.service_id = any(${serviceIds}::int[]) or ${byText})`;
}

function conditions(filter: ListFilter): RawBuilder<SqlBool>[] {
  return [
    ...(filter.holderId === undefined
      ? []
      : [sql<SqlBool>`requests.holder_id = ${filter.holderId}`]),
    ...(filter.from === undefined ? [] : [sql<SqlBool>`requests.created_at >= ${filter.from}`]),
    ...(filter.before === undefined ? [] : [sql<SqlBool>`requests.created_at < ${filter.before}`]),
    ...(filter.number === undefined ? [] : [sql<SqlBool>`requests.number = ${filter.number}`]),
    ...(filter.phoneNumber === undefined
      ? []
      : [sql<SqlBool>`requests.phone_number = ${filter.phoneNumber}`]),
    ...(filter.hasRefundableFees === undefined
      ? []
      : [
          filter.hasRefundableFees
            ? sql<SqlBool>`requests.refundable > 0`
            : sql<SqlBool>`requests.refundable = 0`,
        ]),
    ...(filter.isRefunded === undefined
      ? []
      : [
          filter.isRefunded
            ? sql<SqlBool>`(requests.refundable > 0 and requests.refunded = requests.refundable)`
            : sql<SqlBool>`(requests.refunded < requests.refundable or requests.refundable = 0)`,
        ]),
    ...(filter.keywords ?? []).map((keyword) => containsKeyword(keyword)),
  ];
}

/**
 * One select for each visibility condition and each status; their results do not overlap. Each
 * select reads an index that has its requests in order, and PostgreSQL merges them. One condition
 * with `in` or `or` for all of them would sort the whole list for every page. `ending` is the end of
 * each select, such as its order and limit.
 */
function unionOfParts(
  filter: ListFilter,
  ending = sql``,
  columns = sql`requests.id, requests.created_at`,
): RawBuilder<{ id: number; created_at: Date }> {
  const shared = conditions(filter);
  const statuses = filter.statusIds
    ? [...new Set(filter.statusIds)].map((statusId) => [
        sql<SqlBool>`requests.status_id = ${statusId}`,
      ])
    : [[]];
  const parts = filter.visibility.flatMap((visible) =>
    statuses.map(
      (status) => sql`(
        select ${columns}
        from requests
        where ${sql.join([visible, ...status, ...shared], sql` and `)}
        ${ending}
      )`,
    ),
  );
  return parts.length === 0
    ? sql`(select ${columns} from requests where false)`
    : sql`${sql.join(parts, sql` union all `)}`;
}

// PostgreSQL keeps the plan of a prepared statement only when it knows how many rows are read. The
// first pages have few such numbers; those of later pages would make a statement for each page.
const literal = (rows: number, needed = rows): RawBuilder<number> =>
  needed <= 100 ? sql.lit(rows) : sql<number>`${rows}`;

// How many entries of a list are searched for keywords in its own index, which finds a frequent word
// at once. A rare word needs another plan: PostgreSQL assumes that a word is spread evenly, and would
// read all newer requests for a word of old ones.
const nearEntries = (needed: number) => 5000 + 10 * needed;

/**
 * Those of the first entries of a list that contain the keywords, in the order of the list. The
 * index of the list has all columns that are read.
 */
function findNear(
  filter: ListFilter,
  needed: number,
  orderBy: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { keywords = [], ...list } = filter;
  const limited = sql`${orderBy} limit ${literal(nearEntries(needed), needed)}`;
  const columns = sql`
    requests.id, requests.created_at, requests.service_id, requests.search_text
  `;
  const isLike = (text: RawBuilder<unknown>, pattern: string) =>
    sql<SqlBool>`${text} like ${pattern}`;
  const contained = keywords.map((keyword) => containsKeyword(keyword, isLike));
  return sql`
    select id, created_at
    from (
      select *
      from (${unionOfParts(list, limited, columns)}) as listed
      ${limited}
    ) as requests
    where ${sql.join(contained, sql` and `)}
    ${orderBy}
    limit ${literal(needed)}
  `;
}

/**
 * One page of a list, for a reader. Requests of the same time are ordered by id, so that no request is on two
 * pages. Only the rows of the page are read completely.
 */
export async function selectSummaries(
  database: Database,
  filter: ListFilter,
  page: Page,
  readerId: string | null,
): Promise<ListedRow[]> {
  const skip = page.skip ?? (page.pageNumber - 1) * page.take;
  const direction = sql.raw(page.order);
  const orderBy = sql`order by created_at ${direction}, id ${direction}`;
  const select = (matching: RawBuilder<unknown>): Promise<ListedRow[]> =>
    database
      .selectFrom(
        sql<{ id: number }>`(
          select id
          from (${matching}) as matching
          ${orderBy}
          limit ${literal(page.take)}
          offset ${literal(skip)}
        )`.as('page'),
      )
      .innerJoin('requests', 'requests.id', 'page.id')
      .innerJoin('services', 'services.id', 'requests.service_id')
      .innerJoin('agencies', 'agencies.id', 'services.agency_id')
      .leftJoin('users as holder', 'holder.id', 'requests.holder_id')
      .select([
        'requests.id',
        'requests.number',
        'requests.service_id',
        'requests.workflow_id',
        'requests.status_id',
        'requests.version',
        'requests.total',
        'requests.applicant_name',
        'requests.sent_by',
        'requests.acted_for',
        'requests.user_id',
        'requests.company_id',
        'requests.partner_id',
        'requests.holder_id',
        'holder.full_name as holder_name',
        'requests.created_at',
        'requests.updated_at',
        'services.name as service_name',
        'agencies.id as agency_id',
        'agencies.name as agency_name',
        'agencies.logo as agency_logo',
        'requests.working_days',
      ])
      .select([
        sql<number>`(
          select coalesce(sum(amount), 0)::bigint
          from payments
          where payments.request_id = requests.id
            and payments.status = 'paid'
        )`.as('paid'),
        sql<Date | null>`(
          select max(at)
          from request_history
          where request_history.request_id = requests.id
            and action in ('create', 'pay', 'update')
        )`.as('begun_at'),
        sql<boolean>`exists (
          select
          from request_history
          where request_history.request_id = requests.id
            and actor_id = ${readerId}
            and acted_for ->> 'by' = 'counter'
        )`.as('acted_at_counter'),
      ])
      .orderBy('requests.created_at', page.order)
      .orderBy('requests.id', page.order)
      .execute();
  if (!filter.keywords?.length)
    return select(unionOfParts(filter, sql`${orderBy} limit ${literal(skip + page.take)}`));
  const near = await select(findNear(filter, skip + page.take, orderBy));
  if (near.length === page.take) return near;
  // `offset 0` makes PostgreSQL find all matches before it sorts them. With the limit inside, it
  // would read all newer requests for a word of old ones.
  return select(sql`
    select id, created_at
    from (
      select *
      from (${unionOfParts(filter)}) as found
      offset 0
    ) as found
  `);
}

/** The number of requests in a list, counted up to `maximum`. */
export async function countRequests(
  database: Database,
  filter: ListFilter,
  maximum: number,
): Promise<number> {
  const count = async (matching: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from (
        select 1
        from (${matching}) as matching
        limit ${maximum}
      ) as counted
    `.execute(database);
    return rows[0]?.count ?? 0;
  };
  if (filter.keywords?.length) {
    const near = await count(findNear(filter, maximum, sql`order by created_at desc, id desc`));
    if (near === maximum) return maximum;
  }
  return count(unionOfParts(filter));
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
