import type { Insertable, Selectable } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { acquireNamedLock } from '../database/named-lock.ts';
import type { Tables } from '../database/schema.generated.ts';
import { inTransaction } from '../database/unit-of-work.ts';
import type { DocumentTable } from './document-uploads.ts';

/** The rows of the tables that hold one row for each uploaded file. */
interface Rows {
  attachments: Selectable<Tables['attachments']>;
  partner_documents: Selectable<Tables['partner_documents']>;
  complaint_documents: Selectable<Tables['complaint_documents']>;
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

/** The column that says what a file was sent with; it is null until then. */
const senders = { partner_documents: 'partner_id', complaint_documents: 'complaint_id' } as const;
type SentTable = keyof typeof senders;

/** The queries for files that belong to a person alone until they are sent with something. */
interface UnsentFileStore<Table extends SentTable> {
  /**
   * Inserts a file and returns its id, or the limit that it would exceed: announcements within an hour,
   * or bytes that were not sent with anything. Locks the person, so that parallel calls cannot exceed
   * the limits.
   */
  insert(
    database: Database,
    row: Insertable<Tables[Table]>,
    limits: { maximumRecent: number; maximumBytes: number },
  ): Promise<{ id: string } | 'tooMany' | 'tooLarge'>;
  /** Locks files of a person that have arrived and were not sent with anything. */
  lock(transaction: Transaction, userId: string, ids: readonly string[]): Promise<Rows[Table][]>;
  /** Deletes those that were announced before a time, and returns their ids. */
  deleteOld(database: Database, before: Date): Promise<string[]>;
}

/** The queries for unsent files of one table. */
export function unsentFileStore<Table extends SentTable>(table: Table): UnsentFileStore<Table> {
  // As above: Kysely cannot type a query over a type parameter.
  const name = table as 'partner_documents';
  const sentWith = senders[table] as 'partner_id';

  async function findExceeded(
    transaction: Transaction,
    { user_id: userId, size }: Insertable<Tables['partner_documents']>,
    { maximumRecent, maximumBytes }: { maximumRecent: number; maximumBytes: number },
  ): Promise<'tooMany' | 'tooLarge' | undefined> {
    const { recent, bytes } = await transaction
      .selectFrom(name)
      .select((eb) => [
        eb.fn
          .countAll<number>()
          .filterWhere('created_at', '>', new Date(Date.now() - 3_600_000))
          .as('recent'),
        eb.fn.sum<string | null>('size').filterWhere(sentWith, 'is', null).as('bytes'),
      ])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (recent >= maximumRecent) return 'tooMany';
    return Number(bytes ?? 0) + size > maximumBytes ? 'tooLarge' : undefined;
  }

  const store: UnsentFileStore<'partner_documents'> = {
    insert: (database, row, limits) =>
      inTransaction(database, async (transaction) => {
        await acquireNamedLock(transaction, `${name} of ${row.user_id}`);
        return (
          (await findExceeded(transaction, row, limits)) ??
          transaction.insertInto(name).values(row).returning('id').executeTakeFirstOrThrow()
        );
      }),

    lock(transaction, userId, ids) {
      if (ids.length === 0) return Promise.resolve([]);
      return (
        transaction
          .selectFrom(name)
          .selectAll()
          .where('id', 'in', ids)
          // guard: sender of a file that is sent with something (complaint-documents, partner-life)
          .where('user_id', '=', userId)
          .where(sentWith, 'is', null)
          .where('uploaded_at', 'is not', null)
          .where('scan_state', '!=', 'infected')
          .orderBy('id')
          .forUpdate()
          .execute()
      );
    },

    async deleteOld(database, before) {
      const rows = await database
        .deleteFrom(name)
        .where(sentWith, 'is', null)
        .where('created_at', '<', before)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
  return store as unknown as UnsentFileStore<Table>;
}
