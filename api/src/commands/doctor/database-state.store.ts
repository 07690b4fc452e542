import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** The version of the server, its clock, and the database. */
export async function readServerState(
  database: Database,
): Promise<{ version: number; versionText: string; now: Date }> {
  const { rows } = await sql<{ version: number; version_text: string; now: Date }>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_version') as version_text,
      clock_timestamp() as now
  `.execute(database);
  const [row] = rows as [(typeof rows)[number]];
  return { version: row.version, versionText: row.version_text, now: row.now };
}

/** The names of the migrations that were applied; undefined for an empty database. */
export async function readMigrations(database: Database): Promise<string[] | undefined> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name
  `.execute(database);
  if (!tables[0]?.name) return undefined;
  const { rows } = await sql<{ name: string }>`
    select name
    from kysely_migration
    order by name
  `.execute(database);
  return rows.map(({ name }) => name);
}

/** The last restore to an earlier time. */
interface RestoreState {
  restoredTo: Date;
  isReconciled: boolean;
  paused: number;
}

/** Reads the last restore; undefined where the database was never restored. */
export async function readRestore(database: Database): Promise<RestoreState | undefined> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('restores')::text as name
  `.execute(database);
  if (!tables[0]?.name) return undefined;
  const { rows } = await sql<RestoreState>`
    select restored_to as "restoredTo",
      reconciled_at is not null as "isReconciled",
      (select count(*) from messages where state = 'paused') as paused
    from restores
    order by id desc
    limit 1
  `.execute(database);
  return rows[0];
}

/** What the role of this connection may do. */
interface RoleState {
  role: string;
  isSuperuser: boolean;
  ownedTables: number;
  maySwitchOwner: boolean;
  mayCreate: boolean;
  /** Append-only tables that it may change, and tables that it may not read or add to. */
  changeable: string[];
  closed: string[];
}

/** Reads the rights of the role of this connection. */
export async function readRoleState(database: Database): Promise<RoleState> {
  const { rows } = await sql<{
    role: string;
    is_superuser: boolean;
    owned_tables: number;
    may_switch_owner: boolean;
    may_create: boolean;
    changeable: string[];
    closed: string[];
  }>`
    with tables as (
      select pg_class.oid,
        pg_class.oid::regclass::text as name,
        relowner,
        exists (
          select from pg_trigger
          where tgrelid = pg_class.oid and tgfoid = to_regproc('refuse_change')
        ) as is_append_only
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    )
    select current_user::text as role,
      (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
      count(*) filter (where pg_get_userbyid(relowner) = current_user)::int as owned_tables,
      coalesce(bool_or(pg_has_role(current_user, relowner, 'member')), false) as may_switch_owner,
      has_schema_privilege('public', 'create') as may_create,
      coalesce(
        array_agg(name order by name) filter (
          where is_append_only
            and (has_table_privilege(oid, 'update') or has_table_privilege(oid, 'delete'))
        ),
        '{}'
      ) as changeable,
      coalesce(
        array_agg(name order by name) filter (
          where name not like 'kysely%'
            and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert'))
        ),
        '{}'
      ) as closed
    from tables
  `.execute(database);
  const [row] = rows as [(typeof rows)[number]];
  return {
    role: row.role,
    isSuperuser: row.is_superuser,
    ownedTables: row.owned_tables,
    maySwitchOwner: row.may_switch_owner,
    mayCreate: row.may_create,
    changeable: row.changeable,
    closed: row.closed,
  };
}
