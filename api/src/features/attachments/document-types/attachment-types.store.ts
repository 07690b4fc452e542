import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'attachment_types.description': LocalizedText;
    'attachment_types.media_types': AttachmentRule['mediaTypes'];
    'attachment_types.name': LocalizedText;
  }
}

export interface AttachmentTypeRow {
  id: number;
  name: LocalizedText;
  description: LocalizedText | null;
  media_types: AttachmentRule['mediaTypes'];
  maximum_bytes: number;
  maximum_count: number;
  version: number;
  retired_at: Date | null;
}
type Values = Omit<AttachmentTypeRow, 'id' | 'version'>;

/** Every type in its order, retired ones included. */
export async function selectTypes(database: Database | Transaction): Promise<AttachmentTypeRow[]> {
  const { rows } = await sql<AttachmentTypeRow>`
    select
      id, name, description, media_types, maximum_bytes, maximum_count, version, retired_at
    from attachment_types
    order by position, id`.execute(database);
  return rows;
}

/** Lets one transaction write at a time, so that names stay unique. Returns every type. */
export async function lockTypes(transaction: Transaction): Promise<AttachmentTypeRow[]> {
  await sql`lock table attachment_types in share row exclusive mode`.execute(transaction);
  return selectTypes(transaction);
}

const columnsOf = ({ name, description, ...rest }: Values) => ({
  ...rest,
  name: JSON.stringify(name),
  description: description && JSON.stringify(description),
});

/** Inserts a type after all others and returns its id. */
export async function insertType(transaction: Transaction, values: Values): Promise<number> {
  const position = sql<number>`(select coalesce(max(position), 0) + 1 from attachment_types)`;
  const { id } = await transaction
    .insertInto('attachment_types')
    .values({ ...columnsOf(values), position })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateType(
  transaction: Transaction,
  id: number,
  values: Values,
): Promise<void> {
  await transaction
    .updateTable('attachment_types')
    .set((eb) => ({ ...columnsOf(values), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Gives each type the position of its id in the list. */
export async function updateTypePositions(
  transaction: Transaction,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update attachment_types
    set position = ordered.position
    from unnest(${[...ids]}::int[]) with ordinality as ordered (id, position)
    where attachment_types.id = ordered.id`.execute(transaction);
}
