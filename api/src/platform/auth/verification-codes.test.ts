import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { openVerificationCodes } from './verification-codes.ts';

const app = useTestApp();

it('issues ten codes a day for an address, one a minute', async () => {
  const codes = await openVerificationCodes(app.serverDatabase, 1000);
  const start = Date.now();
  const issue = (minutes: number) =>
    codes.issue('register', 'a@example.com', codes.generate(), new Date(start + minutes * 60_000));
  for (let minute = 0; minute < 20; minute += 2) expect(await issue(minute)).toBe(true);
  expect(await issue(20)).toBe(false);
  expect(await issue(60)).toBe(false);
  expect(await issue(24 * 60 + 1)).toBe(true);
  expect(await issue(24 * 60 + 1.5)).toBe(false);
});
