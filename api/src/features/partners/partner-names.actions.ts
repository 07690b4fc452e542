import { recordChange } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import type { Admin } from '../users/admin/positions.actions.ts';
import * as store from './partner-records.store.ts';

// The names of a registration keep the same rules.
function parseNames(given: LocalizedText): LocalizedText {
  const names = { ...given };
  const wrong = languages.flatMap((language) => {
    const { values, issues } = checkContacts({ name: 'name' }, { name: given[language] });
    names[language] = values.name;
    return issues.map((issue) => ({ ...issue, field: `name.${language}` }));
  });
  if (wrong.length > 0) throw new ValidationRefusal(wrong);
  return names;
}

/** Changes the names of a service provider. Throws NotFound, RecordHasChanged. */
export async function changeNames(
  database: Database,
  admin: Admin,
  { partnerId, version, name }: { partnerId: number; version: number; name: LocalizedText },
): Promise<void> {
  const names = parseNames(name);
  await inTransaction(database, async (transaction) => {
    const partner = await store.lockPartner(transaction, partnerId);
    if (!partner) throw new Refusal('NotFound');
    if (partner.version !== version) throw new Refusal('RecordHasChanged');
    await store.updatePartner(transaction, partnerId, { name: JSON.stringify(names) });
    await recordChange(transaction, admin, {
      entity: 'partner',
      entityId: partnerId,
      name: names,
      action: 'changed',
      before: { name: partner.name },
      after: { name: names },
    });
  });
}
