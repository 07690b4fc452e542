import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.generated.ts';
import type { DocumentTable } from './document-uploads.ts';

/** The rows of the tables that hold one row for each uploaded file. */
interface Rows {
  attachments: Selectable<Tables['attachments']>;
  partner_documents: Selectable<Tables['partner_documents']>;
}

/** The queries that the upload of a file needs, over one of the tables of uploaded files. */
interface UploadedFileStore<Table extends keyof Rows> extends DocumentTable<Rows[Table]> {
  /** Whether a file is announced and its content has not arrived yet. */
  isAwaited(database: Database, id: string): Promise<boolean>;
}

/** The queries for one table. `table` needs the columns that the tables of uploaded files share. */
export function uploadedFileStore<Table extends keyof Rows>(
  table: Table,
): UploadedFileStore<Table> {
  // Kysely cannot type a query over a type parameter. The queries use shared columns only.
  const name = table as 'partner_documents';
  const store: UploadedFileStore<'partner_documents'> = {
    find: (database, id) =>
      database.selectFrom(name).selectAll().where('id', '=', id).executeTakeFirst(),

    async isAwaited(database, id) {
      const row = await database
        .selectFrom(name)
        .select('id')
        .where('id', '=', id)
        .where('uploaded_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    lockAwaitingContent: (transaction, id) =>
      transaction
        .selectFrom(name)
        .selectAll()
        .where('id', '=', id)
        .where('uploaded_at', 'is', null)
        .forUpdate()
        .executeTakeFirst(),

    setUploaded: (transaction, id, content) =>
      transaction
        .updateTable(name)
        .set({ ...content, uploaded_at: new Date() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async setScanned(database, id, state) {
      await database
        .updateTable(name)
        .set({ scan_state: state })
        .where('id', '=', id)
        .where('scan_state', '=', 'waiting')
        .execute();
      return store.find(database, id);
    },

    async selectWaiting(database, limit) {
      const rows = await database
        .selectFrom(name)
        .select('id')
        .where('scan_state', '=', 'waiting')
        .where('uploaded_at', 'is not', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },
  };
  return store as unknown as UploadedFileStore<Table>;
}
