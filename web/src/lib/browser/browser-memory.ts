type Place = 'session' | 'local';

/**
 * Where `begun-uploads.ts` keeps its names of files; signing out must forget them, and is loaded
 * long before.
 */
export const begunUploads = 'begun-uploads';

/** What a browser whose storage is off or full would forget; it lasts as long as the page. */
const unkept = new Map<string, string>();
const nameOf = (place: Place, key: string): string => `${place} ${key}`;

/**
 * What this browser keeps for the session or for good. A full storage may still hold what was there
 * before.
 */
export function recall(place: Place, key: string): string | null {
  const later = unkept.get(nameOf(place, key));
  if (later !== undefined) return later;
  try {
    return window[`${place}Storage`].getItem(key);
  } catch {
    return null;
  }
}

/** The same for what was kept as JSON; undefined where nothing is or where it is damaged. */
export function recallJson(place: Place, key: string): unknown {
  try {
    return JSON.parse(recall(place, key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(place: Place, key: string, value: string): void {
  unkept.delete(nameOf(place, key));
  try {
    window[`${place}Storage`].setItem(key, value);
  } catch {
    unkept.set(nameOf(place, key), value);
  }
}

export function forget(place: Place, key: string): void {
  unkept.delete(nameOf(place, key));
  try {
    window[`${place}Storage`].removeItem(key);
  } catch {
    // Nothing was kept there.
  }
}
