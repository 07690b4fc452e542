import type { Database, Transaction } from '#platform/database/database.ts';
import type { StoredPortalDetails } from '#platform/portal/portal-details.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'portal_details.content': StoredPortalDetails;
  }
}

export interface PortalDetailsRow {
  content: StoredPortalDetails;
  version: number;
}

/** Undefined until the details are saved for the first time. */
export async function selectPortalDetails(
  database: Database | Transaction,
): Promise<PortalDetailsRow | undefined> {
  return database.selectFrom('portal_details').select(['content', 'version']).executeTakeFirst();
}

/** Locks the details. A new row has version 0: of two people who save first, one wins. */
export async function lockPortalDetails(transaction: Transaction): Promise<PortalDetailsRow> {
  await transaction
    .insertInto('portal_details')
    .values({ content: '{}', version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return transaction
    .selectFrom('portal_details')
    .select(['content', 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Stores the locked details as their next version. */
export async function updatePortalDetails(
  transaction: Transaction,
  content: StoredPortalDetails,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('portal_details')
    .set((row) => ({
      content: JSON.stringify(content),
      version: row('version', '+', 1),
      changed_at: at,
    }))
    .execute();
}
