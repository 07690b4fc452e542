import type { Database, Transaction } from '#platform/database/database.ts';
import type { DesignDifference, NamedCode } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { selectNames, type ReferenceTable } from './references.store.ts';

/** Where the names of the ids in a property are. */
const referenceTables: Readonly<Record<string, ReferenceTable>> = {
  agencyId: 'agencies',
  categoryId: 'categories',
  accountTypeIds: 'account_types',
  workflowId: 'workflows',
};

/** The strings and numbers in a value, such as the names of the questions of a condition. */
function codesIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(codesIn) : [];
}

/** What the parts of a document are called, by their names. */
function namesOfParts({ form, attachments }: DraftDocument): [string, NamedCode][] {
  const parts: { name: string; title: LocalizedText; kind?: string; oneOf?: NamedCode['oneOf'] }[] =
    [
      ...attachments,
      ...form.steps.flatMap(({ fields, sections = [] }) => [
        ...sections,
        ...fields,
        ...fields.flatMap((field) => field.fields ?? []),
      ]),
    ];
  return parts.map(({ name, title, kind, oneOf }) => [name, { code: name, title, kind, oneOf }]);
}

/** Adds to each difference what the codes in its values are called now. */
export async function nameCodes(
  database: Database | Transaction,
  differences: readonly DesignDifference[],
  documents: readonly [before: DraftDocument, after: DraftDocument],
): Promise<DesignDifference[]> {
  const ofParts = new Map(documents.flatMap(namesOfParts));
  const ofRecords = new Map<string, Map<string, NamedCode>>();
  for (const property of new Set(differences.map((difference) => difference.property ?? ''))) {
    const table = referenceTables[property];
    if (!table) continue;
    const rows = await selectNames(database, table);
    ofRecords.set(
      property,
      new Map(rows.map(({ id, name }) => [String(id), { code: String(id), title: name }])),
    );
  }
  return differences.map((difference) => {
    const { property, language, before, after } = difference;
    if (property === undefined || language !== undefined) return difference;
    const names = ofRecords.get(property) ?? ofParts;
    const named = [...new Set(codesIn([before, after]))].flatMap((code) => names.get(code) ?? []);
    return named.length > 0 ? { ...difference, named } : difference;
  });
}
