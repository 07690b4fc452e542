import { roles, type EveryField } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { UserSummary } from '@diwan/contract/people/users';
import type { Database } from '../../../platform/database/database.ts';
import { localize } from '../../../platform/core/localize.ts';
import { countUsers, selectUsers, type UserList } from './user-lists.store.ts';
import { getAllUsers } from '@diwan/contract/people/users';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';

function named(
  id: number | null,
  name: LocalizedText | null,
  language: Language,
): { id: number; name: string } | undefined {
  return id === null || name === null ? undefined : { id, name: localize(name, language) };
}

type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

function describe(row: UserRow, language: Language): EveryField<UserSummary> {
  const held = roles.filter((role) => row.roles.includes(role));
  return {
    id: row.id,
    username: row.username,
    fullName: row.full_name,
    email: row.email,
    phoneNumber: row.phone_number,
    roles: held.length > 0 ? held : ['Client'],
    company: named(row.company_id, row.company_name, language),
    partner: named(row.partner_id, row.partner_name, language),
    createdAt: row.created_at.toISOString(),
    lastSignInAt: row.last_sign_in_at?.toISOString(),
    isSuspended: row.is_suspended,
    hasSecondFactor: row.has_second_factor,
  };
}

async function listUsers(
  database: Database,
  list: UserList,
  language: Language,
): Promise<{ items: UserSummary[]; pageNumber: number; totalCount: number }> {
  const [rows, totalCount] = await Promise.all([
    selectUsers(database, list),
    countUsers(database, list),
  ]);
  return {
    items: rows.map((row) => describe(row, language)),
    pageNumber: list.pageNumber,
    totalCount,
  };
}

/** Routes of users for admins. Source: specification §2 Dashboards. */
export function serveUserLists(context: AppContext): void {
  serve(context, getAllUsers, ({ query, language }) => {
    const list = {
      keyword: query.SearchKeyword,
      role: query.Role,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    return listUsers(context.database, list, language);
  });
}
