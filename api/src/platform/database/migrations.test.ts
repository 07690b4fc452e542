import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { openDatabase, type Database } from './database.ts';
import { listMigrations, migrate, NewerDatabase, oldestUsable } from './migrations.ts';
import { sql } from './sql.ts';

async function withEmptyDatabase(test: (database: Database) => Promise<void>): Promise<void> {
  const server = openDatabase(inject('databaseServer'), () => undefined);
  const name = `migrated_${randomUUID().slice(0, 8)}`;
  await sql`create database ${sql.id(name)}`.execute(server);
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${name}`;
  const database = openDatabase(url.toString(), () => undefined);
  try {
    await test(database);
  } finally {
    await database.destroy();
    await sql`drop database ${sql.id(name)}`.execute(server);
    await server.destroy();
  }
}

it('requests of an older version keep their forms and rules, and their table is vacuumed', async () => {
  await withEmptyDatabase(async (database) => {
    await migrate(database, '0086-cheaper-figure-triggers.sql');
    await database.connection().execute(async (connection) => {
      // Without the rows that these refer to.
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`
        insert into services (
          replaced_name, name, description, agency_id, category_id, form, attachments, fees,
          working_days, terms, steps, result
        )
        select 'service-' || n, '{}', '{}', 1, 1, jsonb_build_object('form', n % 2),
          jsonb_build_array('rule ' || n % 2), '[]', 0, '[]', '[]', '{}'
        from generate_series(1, 4) as n
      `.execute(connection);
      await sql`
        insert into workflows (document, hash)
        values ('{"statuses": []}', 'hash')
      `.execute(connection);
      await sql`
        insert into requests (
          number, service_id, user_id, workflow_id, status_id, form, attachment_rules, answers,
          quote, total, applicant_name, phone_number, search_text, working_days
        )
        select 'DW20-' || n, 1, gen_random_uuid(), 1, 3, jsonb_build_object('form', n % 3),
          jsonb_build_array('rule ' || n % 3)
            || case when n > 27 then jsonb '["evidence"]' else jsonb '[]' end,
          '{}', '{}', 0, '', '', '', 1
        from generate_series(1, 30) as n
      `.execute(connection);
      await sql`set session_replication_role = origin`.execute(connection);
    });

    const last = '0087-shared-forms.sql';
    expect(await migrate(database, last)).toEqual([last]);

    const { rows } = await sql<{ content: unknown; attachment_rules: string[]; count: number }>`
      select content, attachment_rules, count(requests.id)::int as count
      from forms
      left join requests on requests.form_id = forms.id
      group by forms.id
      order by content ->> 'form', jsonb_array_length(attachment_rules)
    `.execute(database);
    expect(rows).toEqual(
      [0, 1, 2].flatMap((form) => [
        { content: { form }, attachment_rules: [`rule ${form}`], count: 9 },
        { content: { form }, attachment_rules: [`rule ${form}`, 'evidence'], count: 1 },
      ]),
    );
    const { rows: services } = await sql<{ isSame: boolean }>`
      select (form, attachments) = (content, attachment_rules) as "isSame"
      from services
      join forms on forms.id = form_id
    `.execute(database);
    expect(services).toEqual(Array.from({ length: 4 }, () => ({ isSame: true })));
    const { rows: tables } = await sql<{ name: string; isVacuumed: boolean }>`
      select relname as name, last_vacuum is not null as "isVacuumed"
      from pg_stat_user_tables
      where relname in ('requests', 'users')
      order by relname
    `.execute(database);
    expect(tables).toEqual([
      { name: 'requests', isVacuumed: true },
      { name: 'users', isVacuumed: false },
    ]);
  });
});

it('requests that name missing rows stop the migration to foreign keys, which names them', async () => {
  await withEmptyDatabase(async (database) => {
    const last = '0087-shared-forms.sql';
    await migrate(database, last);
    await database.connection().execute(async (connection) => {
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`insert into workflows (document, hash) values ('{"statuses": []}', 'hash')`.execute(
        connection,
      );
      await sql`
        insert into requests (
          number, service_id, user_id, partner_id, workflow_id, status_id, form_id, answers,
          quote, total, applicant_name, phone_number, search_text, working_days
        )
        select 'DW20-' || n, 7, gen_random_uuid(), nullif(n, 2), 1, 3, 5, '{}', '{}', 0, '', '', '', 1
        from generate_series(1, 2) as n
      `.execute(connection);
      await sql`set session_replication_role = origin`.execute(connection);
    });
    await expect(migrate(database)).rejects.toThrow(
      'requests refer to rows that are missing: ' +
        'form 5 is missing, and 2 requests name it, such as DW20-1; ' +
        'service 7 is missing, and 2 requests name it, such as DW20-1; ' +
        'service provider 1 is missing, and 1 requests name it, such as DW20-1',
    );
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from requests
    `.execute(database);
    expect(rows).toEqual([{ count: 2 }]);
  });
});

it('a function is made from its file again when another text made it', async () => {
  await withEmptyDatabase(async (database) => {
    await migrate(database);
    const read = async () =>
      (
        await sql<{ text: string; comment: string }>`
          select prosrc as text, obj_description(oid, 'pg_proc') as comment
          from pg_proc
          where proname = 'refuse_change'
        `.execute(database)
      ).rows;
    const before = await read();
    expect(before[0]?.comment).toMatch(/^functions\/refuse_change\.sql [0-9a-f]{64}$/);
    // As an older version of the file left it.
    await sql`
      create or replace function refuse_change() returns trigger language plpgsql as $$
      begin
        return null;
      end $$
    `.execute(database);
    expect(await migrate(database)).toEqual([]);
    expect((await read())[0]?.text).toContain('return null');
    await sql`comment on function refuse_change is 'functions/refuse_change.sql 0'`.execute(
      database,
    );
    await Promise.all([migrate(database), migrate(database)]);
    expect(await read()).toEqual(before);
  });
});

it('a database of a newer version is refused with the name of what is not known, and not changed', async () => {
  await withEmptyDatabase(async (database) => {
    const [first] = await listMigrations();
    await migrate(database, first);
    await sql`
      insert into kysely_migration (name, timestamp)
      values ('9999-from-the-future.sql', '2030-01-01T00:00:00.000Z')
    `.execute(database);
    const attempt = migrate(database);
    await expect(attempt).rejects.toThrow(NewerDatabase);
    await expect(attempt).rejects.toThrow('9999-from-the-future.sql');
    const { rows } = await sql`
      select name
      from kysely_migration
    `.execute(database);
    expect(rows).toHaveLength(2);
  });
});

it('a process of the release before starts again on a newer database, and changes nothing in it', async () => {
  await withEmptyDatabase(async (database) => {
    await migrate(database);
    await sql`
      insert into kysely_migration (name, timestamp)
      values ('9999-from-the-future.sql', '2030-01-01T00:00:00.000Z')
    `.execute(database);
    await sql`comment on function plain_number is 'that of the newer version'`.execute(database);
    expect(await migrate(database)).toEqual([]);
    const { rows } = await sql<{ note: string }>`
      select obj_description('plain_number'::regproc, 'pg_proc') as note`.execute(database);
    expect(rows[0]?.note).toBe('that of the newer version');
    // What the newest migration ended was used by this version.
    await sql`comment on table kysely_migration is 'usable with 9999-from-the-future.sql'`.execute(
      database,
    );
    await expect(migrate(database)).rejects.toThrow(NewerDatabase);
  });
});

it('the schema can be used from the last migration on that ended something', () => {
  const expand = 'alter table teams add column a text;';
  const contract = '-- contract 3.1.0: nothing has read it since\nalter table teams drop column a;';
  expect(oldestUsable([['0160-a.sql', expand]])).toMatch(/^0156-/);
  expect(
    oldestUsable([
      ['0152-a.sql', expand],
      ['0153-b.sql', contract],
      ['0154-c.sql', expand],
    ]),
  ).toBe('0153-b.sql');
});

it('requests that wait for the payment of a charge get the target of the action', async () => {
  await withEmptyDatabase(async (database) => {
    const last = '0098-status-after-payment.sql';
    await migrate(database, '0095-extended-holds.sql');
    const cell = (action: string, from: number, to: number, toPay?: number) => ({
      action,
      from,
      to,
      ...(toPay ? { toPay } : {}),
    });
    const document = JSON.stringify({
      statuses: [],
      transitions: [
        cell('pay', 2, 3),
        cell('pay', 8, 6),
        cell('approve', 4, 20, 8),
        cell('submitted', 4, 9, 8),
        cell('submitted', 4, 10, 8),
      ],
    });
    // The status, the last actions, and whether they charged.
    const requests = [
      [2, 'create', null, 0],
      [8, 'approve', 4, 100],
      [8, 'submitted', 4, 100],
      [6, 'pay', 8, 0],
    ] as const;
    await database.connection().execute(async (connection) => {
      // Without the rows that these refer to.
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`insert into workflows (document, hash) values (${document}, 'hash')`.execute(
        connection,
      );
      for (const [index, [status, action, from, charged]] of requests.entries()) {
        await sql`
          insert into requests (
            number, service_id, user_id, workflow_id, status_id, form_id, answers, quote, total,
            applicant_name, phone_number, search_text, working_days
          )
          values (
            ${`DW20-${index}`}, 7, gen_random_uuid(), 1, ${status}, 5, '{}', '{}', 0, '', '', '', 1
          )
        `.execute(connection);
        await sql`
          insert into request_history (
            request_id, action, from_status_id, to_status_id, actor_kind, actor_name, charged
          )
          values (${index + 1}, ${action}, ${from}, ${status}, 'employee', '', ${charged})
        `.execute(connection);
      }
      await sql`set session_replication_role = origin`.execute(connection);
    });
    expect(await migrate(database, last)).toContain(last);
    const { rows } = await sql<{ paid_status_id: number | null }>`
      select paid_status_id
      from requests
      order by id
    `.execute(database);
    // The two completions lead to different statuses, so that nobody knows which one it was.
    expect(rows.map(({ paid_status_id: target }) => target)).toEqual([null, 20, null, null]);
  });
});
