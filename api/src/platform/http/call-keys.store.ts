import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Query } from '../database/unit-of-work.ts';

/** The user of calls where nobody is signed in. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** A call with a key: who sent what. `inputHash` is of all that the call says. */
export interface KeyedCall {
  key: string;
  userId: string;
  call: string;
  inputHash: string;
}

/** The query that stores the answer, for the commit of the call. It fails where the key has one. */
export const insertAnswer =
  ({ key, userId, call, inputHash }: KeyedCall, answer: string): Query =>
  (part) =>
    sql`
      insert into call_answers (user_id, key, call, input_hash, answer)
      values (${userId}, ${key}, ${call}, ${inputHash}, ${answer})`.execute(part);

/** The answer to a key of this user, whatever call it was for. */
export async function findAnswer(
  database: Database,
  { key, userId }: KeyedCall,
): Promise<{ call: string; input_hash: string; answer: string } | undefined> {
  return database
    .selectFrom('call_answers')
    .select(['call', 'input_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Deletes the answers that are older than this number of hours. */
export async function deleteOldAnswers(database: Database, hours: number): Promise<void> {
  await sql`
    delete from call_answers
    where created_at < now() - make_interval(hours => ${hours})`.execute(database);
}
