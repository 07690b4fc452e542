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
