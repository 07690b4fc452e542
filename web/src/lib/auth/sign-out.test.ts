import { beforeEach, expect, it } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';

openFakeBrowser(() => jsonReply({}));
const { findUnfinishedUploads, storeUnfinishedUpload } = await import('../uploads/resume.ts');
const { clearSession, signOutByUser, signOut } = await import('./sign-out.ts');
const { readToken, storeToken } = await import('../api/session.ts');

beforeEach(() => {
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
