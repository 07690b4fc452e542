import type { Selectable } from 'kysely';
import { isInvitationOfAgencies } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import { isOpenInvitation } from '#platform/messages/invitations.store.ts';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'staff_invitations.language': Language;
  }
}

export type InvitationRow = Selectable<Tables['staff_invitations']>;

const mostListed = 500;

const agenciesOfInvitation = sql<{ id: number; name: LocalizedText }[]>`coalesce(
  (
    select jsonb_agg(jsonb_build_object('id', agencies.id, 'name', agencies.name) order by agencies.id)
    from agencies
    where agencies.id = any(staff_invitations.agency_ids)
  ),
  '[]'::jsonb
)`;

/** The open invitations, the newest first, with the names of who invited and of the partner. */
export function selectOpenInvitations(database: Database, scope: AgencyScope) {
  return database
    .selectFrom('staff_invitations')
    .innerJoin('users', 'users.id', 'staff_invitations.invited_by')
    .leftJoin('partners', 'partners.id', 'staff_invitations.partner_id')
    .selectAll('staff_invitations')
    .select(({ exists, selectFrom }) => [
      'users.full_name as invited_by_name',
      'users.full_name_ar as invited_by_name_ar',
      'partners.name as partner_name',
      agenciesOfInvitation.as('agencies'),
      exists(
        selectFrom('role_changes')
          .select('role_changes.id')
          .whereRef('role_changes.invitation_id', '=', 'staff_invitations.id')
          .where('role_changes.decision', 'is', null),
      )
        .$castTo<boolean>()
        .as('is_unconfirmed'),
    ])
    .where(isOpenInvitation)
    .$if(scope !== 'all', (query) =>
      query.where(isInvitationOfAgencies(scope === 'all' ? [] : scope)),
    )
    .orderBy('staff_invitations.created_at', 'desc')
    .orderBy('staff_invitations.id')
    .limit(mostListed)
    .execute();
}

/** Locks an open invitation by its id or address. */
export function lockOpenInvitation(
  transaction: Transaction,
  by: { id: string } | { email: string },
): Promise<InvitationRow | undefined> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['email', by.email] as const);
  return transaction
    .selectFrom('staff_invitations')
    .selectAll()
    .where(column, '=', value)
    .where(isOpenInvitation)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertInvitation(
  transaction: Transaction,
  invitation: {
    email: string;
    full_name: string;
    roles: string[];
    partner_id: number | null;
    all_agencies: boolean;
    agency_ids: number[];
    language: Language;
    invited_by: string;
  },
): Promise<string> {
  const { id } = await transaction
    .insertInto('staff_invitations')
    .values(invitation)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives an invitation a new link, which ends the earlier one. */
export async function setToken(
  transaction: Transaction,
  id: string,
  { tokenHash, expiresAt }: { tokenHash: string; expiresAt: Date },
): Promise<void> {
  await transaction
    .updateTable('staff_invitations')
    .set({ token_hash: tokenHash, expires_at: expiresAt, sent_at: null })
    .where('id', '=', id)
    .execute();
}

/** An invitation that can be accepted by the hash of its token. */
export function findByToken(database: Database | Transaction, tokenHash: string) {
  return database
    .selectFrom('staff_invitations')
    .innerJoin('users', 'users.id', 'staff_invitations.invited_by')
    .selectAll('staff_invitations')
    .select(['users.full_name as invited_by_name', 'users.full_name_ar as invited_by_name_ar'])
    .where('token_hash', '=', tokenHash)
    .where(isOpenInvitation)
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
}

/** Whether an account has the address, verified or not, suspended or not. */
export async function hasAccount(transaction: Transaction, email: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(email)`, '=', email)
    .where('email_verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function partnerExists(transaction: Transaction, id: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('partners')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
