import { findFieldChanges } from '#platform/auth/changes.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import type { FileAccountType, FileGroup } from '@diwan/contract/catalogue/catalogue-file';
import type { Emirate } from '@diwan/contract/forms/emirates';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import {
  insertGroup,
  selectGroups,
  updateGroup,
  type GroupRow,
  type GroupTable,
} from '../groups/groups.store.ts';
import { isKnownLogo } from '../logos/logos.store.ts';
import { selectAccountTypes, selectSynonyms } from './export.store.ts';
import {
  actionOf,
  addChange,
  addProblem,
  entities,
  isTransaction,
  record,
  refusesShared,
  type Import,
} from './import-context.ts';
import { insertSynonym, updateAccountType } from './import.store.ts';
import type { ShownValue } from './stored-summary.ts';

function missingGroupFields(table: GroupTable, group: FileGroup): string[] {
  const needed = table === 'categories' ? (['name', 'description'] as const) : (['name'] as const);
  return needed.filter((field) => group[field] === undefined);
}

type WholeGroup = {
  name: LocalizedText;
  description: LocalizedText | null;
  logo: string;
  /** Of an agency. */
  centres: LocalizedText | null;
  emirate: Emirate | null;
  isRetired: boolean;
};

const translateForms = createTranslator('forms');
const inWords = (field: string, value: ShownValue) =>
  field === 'emirate' && value ? localizedText(translateForms, `emirates.${value}`) : value;

/** A group as it is, and as it is after the import. */
function mergeGroup({ slug, ...group }: FileGroup, known: GroupRow | undefined): WholeGroup {
  const stored: WholeGroup = {
    name: known?.name ?? { 'ar-EG': slug, 'en-US': slug, 'ur-PK': slug },
    description: known?.description ?? null,
    logo: known?.logo ?? '/logos/neutral.svg',
    centres: known?.centres ?? null,
    emirate: known?.emirate ?? null,
    isRetired: isRetiredRow(known),
  };
  const given = Object.entries(group).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(given) };
}

const isRetiredRow = (row: GroupRow | undefined) => row !== undefined && row.retired_at !== null;

async function storeGroup(
  { transaction }: Import,
  table: GroupTable,
  { slug, ...group }: WholeGroup & { slug: string },
  known: GroupRow | undefined,
): Promise<number> {
  if (!isTransaction(transaction)) throw new Error('A dry run stores nothing');
  const { isRetired, ...texts } = group;
  const id = known?.id ?? (await insertGroup(transaction, table, { slug, ...texts }));
  if (known || isRetired)
    await updateGroup(transaction, table, id, {
      ...texts,
      ours_in: known?.ours_in ?? [],
      retired_at: isRetired ? (known?.retired_at ?? new Date()) : null,
    });
  return id;
}

/** The groups that services may name, by slug: their id, name and whether they are retired. */
export type Groups = Map<string, { id: number; name: LocalizedText; isRetired: boolean }>;

async function checkGroup(
  imported: Import,
  table: GroupTable,
  group: FileGroup,
  { known, row }: { known: GroupRow | undefined; row: number },
): Promise<void> {
  if (!known)
    for (const column of missingGroupFields(table, group))
      addProblem(imported, { list: table, row, column, code: 'required' });
  if (group.logo && !(await isKnownLogo(imported.transaction, group.logo)))
    addProblem(imported, {
      list: table,
      row,
      column: 'logo',
      code: 'unknownReference',
      params: { key: group.logo },
    });
}

async function importGroup(
  imported: Import,
  table: GroupTable,
  { group, known, index }: { group: FileGroup; known: GroupRow | undefined; index: number },
): Promise<{ id: number } & WholeGroup> {
  const after = mergeGroup(group, known);
  const before = known && mergeGroup({ slug: known.slug }, known);
  const fields = findFieldChanges(before, after);
  if (known && fields.length === 0) {
    addChange(imported, { list: table, action: 'unchanged' });
    return { id: known.id, ...after };
  }
  const place = { list: table, row: imported.plan.rows[table][index] ?? 0 };
  if (refusesShared(imported, { ...place, column: fields[0]?.field ?? 'slug' }))
    return { id: known?.id ?? -1 - index, ...after };
  const { name } = after;
  const action = actionOf(known?.id, isRetiredRow(known), after.isRetired);
  addChange(imported, {
    list: table,
    key: group.slug,
    name,
    action,
    fields: known
      ? fields.map(({ field, before: was, after: is }) => ({
          field,
          before: inWords(field, was),
          after: inWords(field, is),
        }))
      : [],
  });
  const id = imported.isDryRun
    ? (known?.id ?? -1 - index)
    : await storeGroup(imported, table, { slug: group.slug, ...after }, known);
  await record(imported, [{ entity: entities[table], entityId: id, name, action, before, after }]);
  return { id, ...after };
}

/** Imports the agencies or categories of a file. Returns all that services may name. */
export async function importGroups(imported: Import, table: GroupTable): Promise<Groups> {
  const { plan } = imported;
  const rows = await selectGroups(imported.transaction, table);
  const groups: Groups = new Map(
    rows.map((row) => [row.slug, { id: row.id, name: row.name, isRetired: isRetiredRow(row) }]),
  );
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  for (const [index, group] of plan.file[table].entries()) {
    const known = bySlug.get(group.slug);
    await checkGroup(imported, table, group, { known, row: plan.rows[table][index] ?? 0 });
    groups.set(group.slug, await importGroup(imported, table, { group, known, index }));
  }
  return groups;
}

/** Imports the texts of account types. */
export async function importAccountTypes(imported: Import): Promise<void> {
  const { plan, transaction, isDryRun } = imported;
  const rows = await selectAccountTypes(transaction);
  for (const [index, type] of plan.file.accountTypes.entries()) {
    const known = rows.find(({ slug }) => slug === type.slug);
    const { slug, ...texts } = type;
    const given = Object.fromEntries(
      Object.entries(texts).filter(([, value]) => value !== undefined),
    ) as Partial<Omit<FileAccountType, 'slug'>>;
    const before = known && { name: known.name, alt: known.alt, description: known.description };
    const fields = findFieldChanges(before, { ...before, ...given });
    if (!known || fields.length === 0) {
      addChange(imported, { list: 'accountTypes', action: 'unchanged' });
      continue;
    }
    const place = { list: 'accountTypes', row: plan.rows.accountTypes[index] ?? 0 };
    if (refusesShared(imported, { ...place, column: fields[0]?.field ?? 'slug' })) continue;
    addChange(imported, {
      list: 'accountTypes',
      key: slug,
      name: given.name ?? known.name,
      action: 'changed',
      fields: fields.map(({ field, before: was, after: is }) => ({
        field,
        before: was,
        after: is,
      })),
    });
    if (isDryRun) continue;
    await updateAccountType(transaction, known.id, given);
    await record(imported, [
      {
        entity: 'accountType',
        entityId: known.id,
        name: known.name,
        action: 'changed',
        before,
        after: { ...before, ...given },
      },
    ]);
  }
}

/** Adds the groups of synonyms that are not there yet. */
export async function importSynonyms(imported: Import): Promise<void> {
  const { plan, transaction, isDryRun } = imported;
  if (plan.file.synonyms.length === 0) return;
  const rows = await selectSynonyms(transaction);
  const keyOf = (words: readonly string[]) => [...words].sort().join('\n');
  const known = new Set(rows.map(({ words }) => keyOf(words)));
  for (const [index, { words }] of plan.file.synonyms.entries()) {
    if (known.has(keyOf(words))) {
      addChange(imported, { list: 'synonyms', action: 'unchanged' });
      continue;
    }
    const place = { list: 'synonyms', row: plan.rows.synonyms[index] ?? 0 };
    if (refusesShared(imported, { ...place, column: 'words' })) continue;
    const name = words.join(', ');
    addChange(imported, { list: 'synonyms', key: name, name, action: 'created', fields: [] });
    if (isDryRun) continue;
    const { id } = await insertSynonym(transaction, words);
    await record(imported, [
      { entity: 'synonym', entityId: id, name, action: 'created', after: { words: name } },
    ]);
  }
}
