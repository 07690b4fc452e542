import type { ChangeAction, ChangeEntity, FieldChange } from '@diwan/contract/people/changes';
import { languages, localizedText } from '@diwan/contract/wire/languages';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Transaction } from '../database/database.ts';
import { getActor, type Caller } from './caller.ts';
import { insertChanges } from './changes.store.ts';

/** The fields of a thing that an admin sees: texts, numbers, flags, and structures as JSON. */
type ChangeFields = Readonly<Record<string, unknown>>;

/**
 * A change to record. `name` is what people call the thing. `before` is absent for a new thing,
 * `after` for a deleted one; both hold whole records or the same part of them. `fields` are given
 * instead where the caller has compared the parts of a structure.
 */
export interface ChangeEntry {
  entity: ChangeEntity;
  entityId: string | number;
  name?: LocalizedText | string | undefined;
  action: ChangeAction;
  before?: ChangeFields | undefined;
  after?: ChangeFields | undefined;
  fields?: readonly FieldChange[] | undefined;
}

/** Who changes something: a caller with the network address, or a command of the operator. */
export interface ChangeAuthor {
  caller?: Caller;
  /** Shown where no account acts, such as `npm run diwan`. */
  authorName?: string;
  address?: string | undefined;
}

type Simple = FieldChange['before'];

// JSON with sorted keys, so that equal structures have equal texts.
function toStableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** A value as the log stores it: a structure as JSON text. */
export function toSimple(value: unknown): Simple {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return value instanceof Date ? value.toISOString() : toStableJson(value);
}

/** A text in three languages becomes a part for each language. */
function splitField(field: string, value: unknown): [key: string, part: FieldChange][] {
  const text = localizedText.safeParse(value);
  if (!text.success) return [[field, { field, before: toSimple(value) }]];
  return languages.map((language) => [
    `${field} ${language}`,
    { field, language, before: text.data[language] },
  ]);
}

const splitFields = (fields: ChangeFields): Map<string, FieldChange> =>
  new Map(Object.entries(fields).flatMap(([field, value]) => splitField(field, value)));

/**
 * The fields that differ; texts in three languages are compared language by language. A field without
 * a value is as one that is not there.
 */
export function findFieldChanges(
  before: ChangeFields = {},
  after: ChangeFields = {},
): FieldChange[] {
  const [old, current] = [splitFields(before), splitFields(after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)];
    if ((was?.before ?? null) === (is?.before ?? null)) return [];
    return [{ ...(was ?? is), before: was?.before, after: is?.before } as FieldChange];
  });
}

/**
 * Appends a change to the log, in the transaction of the change itself. It records nothing when
 * `before` and `after` are given and equal. Passwords, secrets and documents of applicants must not
 * be among the fields.
 */
export async function recordChange(
  transaction: Transaction,
  author: ChangeAuthor,
  entry: ChangeEntry,
): Promise<void> {
  await recordChanges(transaction, author, [entry]);
}

/** Records several changes of one author by one statement; those without a difference are left out. */
export async function recordChanges(
  transaction: Transaction,
  { caller, authorName, address }: ChangeAuthor,
  entries: readonly ChangeEntry[],
): Promise<void> {
  const actor = caller && getActor(caller);
  const rows = entries.flatMap(({ entity, entityId, name, action, before, after, ...entry }) => {
    const fields = entry.fields ?? findFieldChanges(before, after);
    if (before && after && fields.length === 0) return [];
    return [
      {
        entity,
        entity_id: String(entityId),
        name: name === undefined ? null : JSON.stringify(name),
        action,
        actor_id: actor?.userId ?? null,
        actor_name: actor?.fullName ?? authorName ?? '',
        // The demo data has callers without a session.
        session_id: caller?.sessionId || null,
        address: address ?? null,
        fields: JSON.stringify(fields),
      },
    ];
  });
  if (rows.length > 0) await insertChanges(transaction, rows);
}
