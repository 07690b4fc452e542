import type { Caller } from '#platform/auth/caller.ts';
import { isPortalStaff } from '#platform/auth/caller.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import { maximumSnippets, type Snippet } from '@diwan/contract/people/snippets';
import type { Language } from '@diwan/contract/wire/languages';
import * as store from './snippets.store.ts';

const readerOf = (caller: Caller): store.SnippetReader => ({
  userId: caller.userId,
  partnerId: isPortalStaff(caller) ? null : caller.partnerId,
});

// Shared texts outlive their author: admins change those of the portal, every supervisor those of the
// own service provider.
function canChange(caller: Caller, row: store.SnippetRow): boolean {
  return (
    row.user_id === caller.userId ||
    (row.is_shared && (row.partner_id !== null || caller.roles.includes('Admin')))
  );
}

const describe = (caller: Caller, row: store.SnippetRow, language: Language): Snippet => ({
  snippetId: row.id,
  name: row.name,
  messageAr: row.texts['ar-EG'] ?? '',
  messageEn: row.texts['en-US'] ?? '',
  messageUr: row.texts['ur-PK'] ?? '',
  isShared: row.is_shared,
  canChange: canChange(caller, row),
  owner: row.user_id === caller.userId ? undefined : localizePersonName(row, language),
  version: row.version,
});

/** The texts of the caller and the shared ones of the office, by name. */
export async function listSnippets(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<Snippet[]> {
  const rows = await store.selectSnippets(database, readerOf(caller));
  return rows.map((row) => describe(caller, row, language));
}

interface SentSnippet extends Pick<
  Snippet,
  'name' | 'messageAr' | 'messageEn' | 'messageUr' | 'isShared'
> {
  snippetId?: string | undefined;
  version?: number | undefined;
}

// Throws a ValidationRefusal without any text, and for a name of invisible characters.
function readSnippet(sent: SentSnippet) {
  const name = cleanText(sent.name, false);
  const written = (
    [
      ['ar-EG', sent.messageAr],
      ['en-US', sent.messageEn],
      ['ur-PK', sent.messageUr],
    ] as const
  ).flatMap(([language, text]) => {
    const clean = cleanText(text, true);
    return clean === '' ? [] : [[language, clean] as const];
  });
  if (name === '') throw new ValidationRefusal([{ field: 'name', code: 'required' }]);
  if (written.length === 0) throw new ValidationRefusal([{ field: 'messageAr', code: 'required' }]);
  return {
    name,
    texts: JSON.stringify(Object.fromEntries(written)),
    is_shared: sent.isShared,
  };
}

// A text of a colleague that the caller may only read is refused like one that does not exist.
async function findOwn(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<store.SnippetRow> {
  const rows = await store.selectSnippets(transaction, readerOf(caller));
  const row = rows.find((each) => each.id === id);
  if (!row || !canChange(caller, row)) throw new Refusal('SnippetNotFound');
  return row;
}

/**
 * Adds or changes a text. Throws SnippetNotFound, RecordHasChanged, SnippetNameTaken,
 * TooManySnippets, a ValidationRefusal.
 */
export async function saveSnippet(
  database: Database,
  caller: Caller,
  sent: SentSnippet,
): Promise<void> {
  const row = readSnippet(sent);
  await inTransaction(database, async (transaction) => {
    const known =
      sent.snippetId === undefined ? undefined : await findOwn(transaction, caller, sent.snippetId);
    const ownerId = known?.user_id ?? caller.userId;
    await store.lockOwner(transaction, ownerId);
    const reader = { ...readerOf(caller), userId: ownerId };
    const own = (await store.selectSnippets(transaction, reader)).filter(
      ({ user_id: userId }) => userId === ownerId,
    );
    const isTaken = own.some(
      ({ id, name }) => id !== known?.id && name.toLowerCase() === row.name.toLowerCase(),
    );
    if (isTaken) throw new Refusal('SnippetNameTaken');
    if (known) {
      const isSeen = sent.version === undefined || sent.version === known.version;
      if (!isSeen || !(await store.updateSnippet(transaction, known, row)))
        throw new Refusal('RecordHasChanged');
      return;
    }
    if (own.length >= maximumSnippets)
      throw new Refusal('TooManySnippets', { maximum: maximumSnippets });
    await store.insertSnippet(transaction, {
      ...row,
      user_id: ownerId,
      partner_id: reader.partnerId,
    });
  });
}

/** Deletes a text. Throws SnippetNotFound. */
export async function deleteSnippet(
  database: Database,
  caller: Caller,
  snippetId: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const row = await findOwn(transaction, caller, snippetId);
    await store.removeSnippet(transaction, row.id);
  });
}
