import { removeItem, loadJson, searchHistoryKey, storeItem } from '#lib/browser/storage.ts';

/** Source: specification §9. */
const historyLength = 15;
// Longer texts are unlikely to be repeated, and fifteen of them would fill the storage.
const longestText = 200;

export function readSearchHistory(): string[] {
  const stored = loadJson('local', searchHistoryKey);
  return Array.isArray(stored)
    ? stored.filter((text): text is string => typeof text === 'string').slice(0, historyLength)
    : [];
}

export function addToSearchHistory(text: string): void {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > longestText) return;
  storeItem(
    'local',
    searchHistoryKey,
    JSON.stringify(
      [trimmed, ...readSearchHistory().filter((each) => each !== trimmed)].slice(0, historyLength),
    ),
  );
}

export function clearSearchHistory(): void {
  removeItem('local', searchHistoryKey);
}
