export interface Suggestion {
  id: string;
  label: string;
  /** A second line, for example the agency. */
  detail?: string;
  /** An earlier search; without a kind it matches the typed text. */
  kind?: 'past';
}

/** A group of suggestions; the title is optional. */
export interface SuggestionGroup {
  title?: string;
  items: readonly Suggestion[];
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The option that a key selects; -1 is the input itself. Undefined for other keys. */
export function optionByKey(key: string, active: number, count: number): number | undefined {
  if (key === 'ArrowDown') return active + 1 >= count ? -1 : active + 1;
  if (key === 'ArrowUp') return active === -1 ? count - 1 : active - 1;
  // In the input these keys move the caret.
  if (active === -1) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
