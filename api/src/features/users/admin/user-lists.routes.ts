import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import type { Database } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  getAllUsers,
  maximumListedUsers,
  type UserSummary,
} from '@diwan/contract/staff/user-administration';
import type { EveryField, ReplyOf } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { findUsers, selectUsers, type UserList } from './user-lists.store.ts';
import { describeAgencies, rolesOf } from './user-records.actions.ts';

function named(
  id: number | null,
  name: LocalizedText | null,
  language: Language,
): { id: number; name: string } | undefined {
  return id === null || name === null ? undefined : { id, name: localize(name, language) };
}

type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

function describe(row: UserRow, language: Language): EveryField<UserSummary> {
  return {
    id: row.id,
    username: row.username,
    fullName: localizePersonName(row, language),
    email: row.email,
    phoneNumber: row.phone_number,
    roles: [...rolesOf(row.roles)],
    company: named(row.company_id, row.company_name, language),
    partner: named(row.partner_id, row.partner_name, language),
    ...describeAgencies(row, language),
    createdAt: row.created_at.toISOString(),
    lastSignInAt: row.last_sign_in_at?.toISOString(),
    isSuspended: row.suspended_at !== null,
    hasSecondFactor: row.has_second_factor,
    hasPassword: row.has_password,
  };
}

// The number of matches decides how they are read, so that no search sorts more than are listed. Where
// the first users in the order do not fill the page, such as for a name at the end of the alphabet,
// PostgreSQL chooses. Pages end at `maximumListedUsers`: a page far behind would read all users before it.
async function readPage(database: Database, list: UserList): Promise<[UserRow[], number]> {
  const { count, ids } = await findUsers(database, list, maximumListedUsers + 1);
  if (count === 0 || (list.pageNumber - 1) * list.take >= maximumListedUsers) return [[], count];
  if (count <= maximumListedUsers) return [await selectUsers(database, list, ids), count];
  if (list.keyword?.trim()) {
    const rows = await selectUsers(database, list, 'walked');
    if (rows.length === list.take) return [rows, count];
  }
  return [await selectUsers(database, list, 'planned'), count];
}

/** One page of users. */
export async function listUsers(
  database: Database,
  list: UserList,
  language: Language,
): Promise<ReplyOf<typeof getAllUsers>> {
  const [rows, count] = await readPage(database, list);
  return {
    items: rows.map((row) => describe(row, language)),
    pageNumber: list.pageNumber,
    totalCount: Math.min(count, maximumListedUsers),
    isTotalAtLeast: count > maximumListedUsers || undefined,
  };
}

/** The list of users for admins. Source: specification §2 Dashboards. */
export function serveUserLists(context: AppContext): void {
  serve(context, getAllUsers, ({ query, language, caller }) =>
    listUsers(
      context.database,
      {
        keyword: query.SearchKeyword,
        role: query.Role,
        isSuspended: query.State && query.State === 'suspended',
        partnerId: query.PartnerId,
        companyId: query.CompanyId,
        agencyId: query.AgencyId,
        agencies: query.Agencies,
        hasSecondFactor: query.SecondFactor && query.SecondFactor === 'set',
        lastSignIn: query.LastSignIn,
        staffOf: administeredAgencies(caller),
        order: query.Order,
        pageNumber: query.PageNumber,
        take: query.Take,
      },
      language,
    ),
  );
}
