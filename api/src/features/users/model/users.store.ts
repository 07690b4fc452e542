import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { Channel } from '@diwan/contract/wire/channels';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

/** The agencies of the user in `users`, in one order. */
export const agenciesOfUser = sql<{ id: number; name: LocalizedText }[]>`coalesce(
  (
    select jsonb_agg(jsonb_build_object('id', agencies.id, 'name', agencies.name) order by agencies.id)
    from staff_agencies
    join agencies on agencies.id = staff_agencies.agency_id
    where staff_agencies.user_id = users.id
  ),
  '[]'::jsonb
)`;

/** The teams of the user in `users`, by name. */
const teamsOfUser = sql<{ id: number; name: string }[]>`coalesce(
  (
    select jsonb_agg(jsonb_build_object('id', teams.id, 'name', teams.name) order by lower(teams.name))
    from team_members
    join teams on teams.id = team_members.team_id
    where team_members.user_id = users.id
  ),
  '[]'::jsonb
)`;

/** Usernames are stored in lower case. */
export async function findUserByUsername(database: Database, username: string) {
  return database
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('username', '=', username)
    .executeTakeFirst();
}

export async function getUser(database: Database, id: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .select([
      'users.username',
      'users.full_name',
      'users.email',
      'users.phone_number',
      'users.password_hash',
      'users.uaepass_id',
      'users.email_verified_at',
      'users.phone_verified_at',
      'users.company_id',
      'users.partner_id',
      'companies.name as company_name',
      'partners.name as partner_name',
      'users.all_agencies',
      'users.reads_urgently',
      agenciesOfUser.as('agencies'),
      teamsOfUser.as('teams'),
    ])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Replaces a password hash. Returns `false` when the stored hash is no longer `oldHash`. */
export async function replacePasswordHash(
  transaction: Transaction,
  userId: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', userId)
    .where('password_hash', '=', oldHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A client account with a password and validated values; `phoneNumber` is in E.164. */
export interface NewUser {
  username: string;
  passwordHash: string;
  fullName: string;
  phoneNumber: string;
  email: string;
  /** By what the person has shown that an address is theirs; `undefined` by nothing. */
  verifiedChannel: Channel | undefined;
  /** Typed by the user and not verified. Decision 0016. */
  emiratesId?: string | undefined;
}

/** Returns the new id, or `undefined` when the username is taken. */
export async function insertUser(
  transaction: Transaction,
  user: NewUser,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('users')
    .values({
      username: user.username,
      password_hash: user.passwordHash,
      full_name: user.fullName,
      phone_number: user.phoneNumber,
      email: user.email,
      roles: [],
      company_id: null,
      partner_id: null,
      typed_emirates_id: user.emiratesId ?? null,
      email_verified_at: user.verifiedChannel === 'email' ? new Date() : null,
      phone_verified_at: user.verifiedChannel === 'sms' ? new Date() : null,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export function findIdentityColumns(database: Database | Transaction, userId: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.emirates_id', 'users.nationality', 'companies.licence_number'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
}

export async function updateLanguage(
  database: Database,
  userId: string,
  language: Language,
): Promise<void> {
  await database.updateTable('users').set({ language }).where('id', '=', userId).execute();
}
