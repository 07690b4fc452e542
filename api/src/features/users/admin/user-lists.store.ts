import { sql } from 'kysely';
import type { Role } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database } from '../../../platform/database/database.ts';
import { foundBy, holds, type ListPage } from '../../../platform/database/keyword-search.ts';

/** Never a hash or a key. */
export interface UserRow {
  id: string;
  username: string;
  full_name: string;
  email: string;
  phone_number: string;
  roles: string[];
  company_id: number | null;
  company_name: LocalizedText | null;
  partner_id: number | null;
  partner_name: LocalizedText | null;
  created_at: Date;
  last_sign_in_at: Date | null;
  is_suspended: boolean;
  has_second_factor: boolean;
}

export interface UserList extends ListPage {
  role: Role | undefined;
}

// Who has none of the roles is a client (specification §1). The text is spelt as its index is.
function wanted({ keyword, role }: Pick<UserList, 'keyword' | 'role'>) {
  const byText = foundBy(keyword, (pattern) =>
    holds(
      sql`fold_text(users.username || ' ' || users.full_name || ' ' || users.email || ' ' || users.phone_number)`,
      pattern,
    ),
  );
  if (role === undefined) return byText;
  return role === 'Client'
    ? sql<boolean>`(cardinality(users.roles) = 0 and ${byText})`
    : sql<boolean>`(${role} = any(users.roles) and ${byText})`;
}

/** One page; what belongs to a user is looked up for those on it alone. */
export async function selectUsers(database: Database, list: UserList): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    with page as (select * from users where ${wanted(list)} order by users.created_at desc, users.username limit ${list.take} offset ${(list.pageNumber - 1) * list.take})
    select users.id, users.username, users.full_name, users.email, users.phone_number, users.roles, users.company_id, companies.name as company_name, users.partner_id, partners.name as partner_name,
      users.created_at, users.suspended_at is not null as is_suspended, exists (select from second_factors where second_factors.user_id = users.id and confirmed_at is not null) as has_second_factor, (select max(sessions.created_at) from sessions where sessions.user_id = users.id) as last_sign_in_at
    from page as users left join companies on companies.id = users.company_id left join partners on partners.id = users.partner_id
    order by users.created_at desc, users.username`.execute(database);
  return rows;
}

export async function countUsers(
  database: Database,
  list: Pick<UserList, 'keyword' | 'role'>,
): Promise<number> {
  return (
    await database
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(wanted(list))
      .executeTakeFirstOrThrow()
  ).count;
}
