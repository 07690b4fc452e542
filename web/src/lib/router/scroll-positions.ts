import type { StoredName } from '@diwan/contract/portal/browser-storage';

const storageKey: StoredName<'session'> = 'scroll-positions';
let positions: Record<string, number> | undefined;

function read(): Record<string, number> {
  try {
    return JSON.parse(window.sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

const all = () => (positions ??= read());

/** Whether the page is long enough to be scrolled to a position. */
export const fits = (top: number): boolean =>
  document.documentElement.scrollHeight - window.innerHeight >= Math.floor(top);

let fixed: number | undefined;

/** Sets the position at which the page is fixed while its data load; undefined when it is not. */
export function setFixedScroll(top: number | undefined): void {
  fixed = top;
}

/** Saves where the user is, also while the page is too short to be there. */
export function saveScroll(key: string): void {
  all()[key] = fixed !== undefined && !fits(fixed) ? fixed : window.scrollY;
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
