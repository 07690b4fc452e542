import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';

const goToLogin = vi.fn();
vi.mock('./handle-error.ts', () => ({ goToLogin }));

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (sid: string, turn = 1) => {
  const person = { ssid: '1', displayName: 'a', fullName: 'A', isServiceProvider: false };
  return `x.${encode({ ...person, sid, turn, exp: 4_000_000_000 })}.x`;
};
const answerOf = (token: string, isVisible: boolean, more = {}) => ({
  kind: 'answer',
  isVisible,
  stored: { token, identityFlag: null, ownToken: null, ...more },
});

// The other tab of these tests: its own channel.
let other: BroadcastChannel;
let heard: { kind: string; [key: string]: unknown }[];
let answers: object[];
const send = (message: object) => other.postMessage(message);

const channels: BroadcastChannel[] = [];
class TabChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

// The names of the locks that the tabs of this browser hold.
const held = new Set<string>();
const locks = {
  async request(name: string, work: () => Promise<void>) {
    held.add(name);
    await work();
    held.delete(name);
  },
  query: async () => ({ held: [...held].map((name) => ({ name })) }),
};
let events: EventTarget;

async function openTab(token: string | null) {
  vi.resetModules();
  openFakeBrowser(() => jsonReply({}));
  events = new EventTarget();
  const addEventListener = events.addEventListener.bind(events);
  Object.assign(window, { BroadcastChannel: TabChannel, addEventListener });
  vi.stubGlobal('BroadcastChannel', TabChannel);
  vi.stubGlobal('document', { cookie: '', hidden: true, addEventListener });
  vi.stubGlobal('navigator', { locks });
  const session = await import('./session.ts');
  if (token !== null) session.storeToken(token);
  const tabs = await import('./session-tabs.ts');
  tabs.listenToTabs();
  return { ...tabs, ...session };
}

beforeEach(() => {
  [heard, answers] = [[], []];
  other = new BroadcastChannel('session');
  other.onmessage = ({ data }: MessageEvent) => {
    heard.push(data as (typeof heard)[number]);
    if ((data as { kind: string }).kind === 'ask') for (const each of answers) send(each);
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const channel of [other, ...channels.splice(0)]) channel.close();
  goToLogin.mockClear();
  held.clear();
});

const heardOf = (kind: string) => heard.filter((message) => message.kind === kind);

it('a tab with a session answers, a tab without one does not', async () => {
  const token = tokenOf('s');
  const { storeToken } = await openTab(token);
  window.sessionStorage.setItem('isUAEPass', 'true');
  window.sessionStorage.setItem('ownToken', 'own');
  window.sessionStorage.setItem('clockOffset', '-500');
  send({ kind: 'ask' });
  const stored = { token, identityFlag: 'true', ownToken: 'own', clockOffset: '-500' };
  await vi.waitFor(() =>
    expect(heardOf('answer')).toEqual([{ kind: 'answer', stored, isVisible: false }]),
  );
  storeToken(null);
  send({ kind: 'ask' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heardOf('answer')).toHaveLength(1);
});

it('takes over the session of the visible tab with all that belongs to it', async () => {
  const { takeSessionOfOtherTab, readToken } = await openTab(null);
  answers = [
    answerOf(tokenOf('hidden'), false),
    answerOf(tokenOf('visible'), true, {
      identityFlag: 'true',
      ownToken: 'own',
      clockOffset: '-500',
    }),
  ];
  expect(await takeSessionOfOtherTab()).toBe(true);
  const stored = ['isUAEPass', 'ownToken', 'clockOffset'].map((key) =>
    window.sessionStorage.getItem(key),
  );
  expect([readToken(), stored]).toEqual([tokenOf('visible'), ['true', 'own', '-500']]);
});

it('on a shared computer a tab gives its session to no other one, and takes none', async () => {
  const { storeToken, takeSessionOfOtherTab, announceToken, announceEnd, readToken } =
    await openTab(null);
  window.sessionStorage.setItem('shared-computer', 'yes');
  storeToken(tokenOf('s'));
  send({ kind: 'ask' });
  announceToken(tokenOf('s', 0), tokenOf('s'));
  send({ kind: 'ended', sessionId: 's' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([heard, [...held], goToLogin.mock.calls]).toEqual([[], [], []]);
  storeToken(null);
  answers = [answerOf(tokenOf('other'), true)];
  expect(await takeSessionOfOtherTab()).toBe(false);
  announceEnd(tokenOf('s'));
  expect([readToken(), heardOf('ended')]).toEqual([null, []]);
});

it.each([
  ['nobody answers', []],
  ['the answer holds no token', [answerOf('not a token', true)]],
])('stays signed out when %s', async (_, given) => {
  const { takeSessionOfOtherTab, readToken } = await openTab(null);
  answers = given;
  expect(await takeSessionOfOtherTab()).toBe(false);
  expect(readToken()).toBeNull();
});

it('waits for a tab that is signed in and answers late', async () => {
  const { takeSessionOfOtherTab, readToken } = await openTab(null);
  held.add('signed-in other');
  setTimeout(() => send(answerOf(tokenOf('busy'), true)), 400);
  expect(await takeSessionOfOtherTab()).toBe(true);
  expect(readToken()).toBe(tokenOf('busy'));
});

it('shows the others that it is signed in, unless the browser keeps it for the way back', async () => {
  const { storeToken } = await openTab(tokenOf('s'));
  expect([...held]).toEqual([expect.stringMatching(/^signed-in /)]);
  storeToken(tokenOf('s', 2));
  expect(held.size).toBe(1);
  events.dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect(held.size).toBe(0));
  events.dispatchEvent(new Event('pageshow'));
  expect(held.size).toBe(1);
  storeToken(null);
  await vi.waitFor(() => expect(held.size).toBe(0));
});

it('stores the token for which another tab has exchanged its own', async () => {
  const { readToken } = await openTab(tokenOf('s'));
  window.sessionStorage.setItem('ownToken', 'own');
  send({ kind: 'replaced', old: tokenOf('s'), token: tokenOf('s', 2) });
  send({ kind: 'replaced', old: 'another', token: 'wrong' });
  send({ kind: 'replaced', old: 'own', token: 'own 2' });
  await vi.waitFor(() => expect(window.sessionStorage.getItem('ownToken')).toBe('own 2'));
  expect(readToken()).toBe(tokenOf('s', 2));
});

it('leads to the login page when its own session ends in another tab', async () => {
  await openTab(tokenOf('s', 2));
  send({ kind: 'ended', sessionId: 'another' });
  send({ kind: 'ended', sessionId: 's' });
  await vi.waitFor(() => expect(goToLogin).toHaveBeenCalledTimes(1));
});

it('tells other tabs of a sign-out, and takes over no other session after it', async () => {
  const { announceEnd, storeToken, takeSessionOfOtherTab } = await openTab(tokenOf('s'));
  answers = [answerOf(tokenOf('another'), true)];
  announceEnd(tokenOf('s'));
  storeToken(null);
  expect(await takeSessionOfOtherTab()).toBe(false);
  await vi.waitFor(() => expect(heardOf('ended')).toEqual([{ kind: 'ended', sessionId: 's' }]));
});

it('knows whether another tab uses the same session', async () => {
  const { isUsedInOtherTab } = await openTab(null);
  answers = [answerOf(tokenOf('s', 2), true)];
  expect(await isUsedInOtherTab(tokenOf('s'))).toBe(true);
  expect(await isUsedInOtherTab(tokenOf('another'))).toBe(false);
});
