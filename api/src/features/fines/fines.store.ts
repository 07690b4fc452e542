import type { Database, Transaction } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { FineKeys } from '#platform/integrations/fines-register.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'request_fines.found_by': FineKeys;
  }
}

/** A fine of a request, under the name of its register. `amount` in fils. */
interface RequestFine {
  register: string;
  number: string;
  foundBy: FineKeys;
  amount: number;
}

/** Which of some fines another open request pays. */
export async function selectTaken(
  database: Database | Transaction,
  register: string,
  numbers: readonly string[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const rows = await database
    .selectFrom('request_fines')
    .select('number')
    .where('register', '=', register)
    .where('number', 'in', [...numbers])
    .where('released_at', 'is', null)
    .execute();
  return rows.map(({ number }) => number);
}

/** Gives fines to a request. Fails with `isFineTaken` when another open one has got one of them. */
export async function insertFines(
  transaction: Transaction,
  requestId: Sql<number>,
  fines: readonly RequestFine[],
): Promise<void> {
  await transaction
    .insertInto('request_fines')
    .values(
      fines.map(({ foundBy, ...fine }) => ({
        ...fine,
        request_id: requestId,
        found_by: JSON.stringify(foundBy),
      })),
    )
    .execute();
}

/** Whether another request has got one of the fines in the meantime. */
export const isFineTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | undefined)?.constraint === 'request_fines_open';

/** The write by which the fines of a request that ends can be paid by another one. */
export const releaseFines = (requestId: number): Sql => sql`
  update request_fines
  set released_at = now()
  where request_id = ${requestId} and paid_at is null and released_at is null`;

/** The write after which the register is notified that the fines of a request are paid. */
export const markFinesPaid = (requestId: number, at: Date): Sql => sql`
  update request_fines
  set paid_at = ${at}, due_at = now()
  where request_id = ${requestId} and paid_at is null`;

/** The fines of a request that are not paid yet. */
export async function selectUnpaid(database: Database, requestId: number): Promise<RequestFine[]> {
  const rows = await database
    .selectFrom('request_fines')
    .select(['register', 'number', 'found_by', 'amount'])
    .where('request_id', '=', requestId)
    .where('paid_at', 'is', null)
    .orderBy('register')
    .orderBy('number')
    .execute();
  return rows.map(({ found_by: foundBy, ...fine }) => ({ ...fine, foundBy }));
}

/** A paid fine of which this process notifies its register. */
export interface FineToSettle {
  requestId: number;
  reference: string;
  register: string;
  number: string;
  amount: number;
  paidAt: Date;
  tries: number;
}

/**
 * Takes the next fine of which a register has to be notified. Another process takes it when the time of this
 * one, `seconds`, is over.
 */
export async function leaseNext(
  database: Database,
  seconds: number,
): Promise<FineToSettle | undefined> {
  const { rows } = await sql<FineToSettle>`
    update request_fines
    set tries = tries + 1, due_at = now() + make_interval(secs => ${seconds})
    from requests
    where requests.id = request_fines.request_id
      and (request_fines.request_id, register, request_fines.number) = (
        select request_id, register, number
        from request_fines
        where due_at <= now() and settled_at is null and refused_at is null
        order by due_at
        limit 1
        for update skip locked
      )
    returning
      request_id as "requestId", requests.number as reference, register, request_fines.number,
      amount, paid_at as "paidAt", tries`.execute(database);
  return rows[0];
}

type FineId = Pick<FineToSettle, 'requestId' | 'register' | 'number'>;

/** Records the answer of the register; false when it was recorded before. */
export async function recordAnswer(
  database: Database | Transaction,
  { requestId, register, number }: FineId,
  answer: 'settled' | 'refused',
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('request_fines')
    .set(answer === 'settled' ? { settled_at: new Date() } : { refused_at: new Date() })
    .where('request_id', '=', requestId)
    .where('register', '=', register)
    .where('number', '=', number)
    .where('settled_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets the next attempt. */
export async function postpone(
  database: Database,
  { requestId, register, number }: FineId,
  seconds: number,
): Promise<void> {
  await database
    .updateTable('request_fines')
    .set({ due_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('request_id', '=', requestId)
    .where('register', '=', register)
    .where('number', '=', number)
    .execute();
}
