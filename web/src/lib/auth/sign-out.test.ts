import { beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';
import type { StoredName } from '@diwan/contract/portal/browser-storage';

openFakeBrowser(() => jsonReply({}));
const { findUnfinishedUploads, storeUnfinishedUpload } = await import('../uploads/resume.ts');
const { clearSession, signOutAtHome, signOut } = await import('./sign-out.ts');
const { saveBeforeSignOut, signOutByUser } = await import('./sign-out-by-user.ts');
const { addOpenWork } = await import('./open-work.ts');
const { readToken, storeToken } = await import('../api/session.ts');
const { setSharedComputer, storeItem } = await import('../browser/storage.ts');

/** What the portal keeps of the person with the id 1 and the name x. */
const kept = {
  local: ['draft:1:7:a', 'requests-seen-at.1', 'requests-looked.1', 'palette-recent:x'],
  session: [
    'editor.x.announcement',
    'action-drafts.1.5',
    'sending:1:7',
    'eligibility:7:1',
    'lastRequestNumber',
    'requests-list',
  ],
};
/** Preferences of this browser, and what another person left. */
const others = { local: ['language', 'requests-density', 'draft:2:7:b'], session: ['homeVisited'] };

const keysOf = (area: 'local' | 'session') => {
  const storage = area === 'local' ? window.localStorage : window.sessionStorage;
  return Array.from({ length: storage.length }, (_, at) => storage.key(at)).toSorted();
};

function fillStorage(): void {
  for (const [storage, area] of [
    [window.localStorage, 'local'],
    [window.sessionStorage, 'session'],
  ] as const)
    for (const key of [...kept[area], ...others[area]]) storage.setItem(key, 'text');
}

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  storeToken(fakeToken(60));
  storeUnfinishedUpload({
    id: 'one',
    place: '1:2:',
    name: 'deed',
    fileName: 'my salary.pdf',
    size: 1,
    lastModified: 1,
  });
});

it('a sign-out by the user removes the names of unfinished uploads', () => {
  signOutByUser();
  expect([readToken(), findUnfinishedUploads('1:2:')]).toEqual([null, []]);
});

it.each([
  ['expires', clearSession],
  ['is replaced by a sign-in', signOut],
])('a session that %s preserves unfinished uploads', (_, end) => {
  end();
  expect(readToken()).toBeNull();
  expect(findUnfinishedUploads('1:2:').map(({ fileName }) => fileName)).toEqual(['my salary.pdf']);
});

it('a sign-out by the user leaves nothing of them in this browser', async () => {
  fillStorage();
  window.localStorage.removeItem('draft:1:7:a');
  expect(await saveBeforeSignOut()).toBe(true);
  signOutByUser();
  expect(keysOf('local')).toEqual(others.local.toSorted());
  expect(keysOf('session')).toEqual(others.session);
});

it.each([
  ['the user', () => signOutByUser()],
  ['the home page', () => void signOutAtHome()],
])('a sign-out by %s leaves nothing of them in the tab of a shared computer', async (_, end) => {
  window.localStorage.clear();
  setSharedComputer(true);
  storeItem('local', 'searchHistory', '["divorce"]');
  for (const key of [
    ...kept.session,
    'returnUrl',
    'selectedServiceId',
    'accountType',
    'uaePassEnabled',
  ] as StoredName<'session'>[])
    storeItem('session', key, 'text');
  end();
  await vi.waitFor(() => expect(keysOf('session')).toEqual(['shared-computer', 'uaePassEnabled']));
  expect([readToken(), keysOf('local')]).toEqual([null, []]);
  setSharedComputer(false);
});

it('a draft that the server does not have is asked about, and discarded', async () => {
  fillStorage();
  expect(await saveBeforeSignOut()).toBe(false);
  signOutByUser({ discardsDrafts: true });
  expect(keysOf('local')).toEqual(others.local.toSorted());
});

it('waits for another tab, which saves its draft within seconds', async () => {
  vi.useFakeTimers();
  fillStorage();
  const saved = saveBeforeSignOut();
  await vi.advanceTimersByTimeAsync(1200);
  window.localStorage.removeItem('draft:1:7:a');
  await vi.advanceTimersByTimeAsync(100);
  expect(await saved).toBe(true);
  vi.useRealTimers();
});

it('waits until what is open is saved, and not longer than a few seconds', async () => {
  vi.useFakeTimers();
  const close = addOpenWork({ settle: () => new Promise(() => undefined), discard: () => {} });
  const saved = saveBeforeSignOut();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await saved).toBe(false);
  close();
  addOpenWork({ settle: async () => true, discard: () => {} })();
  expect(await saveBeforeSignOut()).toBe(true);
  vi.useRealTimers();
});

it('the home page leaves only drafts that the server does not have', async () => {
  fillStorage();
  expect(signOutAtHome()).toBe(true);
  await vi.waitFor(() => expect(keysOf('session')).toEqual(others.session));
  await vi.waitFor(() =>
    expect(keysOf('local')).toEqual(['draft:1:7:a', ...others.local].toSorted()),
  );
});

it('a session that expires leaves all that the person saved', () => {
  fillStorage();
  const before = keysOf('local');
  clearSession();
  expect(keysOf('local')).toEqual(before);
  expect(keysOf('session')).toEqual([...kept.session, ...others.session].toSorted());
});
