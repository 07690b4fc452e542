import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database } from '../../../platform/database/database.ts';
import type { KeptActedFor } from '../../../platform/database/database-types.ts';
import { holds, likeText } from '../../../platform/database/keyword-search.ts';
import type { Involved } from '../workflow/workflow.ts';
import type { Visible } from '../model/visibility.store.ts';

/** Which requests a list asks for; all words must be found. */
export interface ListFilter {
  /** Conditions on `requests` of which one must hold, and no two do; none at all finds nothing. */
  ways: readonly Visible[];
  statusIds?: readonly number[] | undefined;
  holderId?: string;
  from?: Date | undefined;
  before?: Date | undefined;
  words?: readonly SoughtWord[];
  number?: string;
  phoneNumber?: string;
  hasRefundableFees?: boolean | undefined;
  isRefunded?: boolean | undefined;
}

/** A normalised word, and the services in whose names it is. */
export interface SoughtWord {
  text: string;
  serviceIds: readonly number[];
}

export interface Page {
  pageNumber: number;
  take: number;
  order: 'asc' | 'desc';
  /** How many come before the page, where that is not told by its number. */
  skip?: number;
}

export interface SummaryRow extends Involved {
  id: number;
  number: string;
  service_id: number;
  workflow_id: number;
  status_id: number;
  version: number;
  total: number;
  applicant_name: string;
  holder_name: string | null;
  sent_by: string | null;
  acted_for: KeptActedFor | null;
  created_at: Date;
  updated_at: Date;
  service_name: LocalizedText;
  agency_id: number;
  agency_name: LocalizedText;
  agency_logo: string;
}

function found({ text, serviceIds }: SoughtWord, test = holds): RawBuilder<SqlBool> {
  const byText = test(sql`requests.search_text`, likeText(text));
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
    ...(filter.words ?? []).map((word) => found(word)),
  ];
}

/**
 * One select for each way to see and each status, in parts that do not meet: every one walks an
 * index that holds its requests in order, and PostgreSQL merges them. A condition with
 * `in` or `or` over all of them at once would be sorted whole for every page. `ending` is what each
 * part ends with; none has more of a page than the whole.
 */
function parts(
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
  const selects = filter.ways.flatMap((way) =>
    statuses.map(
      (status) =>
        sql`(select ${columns} from requests where ${sql.join([way, ...status, ...shared], sql` and `)} ${ending})`,
    ),
  );
  return selects.length === 0
    ? sql`(select ${columns} from requests where false)`
    : sql`${sql.join(selects, sql` union all `)}`;
}

// So far a word is looked for in the list itself, where a common one is found at once. One that is
// not has no index to stop it: PostgreSQL believes that what many requests have lies everywhere,
// and would walk through all newer ones for a word of long ago.
const nearEntries = (needed: number) => 5000 + 10 * needed;

/**
 * Those with the words among the first of a list, in its order; what is read of them is in the
 * index of the list.
 */
function near(
  filter: ListFilter,
  needed: number,
  inOrder: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { words = [], ...list } = filter;
  const within = sql`${inOrder} limit ${nearEntries(needed)}`;
  const plain = (text: RawBuilder<unknown>, pattern: string) =>
    sql<SqlBool>`${text} like ${pattern}`;
  return sql`select id, created_at from (select * from (${parts(list, within, sql`requests.id, requests.created_at, requests.service_id, requests.search_text`)}) as listed ${within}) as requests
    where ${sql.join(
      words.map((word) => found(word, plain)),
      sql` and `,
    )} ${inOrder} limit ${needed}`;
}

/**
 * One page; equal times are told apart by id, so that no request is on two pages. Only the rows of
 * the page are read whole.
 */
export async function selectSummaries(
  database: Database,
  filter: ListFilter,
  page: Page,
): Promise<SummaryRow[]> {
  const order = sql.raw(page.order);
  const skip = page.skip ?? (page.pageNumber - 1) * page.take;
  const inOrder = sql`order by created_at ${order}, id ${order}`;
  const select = async (wanted: RawBuilder<unknown>) =>
    (
      await sql<SummaryRow>`
    select requests.id, requests.number, requests.service_id, requests.workflow_id, requests.status_id, requests.version, requests.total, requests.applicant_name, requests.sent_by, requests.acted_for,
      requests.user_id, requests.company_id, requests.partner_id, requests.holder_id, holder.full_name as holder_name, requests.created_at, requests.updated_at,
      services.name as service_name, agencies.id as agency_id, agencies.name as agency_name, agencies.logo as agency_logo
    from (select id from (${wanted}) as wanted ${inOrder} limit ${page.take} offset ${skip}) as page
      join requests on requests.id = page.id join services on services.id = requests.service_id join agencies on agencies.id = services.agency_id left join users as holder on holder.id = requests.holder_id
    order by requests.created_at ${order}, requests.id ${order}`.execute(database)
    ).rows;
  const rows = filter.words?.length ? await select(near(filter, skip + page.take, inOrder)) : [];
  if (rows.length === page.take) return rows;
  // What has to be sorted whole is found first: with the limit inside, a word of long ago would be
  // walked to all the same.
  return select(
    filter.words?.length
      ? sql`select id, created_at from (select * from (${parts(filter)}) as found offset 0) as found`
      : parts(filter, sql`${inOrder} limit ${skip + page.take}`),
  );
}

/** How many there are, counted up to `most`. */
export async function countRequests(
  database: Database,
  filter: ListFilter,
  most: number,
): Promise<number> {
  const count = async (wanted: RawBuilder<unknown>) =>
    (
      await sql<{
        count: number;
      }>`select count(*)::int as count from (select 1 from (${wanted}) as wanted limit ${most}) as counted`.execute(
        database,
      )
    ).rows[0]?.count ?? 0;
  const counted = filter.words?.length
    ? await count(near(filter, most, sql`order by created_at desc, id desc`))
    : 0;
  return counted === most ? most : count(parts(filter));
}
