import { isActiveAdministrator } from '#platform/auth/agencies/agency-administration.store.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { DiscountRule } from '@diwan/contract/catalogue/fees';
import type { Emirate } from '@diwan/contract/forms/emirates';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** The tables of groups of services. */
export type GroupTable = 'agencies' | 'categories';

const serviceColumns = { agencies: 'agency_id', categories: 'category_id' } as const;

export interface GroupRow {
  id: number;
  slug: string;
  name: LocalizedText;
  description: LocalizedText | null;
  /** Of an agency. */
  discounts: DiscountRule[] | null;
  centres: LocalizedText | null;
  /** Of an agency. */
  emirate: Emirate | null;
  logo: string;
  ours_in: string[];
  version: number;
  retired_at: Date | null;
  services_count: number;
  /** Of an agency. */
  administrators_count: number | null;
  administrator_lost_at: Date | null;
}

// Of an agency.
const countAdministrators = sql`(
  select count(*)::int
  from staff_agencies
  join users on users.id = staff_agencies.user_id
  where staff_agencies.agency_id = groups.id
    and ${isActiveAdministrator}
)`;
const administratorLostAt = sql`(
  select lost_at
  from administrator_losses
  where administrator_losses.agency_id = groups.id
)`;

/** Every group in its order, retired ones included. */
export async function selectGroups(
  database: Database | Transaction,
  table: GroupTable,
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select id, slug, name, logo, ours_in, version, retired_at,
      ${sql.raw(table === 'categories' ? 'description' : 'null')} as description,
      ${sql.raw(table === 'agencies' ? 'discounts' : 'null')} as discounts,
      ${sql.raw(table === 'agencies' ? 'centres' : 'null')} as centres,
      ${sql.raw(table === 'agencies' ? 'emirate' : 'null')} as emirate,
      ${table === 'agencies' ? countAdministrators : sql`null::int`} as administrators_count,
      ${table === 'agencies' ? administratorLostAt : sql`null::timestamptz`} as administrator_lost_at,
      coalesce(services_count, 0) as services_count
    from ${sql.id(table)} as groups
    left join (
      select ${sql.id(serviceColumns[table])} as group_id, count(*)::int as services_count
      from services
      where deleted_at is null
      group by 1
    ) as counts on group_id = id
    order by position, id`.execute(database);
  return rows;
}

/** Lets one transaction write at a time, so that names stay unique. Returns every group. */
export async function lockGroups(transaction: Transaction, table: GroupTable): Promise<GroupRow[]> {
  await sql`lock table ${sql.id(table)} in share row exclusive mode`.execute(transaction);
  return selectGroups(transaction, table);
}

type GroupTexts = Pick<GroupRow, 'name' | 'description' | 'logo'> &
  Partial<Pick<GroupRow, 'discounts' | 'centres' | 'emirate'>>;

const textsOf = (
  table: GroupTable,
  { name, description, logo, discounts, centres, emirate }: GroupTexts,
) => ({
  name: JSON.stringify(name),
  logo,
  ...(discounts ? { discounts: JSON.stringify(discounts) } : {}),
  ...(table === 'agencies' && centres !== undefined
    ? { centres: centres && JSON.stringify(centres) }
    : {}),
  ...(table === 'agencies' && emirate !== undefined ? { emirate } : {}),
  ...(description ? { description: JSON.stringify(description) } : {}),
});

/** Inserts a group after all others and returns its id. */
export async function insertGroup(
  transaction: Transaction,
  table: GroupTable,
  { slug, ...texts }: GroupTexts & { slug: string },
): Promise<number> {
  const position = sql<number>`(
    select coalesce(max(position), 0) + 1
    from ${sql.id(table)}
  )`;
  const values = { slug, ours_in: [], position, ...textsOf(table, texts) };
  const { id } = await transaction
    .insertInto(table)
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateGroup(
  transaction: Transaction,
  table: GroupTable,
  id: number,
  { ours_in, retired_at, ...texts }: GroupTexts & Pick<GroupRow, 'ours_in' | 'retired_at'>,
): Promise<void> {
  await transaction
    .updateTable(table)
    .set((eb) => ({
      ...textsOf(table, texts),
      ours_in,
      retired_at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Gives each group the position of its id in the list. */
export async function updatePositions(
  transaction: Transaction,
  table: GroupTable,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update ${sql.id(table)} as groups
    set position = ordered.position
    from unnest(${[...ids]}::int[]) with ordinality as ordered (id, position)
    where groups.id = ordered.id`.execute(transaction);
}
