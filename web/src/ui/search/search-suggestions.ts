export interface Suggestion {
  id: string;
  label: string;
  /** A second line, such as the agency. */
  detail?: string;
  /**
   * One of the last searches, or one of those that are asked for most; without a kind it fits what
   * was typed.
   */
  kind?: 'past' | 'popular';
}

/** Suggestions that belong together; without a title they stand alone. */
export interface SuggestionGroup {
  title?: string;
  items: readonly Suggestion[];
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/**
 * The option that a key leads to; -1 is the box itself. Undefined for a key that is not the list's.
 */
export function optionByKey(key: string, active: number, count: number): number | undefined {
  if (key === 'ArrowDown') return active + 1 >= count ? -1 : active + 1;
  if (key === 'ArrowUp') return active === -1 ? count - 1 : active - 1;
  // In the box itself they move the caret.
  if (active === -1) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
