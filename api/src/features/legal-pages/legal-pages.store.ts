import type { Database, Transaction } from '#platform/database/database.ts';
import type { LegalPageName } from '@diwan/contract/content/legal-pages';
import type { Language } from '@diwan/contract/wire/languages';

/** A section of a page as people read it. */
export interface LegalSection {
  id: string;
  title: string;
  text: string;
}
export type LegalSections = Record<Language, readonly LegalSection[]>;

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'legal_page_versions.page': LegalPageName;
    'legal_page_versions.sections': LegalSections;
    'legal_page_orders.page': LegalPageName;
    'legal_page_orders.removed': string[];
    'legal_page_orders.shown': string[];
  }
}

/** A version of a page without its text. */
export interface LegalVersion {
  id: number;
  page: LegalPageName;
  hash: string;
  published_at: Date;
}

/** Every version of every page, the newest first. */
export async function selectVersions(database: Database | Transaction): Promise<LegalVersion[]> {
  return database
    .selectFrom('legal_page_versions')
    .select(['id', 'page', 'hash', 'published_at'])
    .orderBy('id', 'desc')
    .execute();
}

export async function insertVersion(
  transaction: Transaction,
  version: { page: LegalPageName; sections: LegalSections; hash: string; at: Date },
): Promise<void> {
  await transaction
    .insertInto('legal_page_versions')
    .values({
      page: version.page,
      sections: JSON.stringify(version.sections),
      hash: version.hash,
      published_at: version.at,
    })
    .execute();
}

/** A version with its text. */
export async function findVersion(
  database: Database,
  id: number,
): Promise<(LegalVersion & { sections: LegalSections }) | undefined> {
  return database
    .selectFrom('legal_page_versions')
    .select(['id', 'page', 'hash', 'published_at', 'sections'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The sections that an administrator chose for a page, by their keys. */
export interface StoredOrder {
  page: LegalPageName;
  shown: readonly string[];
  removed: readonly string[];
  version: number;
}

export async function selectOrders(database: Database | Transaction): Promise<StoredOrder[]> {
  return database
    .selectFrom('legal_page_orders')
    .select(['page', 'shown', 'removed', 'version'])
    .execute();
}

/** Stores the order over this version of it; false where another one was stored meanwhile. */
export async function updateOrder(
  transaction: Transaction,
  { page, shown, removed, version }: StoredOrder,
  at: Date,
): Promise<boolean> {
  const values = {
    shown: JSON.stringify(shown),
    removed: JSON.stringify(removed),
    version: version + 1,
    changed_at: at,
  };
  // Two people who change the shipped order for the first time insert the same row.
  const stored =
    version === 0
      ? transaction
          .insertInto('legal_page_orders')
          .values({ page, ...values })
          .onConflict((conflict) => conflict.doNothing())
          .returning('page')
      : transaction
          .updateTable('legal_page_orders')
          .set(values)
          .where('page', '=', page)
          .where('version', '=', version)
          .returning('page');
  return (await stored.executeTakeFirst()) !== undefined;
}
