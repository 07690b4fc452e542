import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { unsentFileStore, uploadedFileStore } from '#platform/files/uploaded-file.store.ts';
import type { ScanState } from '@diwan/contract/wire/uploads';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'partner_documents.scan_state': ScanState;
  }
}

export type DocumentRow = Selectable<Tables['partner_documents']>;

export const uploads = uploadedFileStore('partner_documents');
export const unsent = unsentFileStore('partner_documents');

export function selectOfPartner(
  database: Database | Transaction,
  partnerId: number,
): Promise<DocumentRow[]> {
  return database
    .selectFrom('partner_documents')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .orderBy('uploaded_at')
    .orderBy('id')
    .execute();
}

/** Binds documents to a partner; they replace those of the same name. */
export async function bind(
  transaction: Transaction,
  partnerId: number,
  documents: readonly DocumentRow[],
): Promise<void> {
  if (documents.length === 0) return;
  await transaction
    .updateTable('partner_documents')
    .set({ replaced_at: new Date() })
    .where('partner_id', '=', partnerId)
    .where('replaced_at', 'is', null)
    .where(
      'name',
      'in',
      documents.map(({ name }) => name),
    )
    .execute();
  await transaction
    .updateTable('partner_documents')
    .set({ partner_id: partnerId })
    .where(
      'id',
      'in',
      documents.map(({ id }) => id),
    )
    .execute();
}
