import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { Seller } from '@diwan/contract/payments/sellers';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'sellers.emirate': Seller['emirate'];
    'sellers.legal_name': LocalizedText;
    'sellers.registration_kind': Seller['registrationKind'];
  }
}

export type SellerRow = Selectable<Tables['sellers']>;

/** The stored sellers with the names of their agencies; the operator first. */
export function selectSellers(
  database: Database,
): Promise<(SellerRow & { agency_name: LocalizedText | null })[]> {
  return database
    .selectFrom('sellers')
    .leftJoin('agencies', 'agencies.id', 'sellers.agency_id')
    .selectAll('sellers')
    .select('agencies.name as agency_name')
    .orderBy('agencies.position')
    .orderBy('sellers.id')
    .execute()
    .then((rows) => rows.toSorted((one, other) => rank(one) - rank(other)));
}

const rank = ({ agency_id: agencyId }: SellerRow): number => (agencyId === null ? 0 : 1);

/** A seller: of an agency, or the operator, who has none. */
export function findSeller(
  database: Database | Transaction,
  agencyId: number | null,
): Promise<SellerRow | undefined> {
  return database
    .selectFrom('sellers')
    .selectAll()
    .where(sql<boolean>`agency_id is not distinct from ${agencyId}::int`)
    .executeTakeFirst();
}

/** Stores a seller over a version of it, 0 for a new one. False where somebody else was faster. */
export async function writeSeller(
  transaction: Transaction,
  row: Omit<SellerRow, 'id'>,
): Promise<boolean> {
  const { version, ...content } = { ...row, legal_name: JSON.stringify(row.legal_name) };
  const result =
    version === 0
      ? await transaction
          .insertInto('sellers')
          .values(content)
          .onConflict((conflict) => conflict.constraint('sellers_agency').doNothing())
          .executeTakeFirst()
      : await transaction
          .updateTable('sellers')
          .set({ ...content, version: version + 1 })
          .where(sql<boolean>`agency_id is not distinct from ${row.agency_id}::int`)
          .where('version', '=', version)
          .executeTakeFirst();
  const changed =
    'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
  return (changed ?? 0n) > 0n;
}

/** The name of an agency that is there, in three languages. */
export async function findAgencyName(
  transaction: Transaction,
  agencyId: number,
): Promise<LocalizedText | undefined> {
  const row = await transaction
    .selectFrom('agencies')
    .select('name')
    .where('id', '=', agencyId)
    .executeTakeFirst();
  return row?.name;
}
