import type { Database, Transaction } from '#platform/database/database.ts';
import type { TextForm } from '@diwan/contract/content/text-checks';
import type { Language } from '@diwan/contract/wire/languages';

/** Overridden forms of a text by language: the text, and what the product shipped then. */
export type StoredOverrides = Partial<
  Record<Language, Partial<Record<TextForm, { text: string; shipped: string }>>>
>;

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'text_overrides.texts': StoredOverrides;
  }
}

export interface OverrideRow {
  noun: string;
  key: string;
  texts: StoredOverrides;
  version: number;
  changed_at: Date;
}

/** Every overridden text, also those that are as shipped again. */
export async function selectOverrides(database: Database | Transaction): Promise<OverrideRow[]> {
  return database
    .selectFrom('text_overrides')
    .select(['noun', 'key', 'texts', 'version', 'changed_at'])
    .execute();
}

/**
 * Locks the row of an entry, which is added when it is missing: two people who change a text for the
 * first time must not both win. A new row has version 0.
 */
export async function lockOverride(
  transaction: Transaction,
  noun: string,
  key: string,
): Promise<OverrideRow> {
  await transaction
    .insertInto('text_overrides')
    .values({ noun, key, texts: '{}', version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return transaction
    .selectFrom('text_overrides')
    .select(['noun', 'key', 'texts', 'version', 'changed_at'])
    .where('noun', '=', noun)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Stores the overrides of a locked entry as its next version. */
export async function updateOverride(
  transaction: Transaction,
  { noun, key, version }: OverrideRow,
  texts: StoredOverrides,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('text_overrides')
    .set({ texts: JSON.stringify(texts), version: version + 1, changed_at: at })
    .where('noun', '=', noun)
    .where('key', '=', key)
    .execute();
}

/** The override of one form. */
export const overrideOf = (texts: StoredOverrides, language: Language, form: TextForm) =>
  texts[language]?.[form];
