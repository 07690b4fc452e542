import type { Insertable, OperationNodeSource, Selectable } from 'kysely';
import type { Database, QueryBuilder, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { insertRows, type Sql, sql } from '#platform/database/sql.ts';

type NewHistory = Omit<Insertable<Tables['request_history']>, 'request_id'> & {
  request_id: number | OperationNodeSource;
};
export type HistoryRow = Selectable<Tables['request_history']>;
// What the record shows.
const shownColumns = [
  'id',
  'action',
  'from_status_id',
  'to_status_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'reasons',
  'message',
  'at',
  'charged',
  'hold_until',
  'notice',
  'marks',
  'correction',
  'reason_texts',
  'acted_for',
] as const satisfies readonly (keyof HistoryRow)[];

/** The id of the entry that this transaction has appended to the history. */
export const appendedHistoryId = sql<number>`currval('request_history_id_seq')`;

/**
 * The day when the promised working days of a request end, by its history; the working days of its
 * holds do not count. `at` ends a hold that lasts.
 */
export const dueDayOfHistory = (requestId: number, at: Date): Sql => sql`(
  select due_day(
    day_in_dubai(begun.at),
    requests.working_days + (
      select count(*)::int
      from request_holds
      cross join generate_series(
        day_in_dubai(begun_at) + 1,
        day_in_dubai(coalesce(ended_at, ${at}::timestamptz)),
        '1 day'
      ) as day
      where request_holds.request_id = begun.request_id
        and request_holds.history_id > begun.id
        and extract(isodow from day) < 6
    )
  )
  from request_history as begun
  where begun.request_id = ${requestId}
    and begun.action in ('create', 'pay', 'update')
  order by begun.id desc
  limit 1
)`;

/** The earlier of a day of `dueDayOfHistory` and a day as YYYY-MM-DD. */
export const earlierDayOf = (day: Sql, limit: string): Sql => sql`least(${day}, ${limit}::date)`;

/** The id of a request that the same statement inserts, as `request`: see `insertRequest`. */
export const idOfInserted: Sql = sql`(select id from request)`;

/** The write that appends an entry to the history. */
export const historyInsert = (row: NewHistory): Sql => insertRows('request_history', [row]);

/** The query of the history of a request, oldest first. */
export const historyOf = (builder: QueryBuilder, requestId: Sql<number>) =>
  builder
    .selectFrom('request_history')
    .select(shownColumns)
    .where('request_id', '=', requestId)
    .orderBy('id');

/** The newest entry of a request's history, or the newest entry of one action. */
export function findLatestStep(
  database: Database | Transaction,
  requestId: number,
  action?: string,
): Promise<HistoryRow | undefined> {
  return database
    .selectFrom('request_history')
    .selectAll()
    .where('request_id', '=', requestId)
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
