import { loadItem, removeItem, storeItem } from '#lib/browser/storage.ts';
import { isDraft, type Draft } from './draft.ts';

/**
 * A draft in local storage that the server has not confirmed. `base` is the server's content at
 * `revision`; `sent` are versions that were sent without a reply, so the server may have them.
 * Confirmed drafts are removed: decision 0021.
 */
export interface StoredDraft {
  draftId: string;
  revision: number;
  base: Draft;
  content: Draft;
  sent: readonly Draft[];
  at: string;
}

/** The scope of a draft: a service, by its id, or a returned request. */
type DraftScope = number | `correction-${number}` | `correction-${number}:${number}`;

/** The scope of the corrections to a request: of one version of it, or of all. */
export function correctionScope(requestId: number): `correction-${number}`;
export function correctionScope(
  requestId: number,
  version: number,
): `correction-${number}:${number}`;
export function correctionScope(requestId: number, version?: number): DraftScope {
  return version === undefined ? `correction-${requestId}` : `correction-${requestId}:${version}`;
}

const maximumDays = 90;
const prefixOf = (scope: DraftScope, ssid: string): string => `draft:${ssid}:${scope}:`;

/**
 * Creates a key for this window, so that windows do not overwrite each other. After a reload the
 * new window takes over the old drafts.
 */
export function createDraftKey(scope: DraftScope, ssid: string): string {
  return `${prefixOf(scope, ssid)}${crypto.randomUUID()}`;
}

const sendingKey = (scope: DraftScope, ssid: string): string => `sending:${ssid}:${scope}`;

/** Remembers in this tab that a draft is being sent: a reload may lose the reply. */
export function storeSending(serviceId: number, ssid: string, isSending: boolean): void {
  if (isSending) storeItem('session', sendingKey(serviceId, ssid), 'yes');
  else removeItem('session', sendingKey(serviceId, ssid));
}

/** Whether a draft of the service was being sent when this tab last showed it. */
export const wasBeingSent = (scope: DraftScope, ssid: string): boolean =>
  loadItem('session', sendingKey(scope, ssid)) !== null;

/** Returns false where storage is unavailable or full. */
export function storeDraft(key: string, stored: StoredDraft): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}

export function removeStoredDraft(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Storage is unavailable, so nothing was stored.
  }
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { draftId, revision, base, content, sent, at } = value as Record<string, unknown>;
  return (
    typeof draftId === 'string' &&
    Number.isInteger(revision) &&
    isDraft(base) &&
    isDraft(content) &&
    Array.isArray(sent) &&
    sent.every(isDraft) &&
    typeof at === 'string'
  );
}

function read(key: string): StoredDraft | undefined {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null');
    return isStoredDraft(stored) && Date.now() - Date.parse(stored.at) < maximumDays * 86_400_000
      ? stored
      : undefined;
  } catch {
    return undefined;
  }
}

/** The drafts of this user for a scope, oldest first. Invalid and expired drafts are removed. */
export function findStoredDrafts(
  scope: DraftScope,
  ssid: string,
): { key: string; stored: StoredDraft }[] {
  try {
    const keys = Object.keys(window.localStorage).filter((key) =>
      key.startsWith(prefixOf(scope, ssid)),
    );
    const found = keys.flatMap((key) => {
      const stored = read(key);
      if (!stored) removeStoredDraft(key);
      return stored ? [{ key, stored }] : [];
    });
    return found.toSorted((one, other) => one.stored.at.localeCompare(other.stored.at));
  } catch {
    return [];
  }
}

/** Removes a draft that was taken over, unless its own window has changed it since. */
export function removeIfUnchanged(key: string, at: string): void {
  if (read(key)?.at === at) removeStoredDraft(key);
}
