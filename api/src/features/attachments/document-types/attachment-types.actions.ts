import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { cleanLocalizedText, refuseTakenName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { chosenOf, isAmong, readStarterSet } from '#platform/portal/starter-sets.ts';
import {
  attachmentType,
  type AttachmentType,
  type AttachmentTypeChange,
  type getUsualAttachmentTypes,
} from '@diwan/contract/content/attachment-types';
import { mediaTypes } from '@diwan/contract/forms/forms';
import type { EveryField, ReplyOf } from '@diwan/contract/wire/call';
import * as store from './attachment-types.store.ts';

/** Every type of document, retired ones included. */
export async function listTypes(database: Database): Promise<AttachmentType[]> {
  return (await store.selectTypes(database)).map((row): EveryField<AttachmentType> => ({
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    mediaTypes: row.media_types,
    maximumBytes: row.maximum_bytes,
    maximumCount: row.maximum_count,
    isRetired: row.retired_at !== null,
    version: row.version,
  }));
}

const fieldsOf = (row: Omit<store.AttachmentTypeRow, 'id' | 'version'>) => ({
  name: row.name,
  ...(row.description ? { description: row.description } : {}),
  mediaTypes: row.media_types,
  maximumBytes: row.maximum_bytes,
  maximumCount: row.maximum_count,
  isRetired: row.retired_at !== null,
});

const actionOf = (wasRetired: boolean | undefined, isRetired: boolean) => {
  if (wasRetired === undefined) return 'created';
  if (wasRetired === isRetired) return 'changed';
  return isRetired ? 'retired' : 'restored';
};

/**
 * Adds, changes, retires or restores a type of document. Throws NotFound, RecordHasChanged, or a
 * ValidationRefusal.
 */
export async function saveType(
  database: Database,
  author: ChangeAuthor,
  change: AttachmentTypeChange,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await store.lockTypes(transaction);
    const known = all.find(({ id }) => id === change.id);
    if (change.id !== undefined && !known) throw new Refusal('NotFound');
    if (known && change.version !== known.version) throw new Refusal('RecordHasChanged');
    const isRetired = change.isRetired === true;
    const values = {
      name: cleanLocalizedText(change.name),
      description: change.description ? cleanLocalizedText(change.description) : null,
      media_types: mediaTypes.filter((type) => change.mediaTypes.includes(type)),
      maximum_bytes: change.maximumBytes,
      maximum_count: change.maximumCount,
      retired_at: isRetired ? (known?.retired_at ?? new Date()) : null,
    };
    if (!isRetired)
      refuseTakenName(
        values.name,
        all.filter(({ id }) => id !== change.id),
      );
    const entityId = known?.id ?? (await store.insertType(transaction, values));
    if (known) await store.updateType(transaction, known.id, values);
    await recordChange(transaction, author, {
      entity: 'attachmentType',
      entityId,
      name: values.name,
      action: actionOf(known && known.retired_at !== null, isRetired),
      before: known && fieldsOf(known),
      after: fieldsOf(values),
    });
  });
}

/** Puts all types in a new order. Throws RecordHasChanged where the list is another one. */
export async function orderTypes(
  database: Database,
  author: ChangeAuthor,
  ids: readonly number[],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await store.lockTypes(transaction);
    const known = new Set(all.map(({ id }) => id));
    const isSameList = ids.length === all.length && new Set(ids).size === all.length;
    if (!isSameList || !ids.every((id) => known.has(id))) throw new Refusal('RecordHasChanged');
    await store.updateTypePositions(transaction, ids);
    await recordChange(transaction, author, {
      entity: 'catalogue',
      entityId: 'attachmentTypes',
      action: 'reordered',
      before: { order: all.map(({ id }) => id) },
      after: { order: ids },
    });
  });
}

const usualTypes = () =>
  readStarterSet(
    'attachment-types.json',
    attachmentType.omit({ id: true, isRetired: true, version: true }),
  );

/** The types that many portals use, and which of them are here. */
export async function listUsualTypes(
  database: Database,
): Promise<ReplyOf<typeof getUsualAttachmentTypes>> {
  const names = (await store.selectTypes(database)).map(({ name }) => name);
  return usualTypes().map(({ name, description }, key) => ({
    key,
    name,
    description,
    isThere: isAmong(name, names),
  }));
}

/** Adds chosen usual types, each once. */
export async function addUsualTypes(
  database: Database,
  author: ChangeAuthor,
  keys: readonly number[],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const names = (await store.lockTypes(transaction)).map(({ name }) => name);
    for (const type of chosenOf(usualTypes(), keys)) {
      if (isAmong(type.name, names)) continue;
      const values = {
        name: type.name,
        description: type.description ?? null,
        media_types: mediaTypes.filter((each) => type.mediaTypes.includes(each)),
        maximum_bytes: type.maximumBytes,
        maximum_count: type.maximumCount,
        retired_at: null,
      };
      await recordChange(transaction, author, {
        entity: 'attachmentType',
        entityId: await store.insertType(transaction, values),
        name: values.name,
        action: 'created',
        after: fieldsOf(values),
      });
    }
  });
}
