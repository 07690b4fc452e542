import { isDraft, type Draft } from './draft.ts';

/**
 * What this device holds of a draft that the server has not confirmed yet. `base` is what the
 * server had at `revision`; `sent` is what went on its way since
 * and was not answered: the server may have it. Once the server has it, nothing stays here:
 * decision 0021.
 */
export interface KeptDraft {
  draftId: string;
  revision: number;
  base: Draft;
  content: Draft;
  sent: readonly Draft[];
  at: string;
}

/** What a draft is of: a service, by its id, or a returned request. */
export type DraftPlace = number | `mend-${number}` | `mend-${number}:${number}`;

/** Where the mending of a request is kept: of this version of it, or of any. */
export function mendPlace(requestId: number): `mend-${number}`;
export function mendPlace(requestId: number, version: number): `mend-${number}:${number}`;
export function mendPlace(requestId: number, version?: number): DraftPlace {
  return version === undefined ? `mend-${requestId}` : `mend-${requestId}:${version}`;
}

const longestDays = 90;
const prefixOf = (place: DraftPlace, ssid: string): string => `draft:${ssid}:${place}:`;

/**
 * Each window keeps a place of its own, so that two never write over each other; a reload is a new
 * window that takes over what the old one left.
 */
export function newDeviceKey(place: DraftPlace, ssid: string): string {
  return `${prefixOf(place, ssid)}${crypto.randomUUID()}`;
}

/** False where nothing can be kept. */
export function keepOnDevice(key: string, kept: KeptDraft): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function forgetOnDevice(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

function isKept(value: unknown): value is KeptDraft {
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

function read(key: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null');
    return isKept(kept) && Date.now() - Date.parse(kept.at) < longestDays * 86_400_000
      ? kept
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What windows of this person left for a service or a request, oldest first. What cannot be read,
 * or is too old, is thrown away.
 */
export function findOnDevice(place: DraftPlace, ssid: string): { key: string; kept: KeptDraft }[] {
  try {
    const keys = Object.keys(window.localStorage).filter((key) =>
      key.startsWith(prefixOf(place, ssid)),
    );
    const found = keys.flatMap((key) => {
      const kept = read(key);
      if (!kept) forgetOnDevice(key);
      return kept ? [{ key, kept }] : [];
    });
    return found.toSorted((one, other) => one.kept.at.localeCompare(other.kept.at));
  } catch {
    return [];
  }
}

/**
 * Throws away what was taken over and is with the server now; not what its own window has gone on
 * with.
 */
export function forgetTakenOver(key: string, at: string): void {
  if (read(key)?.at === at) forgetOnDevice(key);
}
