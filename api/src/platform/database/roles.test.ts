import { describe, expect, inject, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { migrate } from './migrations.ts';
import { grantTables } from './roles.ts';
import { sql } from './sql.ts';

const app = useTestApp();
// The server of DATABASE_URL may have one role only.
const hasRoles = inject('productServer') !== inject('databaseServer');

const askServer = async (query: string) => (await sql.raw(query).execute(app.serverDatabase)).rows;
const appendOnly = [
  'audit_events',
  'partner_history',
  'payment_events',
  'request_history',
  'request_reads',
  'invoices',
  'forms',
  'certificates',
  'request_refunds',
  'workflow_choices',
];

describe.skipIf(!hasRoles)('the role of the server', () => {
  it('is no superuser, is a member of no role and owns nothing', async () => {
    expect(
      await askServer(
        'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    expect(
      await askServer('select from pg_auth_members where member = current_user::regrole'),
    ).toEqual([]);
    for (const owned of [
      'pg_class.relowner',
      'pg_proc.proowner',
      'pg_namespace.nspowner',
      'pg_database.datdba',
    ])
      expect(
        await askServer(
          `select from ${owned.split('.')[0]} where ${owned} = current_user::regrole`,
        ),
        owned,
      ).toEqual([]);
  });

  it.each([
    ...appendOnly.flatMap((table) => [
      `select from ${table} for update`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} disable trigger all`,
      `drop table ${table} cascade`,
    ]),
    'alter table users add column secret text',
    'create table public.mine (id integer)',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'delete from kysely_migration',
    "copy (select 1) to program 'true'",
    "copy users to '/tmp/users'",
    'set session_replication_role = replica',
    'set role diwan',
    'create role other superuser',
    "alter system set fsync = 'off'",
  ])('may not %s', async (statement) =>
    expect(askServer(statement)).rejects.toMatchObject({ code: '42501' }),
  );

  it.each([
    'delete from services',
    'delete from partners',
    'delete from workflows',
    'update services set id = id + 1000',
    'update requests set service_id = 999999',
    'update requests set form_id = 999999',
  ])('may not %s, and its owner neither: requests keep their references', async (statement) => {
    await expect(askServer(statement)).rejects.toMatchObject({ code: '23503' });
    await expect(sql.raw(statement).execute(app.database)).rejects.toMatchObject({ code: '23503' });
  });

  it('changes rows of every other table', async () => {
    const rows = (await askServer(
      `select distinct table_name as name from information_schema.role_table_grants
      where grantee = current_user and privilege_type = 'DELETE' and table_schema = 'public'`,
    )) as { name: string }[];
    const changed = rows.map(({ name }) => name);
    expect(changed).toEqual(expect.arrayContaining(['users', 'sessions', 'requests', 'drafts']));
    expect(changed.filter((name) => appendOnly.includes(name))).toEqual([]);
  });

  it('gets the tables of later migrations, while the owner migrates as before', async () => {
    expect(await migrate(app.database)).toEqual([]);
    await sql`create table later_table (id integer)`.execute(app.database);
    await expect(askServer('select * from later_table')).rejects.toMatchObject({ code: '42501' });
    const role = new URL(inject('productServer')).username;
    await Promise.all([grantTables(app.database, role), grantTables(app.database, role)]);
    expect(await askServer('select * from later_table')).toEqual([]);
    await expect(askServer('delete from audit_events')).rejects.toMatchObject({ code: '42501' });
  });
});
