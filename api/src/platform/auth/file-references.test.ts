import { randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { createFileReferences } from './file-references.ts';

const secret = () => randomBytes(32).toString('base64url');
const [ownKey, newKey] = [secret(), secret()];
const references = createFileReferences(() => [ownKey], 60);
const made = Date.now();
const reference = references.make('document', 'user');
const changed = (at: number) => {
  const bytes = Buffer.from(reference, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes.toString('base64url');
};

afterEach(() => void vi.useRealTimers());

it('opens for its user', () => {
  expect(references.read(reference, 'user')).toBe('document');
});

it('does not open for another user', () => {
  expect(references.read(reference, 'another')).toBeUndefined();
});

it('shows neither the document nor the user', () => {
  for (const encoding of ['utf8', 'base64', 'base64url'] as const)
    expect(Buffer.from(reference, encoding).toString('latin1')).not.toMatch(/document|user/);
});

it('expires', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: made + 58_900 });
  expect(references.read(reference, 'user')).toBe('document');
  vi.setSystemTime(made + 60_100);
  expect(references.read(reference, 'user')).toBeUndefined();
});

it.each([
  ['a changed cipher', changed(0)],
  ['a changed nonce', changed(1)],
  ['a changed text', changed(20)],
  ['a changed tag', changed(Buffer.from(reference, 'base64url').length - 1)],
  ['a shorter tag', reference.slice(0, -8)],
  ['another secret', createFileReferences(() => [newKey], 60).make('document', 'user')],
  ['nothing', ''],
])('does not open with %s', (_, forged) => {
  expect(references.read(forged, 'user')).toBeUndefined();
});

it('opens while a new key takes over, and not with the new key alone', () => {
  expect(createFileReferences(() => [newKey, ownKey], 60).read(reference, 'user')).toBe('document');
  expect(createFileReferences(() => [newKey], 60).read(reference, 'user')).toBeUndefined();
});
