const storageKey = 'scroll-positions';
let positions: Record<string, number> | undefined;

function read(): Record<string, number> {
  try {
    return JSON.parse(window.sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

const all = () => (positions ??= read());

export function saveScroll(key: string): void {
  all()[key] = window.scrollY;
}

/** Undefined where the user has not been. */
export function savedScroll(key: string): number | undefined {
  return all()[key];
}

/** Stores the positions for a reload. */
export function storeScroll(): void {
  try {
    window.sessionStorage.setItem(storageKey, JSON.stringify(all()));
  } catch {
    // Without storage a reload begins at the top.
  }
}
