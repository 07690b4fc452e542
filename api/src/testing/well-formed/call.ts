import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/**
 * The callers of the role matrix: anonymous, and the demo accounts. `employee-moi` is an employee of an
 * agency that no request is for; `agency-rta` administers all agencies but that of `agency-moi`.
 */
export const people = [
  'anonymous',
  'individual',
  'individual2',
  'company',
  'company2',
  'employee',
  'employee-moi',
  'supervisor',
  'supervisor2',
  'admin',
  'finance',
  'content',
  'auditor',
  'agency-rta',
  'agency-moi',
] as const;
export type Person = (typeof people)[number];

/**
 * The parts of a well-formed call; `cookie` where the browser's cookie matters, `key` for one that is
 * repeated.
 */
export interface Parts {
  key?: string;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: Record<string, unknown> | Buffer;
  cookie?: string;
}

/**
 * Makes a well-formed call by a user, and the records that it needs, such as a request. Records
 * with an owner belong to `owner`, for every caller.
 */
export interface WellFormed {
  owner?: Person;
  make: (as: Person) => Parts | Promise<Parts>;
}

/**
 * Stores accounts, companies and providers. The result restores them, so that one call does not
 * affect the next.
 */
export async function storeAccounts(database: Database): Promise<() => Promise<void>> {
  await sql`create table users_before as select * from users`.execute(database);
  await sql`create table partners_before as select * from partners`.execute(database);
  // One call of the database. Accounts that the calls created must not hold a UAE PASS identity; the
  // limits by day and hour are reset.
  await sql`
    create function restore_accounts() returns void language sql as $$
      update users
      set roles = before.roles,
        all_agencies = before.all_agencies,
        reads_urgently = before.reads_urgently,
        company_id = before.company_id,
        partner_id = before.partner_id,
        password_hash = before.password_hash,
        email = before.email,
        phone_number = before.phone_number,
        is_company_manager = before.is_company_manager,
        language = before.language,
        suspended_at = before.suspended_at,
        uaepass_id = before.uaepass_id,
        emirates_id = before.emirates_id,
        typed_emirates_id = before.typed_emirates_id
      from users_before before
      where before.id = users.id and users is distinct from before;
      update users
      set uaepass_id = null, emirates_id = null
      where (uaepass_id is not null or emirates_id is not null)
        and not exists (select from users_before before where before.id = users.id);
      update partners
      set state = before.state
      from partners_before before
      where before.id = partners.id and partners.state <> before.state;
      update sessions set ended_at = null where ended_at is not null;
      update attachments
      set created_at = now() - interval '2 days'
      where created_at > now() - interval '1 day';
      update partner_documents
      set created_at = now() - interval '2 days'
      where created_at > now() - interval '1 day';
      update complaint_documents
      set created_at = now() - interval '2 days'
      where created_at > now() - interval '1 day';
      delete from second_factors;
      delete from recovery_codes;
      delete from settings;
      delete from sign_in_tries;
    $$
  `.execute(database);
  return async () => {
    await sql`select restore_accounts()`.execute(database);
  };
}
