import { decodeToken, identityFlagKey, ownTokenKey, tokenKey } from '../api/session.ts';
import { clockOffsetKey } from '../browser/server-time.ts';
import {
  isSharedComputer,
  removeItem,
  sharedComputerKey,
  storageOf,
  unfinishedUploadsKey,
} from '../browser/storage.ts';

function findKeys(area: 'local' | 'session'): string[] {
  try {
    const storage = storageOf(area);
    return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
  } catch {
    // A disabled storage holds nothing.
    return [];
  }
}

/**
 * The keys of an area that name one of these people, by id or user name, between points or colons, as
 * `draft:<id>:…` and `editor.<name>.…` do.
 */
function findKeysOf(area: 'local' | 'session', people: readonly string[]): string[] {
  const parts = (text: string) => `.${text.replaceAll(':', '.')}.`;
  const names = people.filter((name) => name !== '').map(parts);
  return findKeys(area).filter((key) => names.some((name) => parts(key).includes(name)));
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

/** What a tab of a shared computer keeps: no person, and the session, which `signOut` ends. */
const keysOfSharedTab = [
  sharedComputerKey,
  clockOffsetKey,
  'uaePassEnabled',
  'homeVisited',
  tokenKey,
  ownTokenKey,
  identityFlagKey,
];

/** On a shared computer nothing stays in the tab that says what these people did there. */
export function removeSessionKeys(tokens: readonly string[]): void {
  const keys = isSharedComputer()
    ? findKeys('session').filter((key) => !keysOfSharedTab.includes(key) && !isDraft(key))
    : [...findKeysOf('session', peopleOf(tokens)), ...keysOfSession];
  for (const key of keys) removeItem('session', key);
}
