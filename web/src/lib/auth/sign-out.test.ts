import { beforeEach, expect, it } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '../../testing/fake-browser.ts';

openFakeBrowser(() => jsonReply({}));
const { findBegun, rememberBegun } = await import('../uploads/begun-uploads.ts');
const { forgetSession, leave, signOut } = await import('./sign-out.ts');
const { readToken, storeToken } = await import('../api/session.ts');

beforeEach(() => {
  storeToken(fakeToken(60));
  rememberBegun({
    id: 'one',
    place: '1:2:',
    name: 'deed',
    fileName: 'my salary.pdf',
    size: 1,
    lastModified: 1,
  });
});

it('whoever chooses to go leaves no names of files behind', () => {
  leave();
  expect([readToken(), findBegun('1:2:')]).toEqual([null, []]);
});

it.each([
  ['ends by itself', forgetSession],
  ['is replaced by a sign-in', signOut],
])('a session that %s keeps what was on its way', (_, end) => {
  end();
  expect(readToken()).toBeNull();
  expect(findBegun('1:2:').map(({ fileName }) => fileName)).toEqual(['my salary.pdf']);
});
