import { expect, it } from 'vitest';
import { isSameSecret } from './same-secret.ts';

it.each([
  ['key', 'key', true],
  ['key', 'kez', false],
  ['', 'key', false],
  ['key and more', 'key', false],
  [Buffer.from('key'), 'key', true],
  [Buffer.from([0xff]), Buffer.from([0xfe]), false],
])('%s and %s: %s', (given, expected, isSame) => {
  expect(isSameSecret(given, expected)).toBe(isSame);
});
