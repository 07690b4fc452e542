import type { Insertable, Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'held_actions.sent': unknown;
  }
}

export type PendingActionRow = Selectable<Tables['held_actions']>;

/** The action that waits on a request, as the statements on the request read it. */
export interface PendingAction {
  id: number;
  action: RequestAction;
  userId: string;
  userName: string;
  userNameAr: string | null;
  sentHash: string | null;
  actsInMs: number;
  /** The fines and fees that a second person must confirm, in fils; null where nobody must. */
  waitsWith: number | null;
}

/** The waiting action of a request as a JSON column; `requestId` is a value or a column. */
export const pendingActionOf = (requestId: number | Sql<unknown>) => sql<PendingAction | null>`(
  select jsonb_build_object(
    'id', held_actions.id,
    'action', held_actions.action,
    'userId', held_actions.user_id,
    'userName', users.full_name,
    'userNameAr', users.full_name_ar,
    'sentHash', held_actions.sent_hash,
    'waitsWith', case when waits_for_second then held_actions.added end,
    'actsInMs', greatest(0, floor(1000 * extract(epoch from acts_at - clock_timestamp())))
  )
  from held_actions
  join users on users.id = held_actions.user_id
  where held_actions.request_id = ${requestId}
    and held_actions.refusal is null
)`;

/** The transaction must hold the lock of the request. */
export async function insertPendingAction(
  transaction: Transaction,
  row: Omit<Insertable<Tables['held_actions']>, 'acts_at'>,
  seconds: number,
): Promise<void> {
  await transaction
    .insertInto('held_actions')
    .values({ ...row, acts_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .execute();
}

/** Deletes the waiting action of a user on a request. */
export async function deleteWaitingAction(
  transaction: Transaction,
  requestId: number,
  userId: string,
): Promise<void> {
  await transaction
    .deleteFrom('held_actions')
    .where('request_id', '=', requestId)
    .where('user_id', '=', userId)
    .where('refusal', 'is', null)
    .execute();
}

/** The write that ends a pending action. */
export const pendingActionDelete = (id: number) => (transaction: Transaction) =>
  transaction.deleteFrom('held_actions').where('id', '=', id).execute();

/** The actions that are to take effect now, the oldest first. */
export function selectDueActions(database: Database): Promise<PendingActionRow[]> {
  return (
    database
      .selectFrom('held_actions')
      .selectAll()
      .where('refusal', 'is', null)
      // guard: second person of a charge (charges-of-two)
      .where('waits_for_second', '=', false)
      .where('acts_at', '<=', sql<Date>`clock_timestamp()`)
      .orderBy('acts_at')
      .orderBy('id')
      .limit(100)
      .execute()
  );
}

export async function markFailed(
  database: Database | Transaction,
  id: number,
  refusal: string,
): Promise<void> {
  await database
    .updateTable('held_actions')
    .set({ refusal })
    .where('id', '=', id)
    .where('refusal', 'is', null)
    .execute();
}

/** The waiting and the failed actions of a user, with the number of each request. */
export function selectActionsOf(database: Database, userId: string) {
  return database
    .selectFrom('held_actions')
    .innerJoin('requests', 'requests.id', 'held_actions.request_id')
    .select([
      'held_actions.id',
      'request_id',
      'number',
      'action',
      'held_actions.version',
      'refusal',
      'added',
      'waits_for_second',
    ])
    .select(
      sql<number>`greatest(0, floor(1000 * extract(epoch from acts_at - clock_timestamp())))::integer`.as(
        'actsInMs',
      ),
    )
    .where('held_actions.user_id', '=', userId)
    .orderBy('held_actions.id')
    .limit(100)
    .execute();
}

export async function deleteFailedAction(
  database: Database,
  userId: string,
  id: number,
): Promise<void> {
  await database
    .deleteFrom('held_actions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('refusal', 'is not', null)
    .execute();
}

/** What waits for a second person, the oldest first. */
export function selectWaitingCharges(database: Database) {
  return database
    .selectFrom('held_actions')
    .innerJoin('requests', 'requests.id', 'held_actions.request_id')
    .innerJoin('users', 'users.id', 'held_actions.user_id')
    .select([
      'held_actions.id',
      'request_id',
      'number',
      'action',
      'added',
      'held_actions.user_id',
      'full_name',
      'full_name_ar',
      'acts_at',
    ])
    .where('refusal', 'is', null)
    .where('waits_for_second', '=', true)
    .orderBy('held_actions.id')
    .limit(200)
    .execute();
}

/** The charge that waits on a request, if it has this id. The transaction holds the lock of the request. */
export function findWaitingCharge(
  transaction: Transaction,
  requestId: number,
  id: number,
): Promise<PendingActionRow | undefined> {
  return transaction
    .selectFrom('held_actions')
    .selectAll()
    .where('id', '=', id)
    .where('request_id', '=', requestId)
    .where('refusal', 'is', null)
    .where('waits_for_second', '=', true)
    .executeTakeFirst();
}

/** Lets a charge take effect now, in the name of who asked for it. */
export async function confirmCharge(
  transaction: Transaction,
  id: number,
  confirmedBy: string,
): Promise<void> {
  await transaction
    .updateTable('held_actions')
    .set({
      waits_for_second: false,
      confirmed_by: confirmedBy,
      acts_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * The fines and fees that a person added to a request in the last 24 hours without a second one, in
 * fils.
 */
export async function sumAddedAlone(
  transaction: Transaction,
  requestId: number,
  userId: string,
): Promise<number> {
  const { sum } = await transaction
    .selectFrom('request_history')
    .select(sql<number>`coalesce(sum(added), 0)::bigint`.as('sum'))
    .where('request_id', '=', requestId)
    .where('actor_id', '=', userId)
    .where('confirmed_by', 'is', null)
    .where('at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return sum;
}
