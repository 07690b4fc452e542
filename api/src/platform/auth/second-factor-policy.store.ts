import type { Config } from '#config.ts';
import { factorRoles, type FactorRole } from '@diwan/contract/people/second-factor';
import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

// The row of `settings` with an admin's decision. Without it SECOND_FACTOR_ROLES applies.
const settingName = 'secondFactorRoles';

/**
 * Columns for a query of `users`: whether the user has a second factor, and which roles must have
 * one.
 */
export function secondFactorColumns({ SECOND_FACTOR_ROLES }: Pick<Config, 'SECOND_FACTOR_ROLES'>) {
  return [
    sql<boolean>`exists (
      select
      from second_factors
      where second_factors.user_id = users.id
        and second_factors.confirmed_at is not null
    )`.as('hasSecondFactor'),
    sql<string[]>`coalesce(
      (
        select value
        from settings
        where name = ${settingName}
      ),
      ${JSON.stringify(SECOND_FACTOR_ROLES)}::jsonb
    )`.as('rolesWithFactor'),
  ] as const;
}

/** The roles that must have a second factor. */
export async function readSecondFactorRoles(
  database: Database | Transaction,
  { SECOND_FACTOR_ROLES }: Pick<Config, 'SECOND_FACTOR_ROLES'>,
): Promise<FactorRole[]> {
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst();
  const decided = row?.value;
  return Array.isArray(decided)
    ? factorRoles.filter((role) => decided.includes(role))
    : SECOND_FACTOR_ROLES;
}

/**
 * Stores an admin's decision on the roles that must have a second factor. It overrides the setting.
 * It runs in the transaction that records it in the audit log.
 */
export async function writeSecondFactorRoles(
  transaction: Transaction,
  roles: readonly FactorRole[],
): Promise<void> {
  const value = JSON.stringify(roles);
  await transaction
    .insertInto('settings')
    .values({ name: settingName, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value, changed_at: new Date() }),
    )
    .execute();
}
