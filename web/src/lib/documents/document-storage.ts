import type { StoredName } from '@diwan/contract/portal/browser-storage';
import { storageOf } from '../browser/storage.ts';

/**
 * A document in local storage that the server has not confirmed. `base` is the server's content at
 * `revision`; `sent` are versions that were sent without a reply, so the server may have them.
 * Confirmed documents are removed: decisions 0021 and 0109.
 */
export interface StoredDocument<Content> {
  draftId: string;
  revision: number;
  base: Content;
  content: Content;
  sent: readonly Content[];
  at: string;
}

/** What tells contents of a kind of document from what an older version may have written. */
type IsContent<Content> = (value: unknown) => value is Content;

const maximumDays = 90;
const prefixOf = (scope: string | number, ssid: string) => `draft:${ssid}:${scope}:` as const;

/** Returns false where storage is unavailable or full. */
function store(key: StoredName<'local'>, stored: StoredDocument<unknown>): boolean {
  try {
    storageOf('local').setItem(key, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}

export function removeStoredDocument(key: string): void {
  try {
    storageOf('local').removeItem(key);
  } catch {
    // Storage is unavailable, so nothing was stored.
  }
}

function isStored<Content>(
  value: unknown,
  isContent: IsContent<Content>,
): value is StoredDocument<Content> {
  if (typeof value !== 'object' || value === null) return false;
  const { draftId, revision, base, content, sent, at } = value as Record<string, unknown>;
  return (
    typeof draftId === 'string' &&
    Number.isInteger(revision) &&
    isContent(base) &&
    isContent(content) &&
    Array.isArray(sent) &&
    sent.every(isContent) &&
    typeof at === 'string'
  );
}

function read<Content>(
  key: string,
  isContent: IsContent<Content>,
): StoredDocument<Content> | undefined {
  try {
    const stored: unknown = JSON.parse(storageOf('local').getItem(key) ?? 'null');
    return isStored(stored, isContent) &&
      Date.now() - Date.parse(stored.at) < maximumDays * 86_400_000
      ? stored
      : undefined;
  } catch {
    return undefined;
  }
}

/** The documents of this user for a scope, oldest first. Invalid and expired ones are removed. */
export function findStoredDocuments<Content>(
  scope: string | number,
  ssid: string,
  isContent: IsContent<Content>,
): { key: string; stored: StoredDocument<Content> }[] {
  try {
    const keys = Object.keys(storageOf('local')).filter((key) =>
      key.startsWith(prefixOf(scope, ssid)),
    );
    const found = keys.flatMap((key) => {
      const stored = read(key, isContent);
      if (!stored) removeStoredDocument(key);
      return stored ? [{ key, stored }] : [];
    });
    return found.toSorted((one, other) => one.stored.at.localeCompare(other.stored.at));
  } catch {
    return [];
  }
}

/**
 * Where this window stores a document: under its own key, so that windows do not overwrite each
 * other. `left` is what other windows and earlier visits stored; `drop` removes one of them, unless
 * its window has changed it since.
 */
export function openDeviceCopies<Content>(
  scope: string | number,
  ssid: string,
  isContent: IsContent<Content>,
) {
  const key = `${prefixOf(scope, ssid)}${crypto.randomUUID()}` as const;
  const found = findStoredDocuments(scope, ssid, isContent);
  return {
    left: found.map(({ stored }) => stored),
    store: (document: StoredDocument<Content>) =>
      // Without the versions that were sent, a document may fit that does not fit with them.
      store(key, document) || store(key, { ...document, sent: [] }),
    clear: () => removeStoredDocument(key),
    drop: (left: StoredDocument<Content>) => {
      const from = found.find(({ stored }) => stored === left)?.key;
      if (from && read(from, isContent)?.at === left.at) removeStoredDocument(from);
    },
  };
}
