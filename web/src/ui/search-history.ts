const historyKey = 'searchHistory';
/** Source: specification §9. */
const historyLength = 15;

export function readSearchHistory(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(historyKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text): text is string => typeof text === 'string').slice(0, historyLength) : [];
  } catch {
    return [];
  }
}

export function addToSearchHistory(text: string): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  try {
    window.localStorage.setItem(historyKey, JSON.stringify([trimmed, ...readSearchHistory().filter((each) => each !== trimmed)].slice(0, historyLength)));
  } catch {
    // A browser without storage searches without a history.
  }
}
