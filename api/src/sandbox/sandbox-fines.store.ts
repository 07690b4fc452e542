import type { Database } from '../platform/database/database.ts';

/** Records a payment of a fine; `refused` when it was paid before under another key. */
export async function settleFine(
  database: Database,
  { key, register, number }: { key: string; register: string; number: string },
): Promise<'settled' | 'refused'> {
  await database
    .insertInto('sandbox.settled_fines')
    .values({ key, register, number })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await database
    .selectFrom('sandbox.settled_fines')
    .select('key')
    .where('register', '=', register)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.key === key ? 'settled' : 'refused';
}

/** The fines of a register that were paid, the latest first. */
export const selectSettled = (database: Database, register?: string) => {
  const all = database
    .selectFrom('sandbox.settled_fines')
    .selectAll()
    .orderBy('settled_at', 'desc')
    .orderBy('key');
  return (register === undefined ? all : all.where('register', '=', register)).execute();
};
