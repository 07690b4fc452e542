import { decodeToken } from '../api/session.ts';
import { removeItem, storageOf, unfinishedUploadsKey } from '../browser/storage.ts';

/**
 * The keys of an area that name one of these people, by id or user name, between points or colons, as
 * `draft:<id>:…` and `editor.<name>.…` do.
 */
function findKeysOf(area: 'local' | 'session', people: readonly string[]): string[] {
  const parts = (text: string) => `.${text.replaceAll(':', '.')}.`;
  const names = people.filter((name) => name !== '').map(parts);
  try {
    const storage = storageOf(area);
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return keys.filter((key) => names.some((name) => parts(key).includes(name)));
  } catch {
    // A disabled storage holds nothing.
    return [];
  }
}

const isDraft = (key: string) => key.startsWith('draft:');

/** Ids and user names of the people of these tokens. */
const peopleOf = (tokens: readonly string[]): string[] =>
  tokens.flatMap((token) => {
    const session = decodeToken(token);
    return session ? [session.ssid, session.displayName] : [];
  });

/** Whether this device has what the server does not have, as each confirmed draft is removed. */
export const hasUnsavedDrafts = (tokens: readonly string[]): boolean =>
  findKeysOf('local', peopleOf(tokens)).some(isDraft);

/** Removes what the browser keeps of these people; unsaved drafts only where they are discarded. */
export function removeLocalKeys(tokens: readonly string[], discardsDrafts: boolean): void {
  for (const key of findKeysOf('local', peopleOf(tokens)))
    if (discardsDrafts || !isDraft(key)) removeItem('local', key);
  removeItem('local', unfinishedUploadsKey);
}

/** What a tab remembers of its user under keys that do not name them. */
const keysOfSession = ['lastRequestNumber', 'requests-list'];

export function removeSessionKeys(tokens: readonly string[]): void {
  for (const key of [...findKeysOf('session', peopleOf(tokens)), ...keysOfSession])
    removeItem('session', key);
}
