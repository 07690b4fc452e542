import { forget, recallJson, remember } from '../../lib/browser/browser-memory.ts';

const historyKey = 'searchHistory';
/** Source: specification §9. */
const historyLength = 15;
// Nobody looks for a longer text again, and fifteen of them would fill the browser's storage.
const longestText = 200;

export function readSearchHistory(): string[] {
  const kept = recallJson('local', historyKey);
  return Array.isArray(kept)
    ? kept.filter((text): text is string => typeof text === 'string').slice(0, historyLength)
    : [];
}

export function addToSearchHistory(text: string): void {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > longestText) return;
  remember(
    'local',
    historyKey,
    JSON.stringify(
      [trimmed, ...readSearchHistory().filter((each) => each !== trimmed)].slice(0, historyLength),
    ),
  );
}

export function forgetSearchHistory(): void {
  forget('local', historyKey);
}
