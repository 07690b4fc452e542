import { expect, it } from 'vitest';
import { browserStorage, findStoredEntry } from './browser-storage.ts';

it('finds the entry of a name that a browser holds', () => {
  expect(findStoredEntry('cookie', '__Host-diwan-device')).toMatchObject(browserStorage.device);
  expect(findStoredEntry('local', 'draft:7:12:a')).toMatchObject(browserStorage.drafts);
  // On a shared computer the tab keeps what others keep for the browser.
  expect(findStoredEntry('session', 'searchHistory')).toMatchObject(browserStorage.searches);
  expect(findStoredEntry('local', 'token')).toBeUndefined();
  expect(findStoredEntry('cookie', 'token')).toBeUndefined();
  expect(findStoredEntry('session', 'tokens')).toBeUndefined();
});

it('has one entry for each name of a place', () => {
  const names = Object.values(browserStorage).map(({ place, name }) => `${place} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
