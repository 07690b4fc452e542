// npm run database:types: writes api/src/platform/database/schema.generated.ts and
// api/database/schema.sql from the migrated schema. With --check it only compares the hash of the
// sources, which needs no database; the test beside this file compares the whole text with a migrated
// database. Decision 0030.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/install.mjs';
import { describeSchema, schemaPath } from './database-schema.mjs';
import { readMigrations } from './migrations.mjs';
import { readFiles, readText } from './read-files.mjs';

const databaseFolder = join(root, 'api/src/platform/database');
/** The generated file. */
export const generatedPath = join(databaseFolder, 'schema.generated.ts');

// `columns.ts` and the stores, each of which adds the columns of its tables.
const readSources = () => [
  ...readFiles(root, ['api/src/*.store.ts', 'api/src/*columns.ts']).values(),
];

/** The columns whose TypeScript type a text names in `ColumnTypes`, as `table.column`. */
export function readColumnNames(texts = readSources()) {
  // The interface ends at the brace below its beginning; a type of several lines has deeper ones.
  const declaration = /^( *)(?:export )?interface ColumnTypes \{\n((?:.*\n)*?)\1\}/gm;
  const members = texts.flatMap((text) =>
    [...text.matchAll(declaration)].flatMap(([, indent, body]) => [
      ...body.matchAll(new RegExp(`^${indent}  '([^']+)':`, 'gm')),
    ]),
  );
  return members.map(([, name]) => name).toSorted();
}

/** A hash of what the generated file is made from: the migrations and the names in `columns.ts`. */
export function hashSources(migrations = readMigrations(), columnNames = readColumnNames()) {
  const hash = createHash('sha256');
  for (const [name, text] of migrations) hash.update(`${name}\0${text}\0`);
  return hash.update(columnNames.toSorted().join('\n')).digest('hex');
}

/** Whether a generated text was made from sources with this hash. */
export const isCurrent = (generated, hash = hashSources()) =>
  generated.includes(`\n// Hash of the sources: ${hash}\n`);

// Views are left out: PostgreSQL does not know which of their columns can be null.
const catalogQuery = `
  select n.nspname as schema_name, c.relname as table_name, a.attname as column_name,
    t.typname as type_name, a.attnotnull as is_required, a.atthasdef as has_default,
    a.attidentity as identity
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  where n.nspname in ('public', 'sandbox')
    and c.relkind in ('r', 'p')
    and c.relname not like 'kysely\\_%'
    and a.attnum > 0
    and not a.attisdropped
  order by n.nspname, c.relname, a.attnum`;

// The pool reads int8 as a number and a day as a text: see database.ts.
const typeNames = {
  bool: 'boolean',
  date: 'string',
  int4: 'number',
  int8: 'number',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  varchar: 'string',
};

function valueTypeOf(column, name, isNamed) {
  if (isNamed) return `ColumnTypes['${name}']`;
  const isArray = column.type_name.startsWith('_');
  const type = typeNames[isArray ? column.type_name.slice(1) : column.type_name];
  if (!type)
    throw new Error(
      `ColumnTypes in a *.store.ts must name the type of ${name} (${column.type_name})`,
    );
  return isArray ? `${type}[]` : type;
}

function columnTypeOf(column, name, isNamed) {
  const value = valueTypeOf(column, name, isNamed);
  if (column.type_name === 'jsonb') {
    if (!column.is_required) return `NullableJson<${value}>`;
    return column.has_default ? `GeneratedJson<${value}>` : `Json<${value}>`;
  }
  const type = column.is_required ? value : `${value} | null`;
  if (column.identity === 'a') return `GeneratedAlways<${type}>`;
  return column.has_default || column.identity === 'd' ? `Generated<${type}>` : type;
}

/** The text of the generated file, from the rows of the catalog. */
export function writeTables(columns, namedColumns = readColumnNames(), hash = hashSources()) {
  const tables = new Map();
  const used = new Set();
  for (const column of columns) {
    const { schema_name: schema, table_name: table, column_name: field } = column;
    const tableName = schema === 'public' ? table : `${schema}.${table}`;
    const name = `${tableName}.${field}`;
    const isNamed = namedColumns.includes(name);
    if (isNamed) used.add(name);
    const line = `    ${field}: ${columnTypeOf(column, name, isNamed)};`;
    tables.set(tableName, [...(tables.get(tableName) ?? []), line]);
  }
  const unknown = namedColumns.filter((name) => !used.has(name));
  if (unknown.length > 0)
    throw new Error(`ColumnTypes names columns that do not exist: ${unknown.join(', ')}`);
  const members = [...tables].map(
    ([name, lines]) => `  ${name.includes('.') ? `'${name}'` : name}: {\n${lines.join('\n')}\n  };`,
  );
  return `// Generated by \`npm run database:types\` from the migrations and \`ColumnTypes\`. Do not edit.
// Hash of the sources: ${hash}
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ColumnTypes } from './columns.ts';

/** A jsonb column: read as its value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type GeneratedJson<T> = ColumnType<T, string | undefined, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

/** Every table of the product, with its columns as kysely reads and writes them. */
export interface Tables {
${members.join('\n')}
}
`;
}

/** Reads the catalog of a migrated database and writes the text of the generated file. */
export async function describeDatabase(database) {
  const { sql } = await import('kysely');
  const { rows } = await sql.raw(catalogQuery).execute(database);
  return writeTables(rows);
}

async function generate() {
  const { register } = await import('tsx/esm/api');
  register();
  const platform = '../../api/src/platform';
  const { startEmbeddedPostgres } = await import(
    `${platform}/embedded-postgres/embedded-postgres.ts`
  );
  const { openDatabase } = await import(`${platform}/database/database.ts`);
  const { migrate } = await import(`${platform}/database/migrations.ts`);
  const folder = mkdtempSync(join(tmpdir(), 'diwan-database-types-'));
  const server = await startEmbeddedPostgres(folder);
  try {
    const database = openDatabase(server.connectionString, console.error);
    await migrate(database);
    writeFileSync(generatedPath, await describeDatabase(database));
    writeFileSync(schemaPath, await describeSchema(database));
    await database.destroy();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    if (!isCurrent(readText(generatedPath))) {
      console.error('The migrations or ColumnTypes have changed: run npm run database:types');
      process.exit(1);
    }
  } else await generate();
}
