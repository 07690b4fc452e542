type Place = 'session' | 'local';

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
