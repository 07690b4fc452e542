import { afterEach, expect, it, vi } from 'vitest';
import { createSignedReferences } from './signed-references.ts';

const references = createSignedReferences('secret', 60);
const made = Date.now();
const reference = references.make('document', 'user');
const [text = '', signature = ''] = reference.split('.');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const nextMinutes = Math.floor(Date.now() / 1000) + 600;

afterEach(() => void vi.useRealTimers());

it('opens for its user', () => {
  expect(references.read(reference, 'user')).toBe('document');
});

it('does not open for another user', () => {
  expect(references.read(reference, 'another')).toBeUndefined();
});

it('expires', () => {
  // In whole seconds, so that it is up to a second earlier.
  const end = 1000 * Number(JSON.parse(Buffer.from(text, 'base64url').toString())[2]);
  expect(end - made).toBeGreaterThan(59_000);
  vi.useFakeTimers({ toFake: ['Date'], now: end - 1 });
  expect(references.read(reference, 'user')).toBe('document');
  vi.setSystemTime(end);
  expect(references.read(reference, 'user')).toBeUndefined();
});

it.each([
  [
    'a later end under the old signature',
    `${encode(['document', 'user', nextMinutes])}.${signature}`,
  ],
  [
    'another document under the old signature',
    `${encode(['other', 'user', nextMinutes])}.${signature}`,
  ],
  ['another signature of the same length', `${text}.${Buffer.alloc(32, 1).toString('base64url')}`],
  ['a shorter signature', `${text}.${signature.slice(0, 20)}`],
  ['no signature', text],
  ['a signature with another secret', createSignedReferences('x', 60).make('document', 'user')],
  ['nothing', ''],
])('does not open with %s', (_, forged) => {
  expect(references.read(forged, 'user')).toBeUndefined();
});
