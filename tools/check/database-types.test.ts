import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../api/src/testing/test-app.ts';
import {
  describeDatabase,
  generatedPath,
  hashSources,
  isCurrent,
  readColumnNames,
  readMigrations,
  writeTables,
} from './database-types.mjs';

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

  it('reads the names of columns.ts', () => {
    expect(readColumnNames("export interface ColumnTypes {\n  'a.b': string;\n}\n")).toEqual([
      'a.b',
    ]);
  });
});

describe('the check of the hash', () => {
  const generated = readFileSync(generatedPath, 'utf8');
  const migrations = readMigrations();

  it('accepts the committed file', () => {
    expect(isCurrent(generated)).toBe(true);
  });

  it('finds a new migration, a changed one, and a new name in columns.ts', () => {
    const [[name, text], ...others] = migrations;
    for (const hash of [
      hashSources([...migrations, ['9999-new.sql', '']]),
      hashSources([[name, `${text} `], ...others]),
      hashSources(migrations, [...readColumnNames(), 'payments.note']),
    ])
      expect(isCurrent(generated, hash)).toBe(false);
  });
});
