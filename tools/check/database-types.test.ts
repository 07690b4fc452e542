import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../api/src/testing/test-app.ts';
import { describeSchema, functionQuery, isSchemaCurrent, schemaPath } from './database-schema.mjs';
import {
  describeDatabase,
  generatedPath,
  hashSources,
  isCurrent,
  readColumnNames,
  writeTables,
} from './database-types.mjs';
import { readMigrations } from './migrations.mjs';

const column = (parts: Record<string, unknown>) => ({
  schema_name: 'public',
  table_name: 'things',
  column_name: 'name',
  type_name: 'text',
  is_required: true,
  has_default: false,
  identity: '',
  ...parts,
});

describe('schema.generated.ts', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());

  it('is what the migrated database describes', async () => {
    expect(await describeDatabase(app.database)).toBe(readFileSync(generatedPath, 'utf8'));
  });

  it('changes with a new column', async () => {
    const before = await describeDatabase(app.database);
    await app.database.schema.alterTable('payments').addColumn('note', 'text').execute();
    expect(await describeDatabase(app.database)).toBe(
      before.replace(/(  payments: \{[^}]*)(  \};)/, '$1    note: string | null;\n$2'),
    );
  });
});

describe('schema.sql', () => {
  const written = readFileSync(schemaPath, 'utf8');
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());

  it('is what the migrated database describes', async () => {
    expect(await describeSchema(app.database)).toBe(written);
  });

  it.each([
    ['a column', 'alter table payments add column note text', '  note text'],
    ['an index', 'create index payments_note on payments (round)', 'create index payments_note'],
    [
      'a reference',
      'alter table forms add foreign key (id) references users_of_forms not valid',
      'references',
    ],
    [
      'a trigger',
      'create trigger t before delete on users execute function refuse_change()',
      ' t ',
    ],
  ])('shows %s', async (_, statement, line) => {
    await sql`create table if not exists users_of_forms (id integer primary key)`.execute(
      app.database,
    );
    const before = new Set((await describeSchema(app.database)).split('\n'));
    await sql.raw(statement).execute(app.database);
    const added = (await describeSchema(app.database))
      .split('\n')
      .filter((each) => !before.has(each) && !each.startsWith('--'));
    expect(added.join('\n')).toContain(line);
  });

  it('and the check finds an edit, a new migration and a changed one', () => {
    const [[name, text], ...others] = readMigrations();
    expect(isSchemaCurrent(written)).toBe(true);
    expect(isSchemaCurrent(written.replace('  slug text not null', '  slug text'))).toBe(false);
    expect(isSchemaCurrent(written, [...readMigrations(), ['9999-new.sql', '']])).toBe(false);
    expect(isSchemaCurrent(written, [[name, `${text} `], ...others])).toBe(false);
  });

  it('each function of the database has its file, and each file its function', async () => {
    const { rows } = await sql.raw<{ name: string }>(functionQuery).execute(app.database);
    expect(rows.map(({ name }) => `${name}.sql`)).toEqual(
      readdirSync('api/database/functions').toSorted(),
    );
  });
});

describe('the generator of database types', () => {
  it.each([
    [{}, 'string'],
    [{ is_required: false }, 'string | null'],
    [{ type_name: '_uuid' }, 'string[]'],
    [{ type_name: 'int8', identity: 'a' }, 'GeneratedAlways<number>'],
    [{ type_name: 'timestamptz', has_default: true }, 'Generated<Date>'],
  ])('describes %j as %s', (parts, type) => {
    expect(writeTables([column(parts)], [], '')).toContain(`    name: ${type};`);
  });

  it.each([
    [{}, "Json<ColumnTypes['things.name']>"],
    [{ has_default: true }, "GeneratedJson<ColumnTypes['things.name']>"],
    [{ is_required: false }, "NullableJson<ColumnTypes['things.name']>"],
  ])('describes a jsonb column %j as %s', (parts, type) => {
    const text = writeTables([column({ type_name: 'jsonb', ...parts })], ['things.name'], '');
    expect(text).toContain(`    name: ${type};`);
  });

  it('refuses a jsonb column without a type and a type without a column', () => {
    expect(() => writeTables([column({ type_name: 'jsonb' })], [], '')).toThrow('things.name');
    expect(() => writeTables([column({})], ['things.gone'], '')).toThrow('things.gone');
  });

  it('reads the names that columns.ts and the stores add', () => {
    const own = "export interface ColumnTypes {\n  'b.c': { x: string };\n  'a.b': string;\n}\n";
    const added =
      "declare module '#platform/database/columns.ts' {\n" +
      "  interface ColumnTypes {\n    'c.d': string;\n  }\n}\n";
    expect(readColumnNames([own, added])).toEqual(['a.b', 'b.c', 'c.d']);
  });

  it('reads the names after an empty line and after a type of several lines', () => {
    const own =
      "export interface ColumnTypes {\n  'a.b': {\n    'x-y': string;\n  };\n\n  'b.c': string;\n}\n" +
      "interface Other {\n  'o.p': string;\n}\n";
    expect(readColumnNames([own, 'interface ColumnTypes {\n}\n'])).toEqual(['a.b', 'b.c']);
  });
});

describe('the check of the hash', () => {
  const generated = readFileSync(generatedPath, 'utf8');
  const migrations = readMigrations();

  it('accepts the committed file', () => {
    expect(isCurrent(generated)).toBe(true);
  });

  it('finds a new migration, a changed one, and a new name in ColumnTypes', () => {
    const [[name, text], ...others] = migrations;
    for (const hash of [
      hashSources([...migrations, ['9999-new.sql', '']]),
      hashSources([[name, `${text} `], ...others]),
      hashSources(migrations, [...readColumnNames(), 'payments.note']),
    ])
      expect(isCurrent(generated, hash)).toBe(false);
  });
});
