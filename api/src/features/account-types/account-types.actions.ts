import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { saveAccountType, AccountTypeRecord } from '@diwan/contract/catalogue/account-types';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { Catalogue } from '../services/services.actions.ts';
import { lockAccountType, selectAccountTypes, updateAccountType } from './account-types.store.ts';

/** The account types in three languages. */
export async function listAccountTypes(database: Database): Promise<AccountTypeRecord[]> {
  return selectAccountTypes(database);
}

/** Changes the texts of an account type. Throws NotFound, RecordHasChanged. */
export async function saveAccountTypeTexts(
  database: Database,
  catalogue: Catalogue,
  author: ChangeAuthor,
  { id, version, ...texts }: BodyOf<typeof saveAccountType>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const known = await lockAccountType(transaction, id);
    if (!known) throw new Refusal('NotFound');
    if (known.version !== version) throw new Refusal('RecordHasChanged');
    await updateAccountType(transaction, { ...known, ...texts, version: version + 1 });
    const { name, alt, description } = known;
    await recordChange(transaction, author, {
      entity: 'accountType',
      entityId: id,
      name: texts.name,
      action: 'changed',
      before: { name, alt, description },
      after: texts,
    });
  });
  await afterCall(() => catalogue.refresh());
}
