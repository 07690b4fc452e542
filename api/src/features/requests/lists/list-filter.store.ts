import type { SqlBool } from 'kysely';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { ListFigure } from '@diwan/contract/requests/request-lists';
import {
  conditionOf,
  isAnyTrue,
  type Visibility,
  type VisibilityCondition,
} from '../model/requests.store.ts';

/** Requests that were ended or paid for within a time. */
export interface FigureFilter {
  kind: Exclude<ListFigure, 'open' | 'waiting'>;
  from: Date | undefined;
  before: Date | undefined;
  by: string | undefined;
}

const between = (
  column: string,
  { from, before }: Pick<FigureFilter, 'from' | 'before'>,
): Sql<SqlBool>[] => [
  ...(from ? [sql<SqlBool>`${sql.raw(column)} >= ${from}`] : []),
  ...(before ? [sql<SqlBool>`${sql.raw(column)} < ${before}`] : []),
];

const isPaid = (filter: FigureFilter): Sql<SqlBool> => sql`
  requests.id in (
    select payments.request_id
    from payment_events
    join payments on payments.id = payment_events.payment_id
    where ${sql.join(
      [
        sql`payments.status = 'paid' and payment_events.kind = 'paid'`,
        ...between('payment_events.occurred_at', filter),
      ],
      ' and ',
    )}
      and not exists (
        select
        from payment_events as earlier
        where earlier.payment_id = payment_events.payment_id
          and earlier.kind = 'paid'
          and earlier.occurred_at < payment_events.occurred_at
      )
  )`;

function figureCondition(filter: FigureFilter): Sql<SqlBool> {
  const { kind, by } = filter;
  if (kind === 'paid') return isPaid(filter);
  return sql`exists (
    select
    from request_history as ending
    join workflow_ends
      on workflow_ends.status_id = ending.to_status_id
      and workflow_ends.workflow_id = requests.workflow_id
    where ${sql.join(
      [
        sql`ending.request_id = requests.id`,
        sql`ending.from_status_id is distinct from ending.to_status_id`,
        sql`workflow_ends.tone = ${kind === 'refused' ? 'refused' : 'done'}`,
        ...between('ending.at', filter),
        ...(by === undefined ? [] : [sql`ending.actor_id = ${by}`]),
        ...(kind === 'doneLate'
          ? [
              sql`exists (
                select
                from request_facts
                where request_id = requests.id
                  and source_id = ending.id
                  and kind = 'done'
                  and days_late > 0
              )`,
            ]
          : []),
      ],
      ' and ',
    )}
  )`;
}

/** The conditions on `requests` of a figure of a period, and of the partner or the company whose figure it is. */
const figureConditions = ({
  partnerId,
  companyId,
  figure,
}: {
  partnerId?: number | undefined;
  companyId?: number | undefined;
  figure?: FigureFilter | undefined;
}): Sql<SqlBool>[] => [
  ...(partnerId === undefined
    ? []
    : [sql<SqlBool>`(requests.partner_id = ${partnerId} and requests.came_to_provider)`]),
  ...(companyId === undefined ? [] : [sql<SqlBool>`requests.company_id = ${companyId}`]),
  ...(figure === undefined ? [] : [figureCondition(figure)]),
];

/** Which requests a list contains. */
export interface ListFilter {
  /** Exactly one holds for each request of the list. Without one the list is empty. */
  visibility: readonly Visibility[];
  statusIds?: readonly number[] | undefined;
  /** `null`: nobody holds it. */
  holderId?: string | null | undefined;
  serviceId?: number | undefined;
  /** Of the request, not of its service. */
  agencyId?: number | undefined;
  /** The work of a team. */
  work?: VisibilityCondition | undefined;
  /** Due days as YYYY-MM-DD, both included. */
  dueFrom?: string | undefined;
  dueTo?: string | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
  number?: string;
  phoneNumber?: string;
  hasRefundableFees?: boolean | undefined;
  isRefunded?: boolean | undefined;
  /** Requests that have reached this partner. */
  partnerId?: number | undefined;
  companyId?: number | undefined;
  figure?: FigureFilter | undefined;
}

function conditions(filter: Omit<ListFilter, 'visibility'>): Sql<SqlBool>[] {
  return [
    ...(filter.holderId === undefined
      ? []
      : [
          filter.holderId === null
            ? sql<SqlBool>`requests.holder_id is null`
            : sql<SqlBool>`requests.holder_id = ${filter.holderId}`,
        ]),
    ...(filter.serviceId === undefined
      ? []
      : [sql<SqlBool>`requests.service_id = ${filter.serviceId}`]),
    ...(filter.agencyId === undefined
      ? []
      : [sql<SqlBool>`requests.agency_id = ${filter.agencyId}`]),
    ...figureConditions(filter),
    ...(filter.dueFrom === undefined
      ? []
      : [sql<SqlBool>`requests.due_on >= ${filter.dueFrom}::date`]),
    ...(filter.dueTo === undefined ? [] : [sql<SqlBool>`requests.due_on <= ${filter.dueTo}::date`]),
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
  ];
}

/** How the selects of several agencies and statuses are put together. */
type Joined = 'separately' | 'merged' | 'unordered';

/** A value of a parameter for each of which a select is made: the name of the list and its values. */
interface EachOf {
  name: 'in_agency' | 'in_status';
  ids: readonly number[];
}

/** A select for each id of the lists, which its conditions name. */
const selectForEach = (rows: Sql<unknown>, each: readonly EachOf[], columns: string) =>
  each.length === 0
    ? rows
    : sql`
      select ${sql.raw(columns)}
      from ${sql.join(
        each.map(({ name, ids }) => {
          const list = sql.raw(`${name}_list (${name})`);
          return sql`unnest(${ids}::int[]) as ${list}`;
        }),
        ' cross join ',
      )}
      cross join lateral (${rows}) as part`;

/**
 * One select for each visibility and each status; their results do not overlap. Each select reads an
 * index that has its requests in order. One condition with `in` or `or` for all of them would sort the
 * whole list for every page. `select` makes a select of the conditions of its rows.
 *
 * `separately`, agencies and statuses are parameters: their number makes no other statement, of which
 * PostgreSQL keeps some hundred plans. `merged`, PostgreSQL reads all selects at the same time in their
 * order, and only as many rows as the statement needs. `unordered`, another index finds the requests, and
 * agencies are one condition. A number or a phone number has few requests, read by its index.
 */
export function partsOf(
  filter: ListFilter,
  columns: string,
  select: (conditions: Sql<unknown>) => Sql<unknown>,
  joined: Joined = 'separately',
): Sql<unknown> {
  const { visibility, work } = filter;
  const statusIds = filter.statusIds && [...new Set(filter.statusIds)];
  const shared = [...conditions(filter), ...(work === undefined ? [] : [work])];
  const selectOf = (...own: Sql<SqlBool>[]) => select(sql.join([...own, ...shared], ' and '));
  const isAnyStatus = statusIds && [sql<SqlBool>`requests.status_id = any(${statusIds}::int[])`];
  if (isOfFew(filter))
    return selectOf(isAnyTrue(visibility.map(conditionOf)), ...(isAnyStatus ?? []));
  const ofStatuses: Choice[] =
    statusIds === undefined ? [{}] : choicesOf('in_status', statusIds, joined);
  const selects = visibility.flatMap((each) =>
    choicesOfVisibility(each, joined).flatMap((agency) =>
      ofStatuses.map((status) => {
        const own = [agency, status].flatMap(({ condition }) => condition ?? []);
        const lists = [agency, status].flatMap(({ each: list }) => list ?? []);
        return selectForEach(selectOf(...own), lists, columns);
      }),
    ),
  );
  return unionAll(selects, columns);
}

/** A condition of a select, and the list that it names. */
interface Choice {
  condition?: Sql<SqlBool>;
  each?: EachOf;
}

const columnsOfLists = { in_agency: 'requests.agency_id', in_status: 'requests.status_id' };

/** A condition of several values makes a select for each, or one that is repeated for each. */
function choicesOf(name: EachOf['name'], ids: readonly number[], joined: Joined): Choice[] {
  const column = sql.raw(columnsOfLists[name]);
  if (ids.length < 2 || joined === 'merged')
    return ids.map((id) => ({ condition: sql`${column} = ${id}` }));
  return [{ condition: sql`${column} = ${sql.raw(`${name}_list.${name}`)}`, each: { name, ids } }];
}

// With more, a select for each that is merged would cost more than it saves.
const mostMerged = 8;

function choicesOfVisibility(visibility: Visibility, joined: Joined): Choice[] {
  if (!('agencyIds' in visibility)) return [{ condition: visibility }];
  const { agencyIds } = visibility;
  const isOne = joined === 'unordered' || (joined === 'merged' && agencyIds.length > mostMerged);
  if (isOne) return [{ condition: conditionOf(visibility) }];
  // guard: list of another agency (agency-scope) => [{ condition: sql`true` }]
  return choicesOf('in_agency', agencyIds, joined);
}

const unionAll = (selects: readonly Sql<unknown>[], columns: string): Sql<unknown> =>
  selects.length === 0
    ? sql`(select ${sql.raw(columns)} from requests where false)`
    : sql.join(
        selects.map((each) => sql`(${each})`),
        ' union all ',
      );

/** Whether a list has few requests, whatever else is asked for. */
const isOfFew = ({ number, phoneNumber }: ListFilter): boolean =>
  number !== undefined || phoneNumber !== undefined;

/** The requests of a list by `partsOf`; `ending` is the end of each select, such as its order and limit. */
export const unionOfParts = (
  filter: ListFilter,
  ending = sql``,
  columns = 'id, created_at',
  joined: Joined = 'separately',
): Sql<unknown> =>
  partsOf(
    filter,
    columns,
    (rows) => sql`select ${sql.raw(columns)} from requests where ${rows} ${ending}`,
    joined,
  );

/**
 * The end of selects that are read whole. PostgreSQL plans each for itself then, by the index of its list. It
 * would look for the first in another order by the index of that order, through the whole table.
 */
export const wholePart: Sql<unknown> = sql`offset 0`;
