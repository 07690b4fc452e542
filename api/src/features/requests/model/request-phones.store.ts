import type { Database } from '../../../platform/database/database.ts';

export async function hasRequests(database: Database, phoneNumber: string): Promise<boolean> {
  return (
    (await database
      .selectFrom('requests')
      .select('id')
      .where('phone_number', '=', phoneNumber)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}
