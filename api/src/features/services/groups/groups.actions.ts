import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { cleanLocalizedText, refuseTakenName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { saveAgencyDiscounts as saveAgencyDiscountsCall } from '@diwan/contract/catalogue/agencies';
import { withRate, type DiscountRule } from '@diwan/contract/catalogue/fees';
import type { GroupChange, GroupRecord } from '@diwan/contract/catalogue/groups';
import type { ChangeAction } from '@diwan/contract/people/changes';
import type { BodyOf, EveryField } from '@diwan/contract/wire/call';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { isKnownLogo } from '../logos/logos.store.ts';
import type { Catalogue } from '../services.actions.ts';
import {
  insertGroup,
  lockGroups,
  selectGroups,
  updateGroup,
  updatePositions,
  type GroupRow,
  type GroupTable,
} from './groups.store.ts';

const entities = { agencies: 'agency', categories: 'category' } as const;

/** Every agency or category, retired ones included. */
export async function listGroups(database: Database, table: GroupTable): Promise<GroupRecord[]> {
  return (await selectGroups(database, table)).map((row): EveryField<GroupRecord> => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description ?? undefined,
    logo: row.logo,
    isRetired: row.retired_at !== null,
    version: row.version,
    servicesCount: row.services_count,
    discounts: row.discounts ?? undefined,
    centres: row.centres ?? undefined,
    emirate: table === 'agencies' ? row.emirate : undefined,
    administratorsCount: row.administrators_count ?? undefined,
    administratorLostAt:
      row.administrators_count === 0 && row.retired_at === null
        ? row.administrator_lost_at?.toISOString()
        : undefined,
  }));
}

/** A name for files, made from the English name; it never changes. */
function makeSlug(name: string, taken: ReadonlySet<string>, fallback: string): string {
  const plain =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60)
      .replace(/-$/, '') || fallback;
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? plain : `${plain}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}

/** What happened to a record, by its state before and after. */
function changeAction(
  wasRetired: boolean | undefined,
  isRetired: boolean,
): Extract<ChangeAction, 'created' | 'changed' | 'retired' | 'restored'> {
  if (wasRetired === undefined) return 'created';
  if (wasRetired === isRetired) return 'changed';
  return isRetired ? 'retired' : 'restored';
}

// The languages in which a text is still the wording that came with the product.
function stillOurs(row: GroupRow, name: LocalizedText, description: LocalizedText | null) {
  return row.ours_in.filter((language) => {
    const key = language as keyof LocalizedText;
    return row.name[key] === name[key] && row.description?.[key] === description?.[key];
  });
}

type GroupFields = Pick<GroupRow, 'name' | 'description' | 'logo' | 'discounts'> &
  Partial<Pick<GroupRow, 'centres' | 'emirate'>>;

// Each discount is one part of a text in every language.
function describeDiscounts(discounts: readonly DiscountRule[]): LocalizedText | '' {
  if (discounts.length === 0) return '';
  const texts = languages.map((language) => [
    language,
    discounts.map(({ title, rate }) => withRate(title, rate)[language]).join(' · '),
  ]);
  return Object.fromEntries(texts) as LocalizedText;
}

const fieldsOf = ({ name, description, logo, discounts, centres, emirate }: GroupFields) => ({
  name,
  ...(description ? { description } : {}),
  logo,
  ...(discounts ? { discounts: describeDiscounts(discounts) } : {}),
  ...(centres ? { centres } : {}),
  ...(emirate ? { emirate } : {}),
});

async function refuseUnknownLogo(
  transaction: Transaction,
  logo: string | undefined,
  before: string | undefined,
): Promise<void> {
  if (logo === undefined || logo === before) return;
  if (!(await isKnownLogo(transaction, logo))) throw new Refusal('LogoNotFound');
}

// A category has neither centres nor an emirate; without them in the change an agency keeps its own.
function ofAgencyAfter(table: GroupTable, change: GroupChange, known: GroupRow | undefined) {
  if (table !== 'agencies') return {};
  const { centres, emirate } = change;
  return {
    centres:
      centres === undefined
        ? (known?.centres ?? null)
        : centres && cleanLocalizedText(centres, true),
    emirate: emirate === undefined ? (known?.emirate ?? null) : emirate,
  };
}

async function storeGroup(
  transaction: Transaction,
  table: GroupTable,
  { change, known, others }: { change: GroupChange; known?: GroupRow; others: readonly GroupRow[] },
): Promise<{ id: number; after: GroupFields }> {
  const after = {
    name: cleanLocalizedText(change.name),
    description: change.description ? cleanLocalizedText(change.description, true) : null,
    logo: change.logo ?? known?.logo ?? '/logos/neutral.svg',
    discounts: change.discounts ?? known?.discounts ?? null,
    ...ofAgencyAfter(table, change, known),
  };
  await refuseUnknownLogo(transaction, change.logo, known?.logo);
  if (!change.isRetired) refuseTakenName(after.name, others);
  if (!known) {
    const slugs = new Set(others.map(({ slug }) => slug));
    const slug = makeSlug(after.name['en-US'], slugs, entities[table]);
    return { id: await insertGroup(transaction, table, { slug, ...after }), after };
  }
  await updateGroup(transaction, table, known.id, {
    ...after,
    ours_in: stillOurs(known, after.name, after.description),
    retired_at: change.isRetired ? (known.retired_at ?? new Date()) : null,
  });
  return { id: known.id, after };
}

/**
 * Adds, changes, retires or restores an agency or a category. Throws NotFound, RecordHasChanged,
 * GroupInUse, LogoNotFound, or a ValidationRefusal.
 */
export async function saveGroup(
  database: Database,
  catalogue: Catalogue,
  table: GroupTable,
  { author, change }: { author: ChangeAuthor; change: GroupChange },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await lockGroups(transaction, table);
    const known = all.find(({ id }) => id === change.id);
    if (change.id !== undefined && !known) throw new Refusal('NotFound');
    if (known && change.version !== known.version) throw new Refusal('RecordHasChanged');
    const wasRetired = known && known.retired_at !== null;
    const isRetired = change.isRetired === true;
    if (isRetired && !wasRetired && (known?.services_count ?? 0) > 0)
      throw new Refusal('GroupInUse');
    const others = all.filter(({ id }) => id !== change.id);
    const { id, after } = await storeGroup(transaction, table, {
      change,
      ...(known ? { known } : {}),
      others,
    });
    await recordChange(transaction, author, {
      entity: entities[table],
      entityId: id,
      name: after.name,
      action: changeAction(wasRetired, isRetired),
      before: known && { ...fieldsOf(known), isRetired: wasRetired },
      after: { ...fieldsOf(after), isRetired },
    });
  });
  await afterCall(() => catalogue.refresh());
}

/** Changes the discounts of an agency, and returns it. Throws NotFound and RecordHasChanged. */
export async function saveAgencyDiscounts(
  database: Database,
  catalogue: Catalogue,
  author: ChangeAuthor,
  { agencyId, version, discounts }: BodyOf<typeof saveAgencyDiscountsCall>,
): Promise<GroupRecord> {
  const find = async () => {
    const found = (await listGroups(database, 'agencies')).find(({ id }) => id === agencyId);
    if (!found) throw new Refusal('NotFound');
    return found;
  };
  const { name, isRetired } = await find();
  const change = { id: agencyId, version, name, isRetired, discounts };
  await saveGroup(database, catalogue, 'agencies', { author, change });
  return find();
}

/** Puts all groups in a new order. Throws RecordHasChanged where the list is another one. */
export async function orderGroups(
  database: Database,
  catalogue: Catalogue,
  table: GroupTable,
  { author, ids }: { author: ChangeAuthor; ids: readonly number[] },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await lockGroups(transaction, table);
    const known = new Set(all.map(({ id }) => id));
    const isSameList = ids.length === all.length && new Set(ids).size === all.length;
    if (!isSameList || !ids.every((id) => known.has(id))) throw new Refusal('RecordHasChanged');
    await updatePositions(transaction, table, ids);
    await recordChange(transaction, author, {
      entity: 'catalogue',
      entityId: table,
      action: 'reordered',
      before: { order: all.map(({ id }) => id) },
      after: { order: ids },
    });
  });
  await afterCall(() => catalogue.refresh());
}
