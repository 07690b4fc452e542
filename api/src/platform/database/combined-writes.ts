import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Tables } from './schema.generated.ts';

type Row<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]:
    | Insertable<Tables[Table]>[Column]
    | RawBuilder<unknown>;
};

// The texts around the values of statements, by their shape. A statement of a new request has seventy
// values; built of a part for each value, it left 13 kB more of garbage.
const known = new Map<string, TemplateStringsArray>();

function textsOf(shape: string, make: () => string[]): TemplateStringsArray {
  const found = known.get(shape);
  if (found) return found;
  const texts = make();
  const made = Object.assign(texts, { raw: texts });
  known.set(shape, made);
  return made;
}

/** An insert of rows that have the same columns; `undefined` is stored as null. */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly [Row<Table>, ...Row<Table>[]],
): RawBuilder<unknown> {
  const columns = Object.keys(rows[0]).join(', ');
  const values = rows.flatMap((row): unknown[] => Object.values(row));
  const texts = textsOf(`${rows.length} ${table} ${columns}`, () => [
    ...values.map((_, index) => {
      if (index === 0) return `insert into ${table} (${columns}) values (`;
      return index % (values.length / rows.length) === 0 ? '), (' : ', ';
    }),
    ')',
  ]);
  return sql(texts, ...values);
}

/**
 * Several writes as one statement. Each may select the rows that those before it return, by their
 * names, and none sees what the others write. Triggers run after all of them.
 */
export function combineWrites(
  writes: Readonly<Record<string, RawBuilder<unknown> | undefined>>,
): RawBuilder<unknown> {
  const parts = Object.entries(writes).filter(([, write]) => write !== undefined);
  const names = parts.map(([name]) => name);
  const texts = textsOf(`with ${names.join()}`, () => [
    ...names.map((name, index) => `${index === 0 ? 'with' : '),'} ${name} as (`),
    ')',
  ]);
  return sql(texts, ...parts.map(([, write]) => write));
}
