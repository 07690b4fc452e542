import { roles } from '@diwan/contract/wire/call';
import type { Caller } from '../platform/auth/caller.ts';
import { scopeOf } from '../platform/auth/sessions/find-caller.ts';
import { scopeColumns } from '../platform/auth/sessions/sessions.store.ts';
import type { Database } from '../platform/database/database.ts';

/** The user names of the demo. */
export const demoAccounts = [
  'admin',
  'employee',
  'employee2',
  'employee-rta',
  'employee-rta2',
  'employee-moi',
  'employee-urgent',
  'agency-rta',
  'agency-moi',
  'finance',
  'content',
  'auditor',
  'supervisor',
  'supervisor2',
  'company',
  'company2',
  'individual',
  'individual2',
];

/** The demo's accounts as callers, by username; `undefined` in a database without the demo. */
export async function findDemoCallers(
  database: Database,
): Promise<Map<string, Caller> | undefined> {
  const rows = await database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('users')
    .select('companies.name as companyName')
    .select(scopeColumns)
    .where('username', 'in', demoAccounts)
    .execute();
  if (rows.length < demoAccounts.length) return undefined;
  return new Map(
    rows.map((row) => {
      const userRoles = roles.filter((role) => row.roles.includes(role));
      return [
        row.username,
        {
          userId: row.id,
          sessionId: '',
          fullName: row.full_name,
          fullNameAr: row.full_name_ar,
          phoneNumber: row.phone_number,
          roles: userRoles.length > 0 ? userRoles : ['Client'],
          scope: scopeOf(row),
          teams: row.teams,
          companyId: row.company_id,
          partnerId: row.partner_id,
          companyName: row.companyName,
        },
      ];
    }),
  );
}
