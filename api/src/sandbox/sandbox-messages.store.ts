import type { Insertable } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/schema.generated.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'sandbox.message_faults.kind': 'refuse' | 'fail' | 'slow';
  }
}

/** What happens to the next messages to an address. */
type MessageError = Tables['sandbox.message_faults']['kind'];

/** What happens to messages to a recipient; `undefined` when they are accepted. */
export async function findError(
  database: Database,
  recipient: string,
): Promise<MessageError | undefined> {
  const row = await database
    .selectFrom('sandbox.message_faults')
    .select('kind')
    .where('recipient', '=', recipient.toLowerCase())
    .executeTakeFirst();
  return row?.kind;
}

export const selectErrors = (database: Database) =>
  database.selectFrom('sandbox.message_faults').selectAll().orderBy('recipient').execute();

export async function setError(
  database: Database,
  recipient: string,
  kind: MessageError | undefined,
): Promise<void> {
  await database.deleteFrom('sandbox.message_faults').where('recipient', '=', recipient).execute();
  if (kind)
    await database.insertInto('sandbox.message_faults').values({ recipient, kind }).execute();
}

/** Inserts a message, unless there is one with its key. */
export async function insertMessage(
  database: Database,
  message: Insertable<Tables['sandbox.messages']>,
): Promise<void> {
  await database
    .insertInto('sandbox.messages')
    .values(message)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** The newest messages, of one recipient and before an id where these are given. */
export async function selectMessages(
  database: Database,
  { to, before, take }: { to: string; before: number | undefined; take: number },
) {
  let query = database.selectFrom('sandbox.messages').selectAll().orderBy('id', 'desc').limit(take);
  if (to) query = query.where('recipient', 'ilike', to.replace(/[\\%_]/g, '\\$&'));
  if (before) query = query.where('id', '<', before);
  return query.execute();
}
