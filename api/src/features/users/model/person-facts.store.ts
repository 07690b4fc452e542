import type { Database, Transaction } from '../../../platform/database/database.ts';

export function findFactColumns(database: Database | Transaction, userId: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.emirates_id', 'users.nationality', 'companies.licence_number'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
}
