import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ReasonKind } from '@diwan/contract/requests/rejection-reasons';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'rejection_reasons.kind': ReasonKind;
    'rejection_reasons.name': LocalizedText;
  }
}

export type ReasonRow = Selectable<Tables['rejection_reasons']>;

/** Every reason, retired ones included. */
export function selectReasons(database: Database | Transaction): Promise<ReasonRow[]> {
  return database.selectFrom('rejection_reasons').selectAll().orderBy('id').execute();
}

/** Lets one transaction write at a time, so that names stay unique. Returns every reason. */
export async function lockReasons(transaction: Transaction): Promise<ReasonRow[]> {
  await sql`lock table rejection_reasons in share row exclusive mode`.execute(transaction);
  return selectReasons(transaction);
}

/** The id of the new reason. */
export async function insertReason(
  transaction: Transaction,
  kind: ReasonKind,
  name: LocalizedText,
): Promise<number> {
  const { id } = await transaction
    .insertInto('rejection_reasons')
    .values({ kind, name: JSON.stringify(name) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateReason(
  transaction: Transaction,
  id: number,
  name: LocalizedText,
  retiredAt: Date | null,
): Promise<void> {
  await transaction
    .updateTable('rejection_reasons')
    .set((eb) => ({
      name: JSON.stringify(name),
      retired_at: retiredAt,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}
