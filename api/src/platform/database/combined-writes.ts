import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Tables } from './schema.generated.ts';

type Row<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]:
    | Insertable<Tables[Table]>[Column]
    | RawBuilder<unknown>;
};

/** An insert of rows that have the same columns; `undefined` is stored as null. */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly [Row<Table>, ...Row<Table>[]],
): RawBuilder<unknown> {
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
  // The names are compiled once for each shape of a row, as raw text: `sql.ref` takes four times as long.
  return sql`
    insert into ${sql.raw(table)} (${sql.raw(Object.keys(rows[0]).join(', '))})
    values ${sql.join(values)}`;
}

/**
 * Several writes as one statement. Each may select the rows that those before it return, by their
 * names, and none sees what the others write. Triggers run after all of them.
 */
export function combineWrites(
  writes: Readonly<Record<string, RawBuilder<unknown> | undefined>>,
): RawBuilder<unknown> {
  const parts = Object.entries(writes).flatMap(([name, write]) =>
    write ? [sql`${sql.raw(name)} as (${write})`] : [],
  );
  return sql`with ${sql.join(parts)}`;
}
