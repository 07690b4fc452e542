import type { StoredName } from '@diwan/contract/portal/browser-storage';

type StorageArea = 'session' | 'local';

/**
 * The key of the uploads that have not finished. It is here and not in `uploads/resume.ts`, because
 * signing out removes them and is loaded long before.
 */
export const unfinishedUploadsKey = 'begun-uploads';

/**
 * The key of the user whose messages this browser shows. It is here and not in `web-push.ts`, because
 * signing out reads it and is loaded long before.
 */
export const pushOwnerKey = 'push-owner';

/** The key of what was searched here, which a shared computer forgets. Source: specification §9. */
export const searchHistoryKey = 'searchHistory';

/** Why a tab keeps nothing for the browser: `isSharedComputer`. */
export const sharedComputerKey = 'shared-computer';

/**
 * The storage of an area. On a shared computer nothing outlives the tab: what is stored for this
 * browser is stored for the tab. Throws where the storage is disabled.
 */
export function storageOf(area: StorageArea): Storage {
  if (area === 'local' && isSharedComputer()) return window.sessionStorage;
  return window[`${area}Storage`];
}

/**
 * Whether the user of this tab said at the sign-in that others use this computer too. It lasts as long
 * as the tab, so that the next one who signs in here is asked with the same answer. Decision 0135.
 */
export const isSharedComputer = (): boolean => loadItem('session', sharedComputerKey) !== null;

export function setSharedComputer(isShared: boolean): void {
  if (!isShared) return removeItem('session', sharedComputerKey);
  // What the person searched before the sign-in would stay for the next one.
  removeItem('local', searchHistoryKey);
  storeItem('session', sharedComputerKey, 'yes');
}

/** What a browser whose storage is disabled or full cannot store; it lasts as long as the page. */
const unstored = new Map<string, string>();
const nameOf = (area: StorageArea, key: string): string => `${area} ${key}`;

/**
 * A stored text, or null. A text that could not be stored comes first, because a full storage may
 * still hold an older one.
 */
export function loadItem<Area extends StorageArea>(
  area: Area,
  key: StoredName<Area>,
): string | null {
  const newer = unstored.get(nameOf(area, key));
  if (newer !== undefined) return newer;
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** A value that was stored as JSON; undefined where there is none or it cannot be parsed. */
export function loadJson<Area extends StorageArea>(area: Area, key: StoredName<Area>): unknown {
  try {
    return JSON.parse(loadItem(area, key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeItem<Area extends StorageArea>(
  area: Area,
  key: StoredName<Area>,
  value: string,
): void {
  unstored.delete(nameOf(area, key));
  try {
    storageOf(area).setItem(key, value);
  } catch {
    unstored.set(nameOf(area, key), value);
  }
}

export function removeItem(area: StorageArea, key: string): void {
  unstored.delete(nameOf(area, key));
  try {
    storageOf(area).removeItem(key);
  } catch {
    // A disabled storage holds nothing.
  }
}

const year = 31_536_000;

/** Stores a cookie of the page for `seconds`; 0 removes it, `browser` keeps it until that is closed. */
export function storeCookie(
  name: StoredName<'cookie'>,
  value: string,
  seconds: number | 'browser' = year,
): void {
  const age = seconds === 'browser' ? '' : `; max-age=${seconds}`;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${name}=${value}; path=/${age}; samesite=lax${secure}`;
}
