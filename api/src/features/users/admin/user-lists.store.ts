import { sql } from 'kysely';
import type { Role } from '@diwan/contract/wire/call';
import type { Database } from '../../../platform/database/database.ts';
import {
  matchesKeyword,
  containsPattern,
  type ListPage,
} from '../../../platform/database/keyword-search.ts';

export interface UserList extends ListPage {
  role: Role | undefined;
}

// A user without roles is a client (specification §1). The expression equals that of the index.
function wanted({ keyword, role }: Pick<UserList, 'keyword' | 'role'>) {
  const byText = matchesKeyword(keyword, (pattern) =>
    containsPattern(
      sql`fold_text(
        users.username || ' ' || users.full_name || ' ' || users.email || ' ' || users.phone_number
      )`,
      pattern,
    ),
  );
  if (role === undefined) return byText;
  return role === 'Client'
    ? sql<boolean>`(cardinality(users.roles) = 0 and ${byText})`
    : sql<boolean>`(${role} = any(users.roles) and ${byText})`;
}

/**
 * One page, without password hashes and keys. Related rows are read only for the users on the page.
 */
export function selectUsers(database: Database, list: UserList) {
  return database
    .selectFrom((eb) =>
      eb
        .selectFrom('users')
        .selectAll()
        .where(wanted(list))
        .orderBy('users.created_at', 'desc')
        .orderBy('users.username')
        .limit(list.take)
        .offset((list.pageNumber - 1) * list.take)
        .as('users'),
    )
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .select((eb) => [
      'users.id',
      'users.username',
      'users.full_name',
      'users.email',
      'users.phone_number',
      'users.roles',
      'users.company_id',
      'companies.name as company_name',
      'users.partner_id',
      'partners.name as partner_name',
      'users.created_at',
      eb('users.suspended_at', 'is not', null).$castTo<boolean>().as('is_suspended'),
      eb
        .exists(
          eb
            .selectFrom('second_factors')
            .select('second_factors.user_id')
            .whereRef('second_factors.user_id', '=', 'users.id')
            .where('second_factors.confirmed_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('has_second_factor'),
      eb
        .selectFrom('sessions')
        .select((sessions) => sessions.fn.max('sessions.created_at').as('at'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last_sign_in_at'),
    ])
    .orderBy('users.created_at', 'desc')
    .orderBy('users.username')
    .execute();
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
