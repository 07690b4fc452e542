import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser, type Asked } from '#testing/fake-browser.ts';

const goTo = vi.fn(() => Promise.resolve());
vi.mock('../browser/navigation.ts', async (original) => ({ ...(await original()), goTo }));

let [page, navigation] = [new EventTarget(), new EventTarget()];
let asked: Asked[];

async function openTab({ isShared }: { isShared: boolean }) {
  vi.resetModules();
  [page, navigation] = [new EventTarget(), new EventTarget()];
  ({ asked } = openFakeBrowser(() => jsonReply({})));
  const addEventListener = page.addEventListener.bind(page);
  Object.assign(window, { addEventListener, navigation });
  Object.assign(document, { addEventListener, cookie: '' });
  const storage = await import('../browser/storage.ts');
  storage.setSharedComputer(isShared);
  const session = await import('../api/session.ts');
  session.storeToken(fakeToken(3600));
  storage.storeItem('local', 'draft:1:7:a', 'text');
  const { watchUserActivity } = await import('../api/user-activity.ts');
  watchUserActivity(() => undefined);
  const { watchSharedComputer } = await import('./shared-computer.ts');
  watchSharedComputer();
  return { ...session, ...storage };
}

const navigate = (
  destination: { sameDocument: boolean },
  downloadRequest: string | null = null,
): boolean =>
  navigation.dispatchEvent(Object.assign(new Event('navigate'), { destination, downloadRequest }));
// The tab is shown again by the browser, with what it has stored.
async function leaveAndComeBack({ isReload = false, after = 0 } = {}) {
  page.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(after);
  const type = isReload ? 'reload' : 'back_forward';
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as never]);
  const { watchSharedComputer } = await import('./shared-computer.ts');
  watchSharedComputer();
  await vi.advanceTimersByTimeAsync(0);
}
const ends = () => asked.filter(({ url }) => url.pathname.endsWith('/Logout'));

beforeEach(() => {
  vi.useFakeTimers();
  goTo.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each([
  ['was closed, and is opened again', {}],
  ['was reloaded after a long time', { isReload: true, after: 70_000 }],
])(
  'the session has ended in a tab that %s, on the server too, and leaves nothing',
  async (_, how) => {
    const { readToken } = await openTab({ isShared: true });
    // Pages of the portal and downloads leave the tab where it is.
    navigate({ sameDocument: true });
    navigate({ sameDocument: false }, 'receipt.pdf');
    await leaveAndComeBack(how);
    expect(readToken()).toBeNull();
    expect(ends()).toHaveLength(1);
    const keys: unknown[] = [];
    for (const storage of [window.localStorage, window.sessionStorage])
      for (let at = 0; at < storage.length; at += 1) keys.push(storage.key(at));
    expect(keys).toEqual(['shared-computer']);
  },
);

it('the session ends in a tab that the browser cached while it showed another site', async () => {
  const { readToken } = await openTab({ isShared: true });
  page.dispatchEvent(new Event('pagehide'));
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(readToken()).toBeNull();
});

it.each([
  [
    'the way to the payment page and back',
    true,
    {},
    (): void => void navigate({ sameDocument: false }),
  ],
  ['a reload', true, { isReload: true }, (): void => undefined],
  ['a tab of the own computer', false, {}, (): void => undefined],
])('the session stays with %s', async (_, isShared, how, before) => {
  const { readToken } = await openTab({ isShared });
  before();
  await leaveAndComeBack(how);
  expect([readToken() === null, ends()]).toEqual([false, []]);
});

it('the session ends after ten minutes without a sign of the user', async () => {
  const { readToken } = await openTab({ isShared: true });
  await vi.advanceTimersByTimeAsync(500_000);
  page.dispatchEvent(new Event('keydown'));
  await vi.advanceTimersByTimeAsync(590_000);
  expect(readToken()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(30_000);
  expect([readToken(), ends().length]).toEqual([null, 1]);
  expect(goTo).toHaveBeenCalledExactlyOnceWith('/account/login');
});

it('a session of the own computer has no such end', async () => {
  const { readToken } = await openTab({ isShared: false });
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect([readToken() === null, goTo.mock.calls]).toEqual([false, []]);
});
