import type { Database, Transaction } from '#platform/database/database.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** What a document may refer to, and who has its name in addresses. */
export async function readReferences(
  database: Database | Transaction,
  serviceId: number,
  replacedName: string,
) {
  const [agencies, categories, accountTypes, workflows, owner, services] = await Promise.all([
    database.selectFrom('agencies').select('id').execute(),
    database.selectFrom('categories').select('id').execute(),
    database.selectFrom('account_types').select('id').execute(),
    database.selectFrom('workflows').select('id').execute(),
    database
      .selectFrom('services')
      .select('id')
      .where('replaced_name', '=', replacedName)
      .where('id', '<>', serviceId)
      .executeTakeFirst(),
    database
      .selectFrom('services')
      .select('replaced_name')
      .where('deleted_at', 'is', null)
      .execute(),
  ]);
  const idsOf = (rows: { id: number }[]) => new Set(rows.map(({ id }) => id));
  return {
    agencyIds: idsOf(agencies),
    categoryIds: idsOf(categories),
    accountTypeIds: idsOf(accountTypes),
    workflowIds: idsOf(workflows),
    isAddressTaken: owner !== undefined,
    addresses: new Set(services.map((row) => row.replaced_name)),
  };
}
export type References = Awaited<ReturnType<typeof readReferences>>;

export type ReferenceTable = 'agencies' | 'categories' | 'account_types' | 'workflows';

/** The names of the records of a table that services refer to. A workflow has one in no language. */
export async function selectNames(
  database: Database | Transaction,
  table: ReferenceTable,
): Promise<{ id: number; name: LocalizedText }[]> {
  if (table !== 'workflows') return database.selectFrom(table).select(['id', 'name']).execute();
  const rows = await database.selectFrom('workflows').select(['id', 'document']).execute();
  return rows.map(({ id, document: { name, version } }) => {
    const title = `${name} ${version}`;
    return { id, name: { 'ar-EG': title, 'en-US': title, 'ur-PK': title } };
  });
}
