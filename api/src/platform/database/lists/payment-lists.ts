import type { SqlBool } from 'kysely';
import { checkDayOrder, ValidationRefusal } from '#platform/core/refusals.ts';
import type { PaymentMethod } from '@diwan/contract/requests/payments';
import { endOfDay, startOfDay } from '@diwan/contract/wire/days';
import { cleanIdentifier } from '@diwan/contract/wire/typed-text';
import type { Database } from '../database.ts';
import { type Sql, sql } from '../sql.ts';

/** The filters of a list, as `paymentFilter` of the contract has them. */
export interface PaymentFilter {
  Keyword?: string | undefined;
  From?: string | undefined;
  Until?: string | undefined;
  AgencyId?: number | undefined;
  Provider?: string | undefined;
  Method?: PaymentMethod | undefined;
  MinAmount?: number | undefined;
  MaxAmount?: number | undefined;
  State?: string | undefined;
}

/** A list of rows with money, as statements read it, filter it and add it up. */
export interface PaymentList {
  columns: Sql<unknown>;
  /** The tables, as they follow `from`. */
  tables: Sql<unknown>;
  /** The time of a row, or its day in Asia/Dubai. */
  at: { time: Sql<unknown> } | { day: Sql<unknown> };
  agencyId: Sql<unknown>;
  /** Which rows the reader may see; by default all. */
  within?: Sql<unknown> | undefined;
  provider: Sql<unknown>;
  method: Sql<unknown>;
  state: Sql<unknown>;
  /** The amount by which it is filtered, never negative. */
  amount: Sql<unknown>;
  /** The amount that is added up, where it is another one. */
  sum?: Sql<unknown>;
  currency: Sql<unknown>;
  /** The ids of the rows that a number in its plain form belongs to, as a `select`. */
  byNumber: (plain: string) => Sql<unknown>;
  /** The rows that are shown without a chosen state; by default all. */
  unlessState?: Sql<unknown>;
  /** The order in front of `ties`. */
  order: Sql<unknown>;
  ties: Sql<unknown>;
  /** The number of a row, by which an export goes through the list. */
  id: Sql<unknown>;
}

/** The name of the agency of a row, in every language, for a list that reads `requests`. */
export const agencyName = sql`(select name from agencies where id = requests.agency_id) as agency`;

/** A number or a reference as `plain_number` of the database has it; empty without letters or digits. */
export const plainNumber = (typed: string): string =>
  cleanIdentifier(typed)
    .replace(/[\s\-_/.:#%\\‐-―]/g, '')
    .toUpperCase();

/** A condition that a text contains a plain number, in any spelling. */
export const containsNumber = (text: Sql<unknown>, plain: string): Sql<SqlBool> =>
  sql<SqlBool>`plain_number(${text}) like (select '%' || ${plain}::text || '%')`;

/** The ids of requests by their numbers, or by those of their credit notes and certificates. */
export const requestsByNumber = (plain: string): Sql<unknown> => sql`
  select requests.id
  from requests
  where ${containsNumber(sql`requests.number`, plain)}
  union all
  select request_id
  from invoices
  where ${containsNumber(sql`invoices.number`, plain)}
    and refund_id is not null
  union all
  select request_id
  from certificates
  where ${containsNumber(sql`certificates.number`, plain)}`;

/**
 * The ids of payments by their references, by the numbers of their invoices and receipts, or by what
 * finds their request.
 */
export const paymentsByNumber = (plain: string): Sql<unknown> => sql`
  select payment_id
  from invoices
  where ${containsNumber(sql`invoices.number`, plain)}
    and payment_id is not null
  union all
  select payments.id
  from payments
  where ${containsNumber(sql`payments.merchant_reference`, plain)}
  union all
  select payments.id
  from payments
  where provider_reference is not null
    and ${containsNumber(sql`payments.provider_reference`, plain)}
  union all
  select payments.id
  from payments
  where request_id in (${requestsByNumber(plain)})`;

function matchesNumber({ id, byNumber }: PaymentList, keyword: string): Sql<SqlBool> {
  const plain = plainNumber(keyword);
  return plain === '' ? sql<SqlBool>`false` : sql<SqlBool>`${id} in (${byNumber(plain)})`;
}

function isInPeriod({ at }: PaymentList, { From, Until }: PaymentFilter): Sql<unknown>[] {
  if ('day' in at)
    return [
      ...(From ? [sql`${at.day} >= ${From}::date`] : []),
      ...(Until ? [sql`${at.day} <= ${Until}::date`] : []),
    ];
  return [
    ...(From ? [sql`${at.time} >= ${startOfDay(From)}`] : []),
    ...(Until ? [sql`${at.time} < ${endOfDay(Until)}`] : []),
  ];
}

function conditionOf(list: PaymentList, filter: PaymentFilter): Sql<unknown> {
  const { Keyword, AgencyId, Provider, Method, MinAmount, MaxAmount, State } = filter;
  const conditions = [
    ...isInPeriod(list, filter),
    ...(list.within ? [list.within] : []),
    ...(AgencyId === undefined ? [] : [sql`${list.agencyId} = ${AgencyId}`]),
    ...(Provider === undefined ? [] : [sql`${list.provider} = ${Provider}`]),
    ...(Method === undefined ? [] : [sql`${list.method} = ${Method}`]),
    ...(MinAmount === undefined ? [] : [sql`${list.amount} >= ${MinAmount}`]),
    ...(MaxAmount === undefined ? [] : [sql`${list.amount} <= ${MaxAmount}`]),
    ...(State === undefined
      ? [list.unlessState ?? sql`true`]
      : [sql`${list.state} = ${State}::text`]),
    ...(Keyword ? [matchesNumber(list, Keyword)] : []),
  ];
  return sql.join(conditions, ' and ');
}

/** Throws a `ValidationRefusal` of a period or of amounts that end before they begin. */
export function checkPaymentFilter({ MinAmount, MaxAmount, ...days }: PaymentFilter): void {
  checkDayOrder(days);
  if (MinAmount !== undefined && MaxAmount !== undefined && MaxAmount < MinAmount)
    throw new ValidationRefusal([
      { field: 'MaxAmount', code: 'tooSmall', params: { minimum: MinAmount } },
    ]);
}

/**
 * One page of a list with the number and the sum of all its rows by currency. Throws a
 * `ValidationRefusal`.
 */
export async function selectPaymentPage<Row>(
  database: Database,
  list: PaymentList,
  { PageNumber, Take, ...filter }: PaymentFilter & { PageNumber: number; Take: number },
): Promise<{
  items: Row[];
  pageNumber: number;
  totalCount: number;
  sums: { currency: string; count: number; amount: number }[];
}> {
  checkPaymentFilter(filter);
  const condition = conditionOf(list, filter);
  const [{ rows: items }, { rows: sums }] = await Promise.all([
    sql<Row>`
      select ${list.columns}
      from ${list.tables}
      where ${condition}
      order by ${list.order}, ${list.ties}
      limit ${Take}
      offset ${(PageNumber - 1) * Take}`.execute(database),
    sql<{ currency: string; count: number; amount: number }>`
      select ${list.currency} as currency, count(*)::int as count,
        coalesce(sum(${list.sum ?? list.amount}), 0)::bigint as amount
      from ${list.tables}
      where ${condition}
      group by 1
      order by 1`.execute(database),
  ]);
  const totalCount = sums.reduce((count, sum) => count + sum.count, 0);
  return { items, pageNumber: PageNumber, totalCount, sums };
}

const batch = 500;

/** All rows of a filtered list that `checkPaymentFilter` accepts, by their ids, in batches. */
export async function* readPaymentList<Row>(
  database: Database,
  list: PaymentList,
  filter: PaymentFilter,
): AsyncGenerator<Row[]> {
  const condition = conditionOf(list, filter);
  for (let last = 0; ;) {
    const { rows } = await sql<Row & { place: number }>`
      select ${list.columns}, ${list.id}::bigint as place
      from ${list.tables}
      where ${condition}
        and ${list.id} > ${last}
      order by ${list.id}
      limit ${batch}`.execute(database);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    last = rows.at(-1)?.place ?? last;
  }
}

/** A row without the columns that are null. */
export const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
