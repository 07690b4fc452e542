import type { Insertable, OperationNodeSource, Selectable } from 'kysely';
import type { Database, QueryBuilder, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { insertRows, type Sql, sql } from '#platform/database/sql.ts';
import type { NotificationOutcome } from '@diwan/contract/requests/messages';
import type { Correction } from '@diwan/contract/requests/return-marks';
import type { ActorKind } from '@diwan/contract/requests/workflow';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { StoredActedFor } from '../model/requests.store.ts';

/** A mark of a return as the history keeps it, in every language. */
export interface StoredMark {
  field: string;
  attachmentId?: string;
  reasonId?: number;
  title: LocalizedText;
  message: LocalizedText;
}

/** What an update changed, as the history keeps it. */
export type StoredCorrection = Omit<Correction, 'marks'> & {
  marks: (StoredMark & { isChanged: boolean; explanation: string })[];
};

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'request_history.acted_for': StoredActedFor;
    'request_history.actor_kind': ActorKind;
    'request_history.correction': StoredCorrection;
    'request_history.marks': StoredMark[];
    'request_history.message': LocalizedText;
    'request_history.notice': NotificationOutcome;
    'request_history.reason_texts': LocalizedText[];
    'request_history.reasons': number[];
  }
}

type NewHistory = Omit<Insertable<Tables['request_history']>, 'request_id'> & {
  request_id: number | OperationNodeSource;
};
type HistoryRow = Selectable<Tables['request_history']>;
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

// The Arabic name of who took a step; its own name in other letters is what it was that day.
const actorNameAr = sql<string | null>`(
  select full_name_ar
  from users
  where users.id = request_history.actor_id
)`.as('full_name_ar');

const nameOfConfirming = (column: 'full_name' | 'full_name_ar') =>
  sql<string | null>`(
  select ${sql.raw(column)}
  from users
  where users.id = request_history.confirmed_by
)`;

/** The query of the history of a request, oldest first. */
export const historyOf = (builder: QueryBuilder, requestId: Sql<number>) =>
  builder
    .selectFrom('request_history')
    .select(shownColumns)
    .select([
      actorNameAr,
      nameOfConfirming('full_name').as('confirmed_by_name'),
      nameOfConfirming('full_name_ar').as('confirmed_by_name_ar'),
    ])
    .where('request_id', '=', requestId)
    .orderBy('id');

/** An entry with the Arabic name of who took the step. */
export type LatestStep = HistoryRow & { full_name_ar: string | null };

/**
 * The newest step of a request's history, or the newest entry of one action. A moved due day is no step.
 */
export function findLatestStep(
  database: Database | Transaction,
  requestId: number,
  action?: string,
): Promise<LatestStep | undefined> {
  return database
    .selectFrom('request_history')
    .selectAll()
    .select(actorNameAr)
    .where('request_id', '=', requestId)
    .where(
      'action',
      action === undefined ? 'not in' : 'in',
      action === undefined ? ['reschedule', 'transfer'] : [action],
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
