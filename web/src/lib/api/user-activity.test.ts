import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';
import { getSessions } from '@diwan/contract/people/accounts';
import { refreshToken } from '@diwan/contract/people/users';

vi.useFakeTimers({ toFake: ['Date'] });
const { asked } = openFakeBrowser(() => jsonReply({}));
const listeners = new Map<string, () => void>();
Object.assign(window, {
  addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
});
const { activityHeaders, watchUserActivity } = await import('./user-activity.ts');
const { fetchCall } = await import('./fetch-call.ts');

const keepAlive = vi.fn();
const minutesPass = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000);
const press = () => listeners.get('pointerdown')?.();
const isBackground = async (call: typeof getSessions | typeof refreshToken) => {
  await fetchCall(call, {}, {}, fakeToken(600));
  return asked.at(-1)?.headers.has('x-background');
};

watchUserActivity(keepAlive);
beforeEach(press);
afterEach(() => keepAlive.mockClear());

it('a call soon after the user did something is the user’s, a later one is not', async () => {
  expect(await isBackground(getSessions)).toBe(false);
  minutesPass(1.5);
  expect(await isBackground(getSessions)).toBe(false);
  minutesPass(1);
  expect(await isBackground(getSessions)).toBe(true);
  expect(await isBackground(refreshToken)).toBe(true);
  press();
  expect(await isBackground(getSessions)).toBe(false);
});

it('a user who reads for five minutes without a call keeps the session alive', () => {
  activityHeaders();
  keepAlive.mockClear();
  minutesPass(4);
  press();
  expect(keepAlive).not.toHaveBeenCalled();
  minutesPass(2);
  press();
  press();
  expect(keepAlive).toHaveBeenCalledTimes(1);
});

it('polls of a tab without its user keep nothing alive', () => {
  for (let minute = 0; minute < 60; minute += 1) {
    minutesPass(1);
    activityHeaders();
  }
  expect(keepAlive).not.toHaveBeenCalled();
  expect(activityHeaders()).toEqual({ 'x-background': '1' });
});
