type Place = 'session' | 'local';

/** Where `begun-uploads.ts` keeps its names of files; signing out must forget them, and is loaded long before. */
export const begunUploads = 'begun-uploads';

/** What a browser without storage would forget; it lasts as long as the page. */
const unkept = new Map<string, string>();

/** What this browser keeps for the session or for good. */
export function recall(place: Place, key: string): string | null {
  try {
    return window[`${place}Storage`].getItem(key);
  } catch {
    return unkept.get(key) ?? null;
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
  try {
    window[`${place}Storage`].setItem(key, value);
  } catch {
    unkept.set(key, value);
  }
}

export function forget(place: Place, key: string): void {
  try {
    window[`${place}Storage`].removeItem(key);
  } catch {
    unkept.delete(key);
  }
}
