import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { tokenCiphers, createTokenEncryptor } from './encrypted-token.ts';

const key = randomBytes(32);
const encryptor = createTokenEncryptor([key], 'test');
const number = 'DW26-01234-56789';

it.each(tokenCiphers)(
  'encrypts with %s and decrypts tokens of every cipher, but not under the name of another cipher',
  (cipher) => {
    const own = createTokenEncryptor([key], 'test', cipher);
    const token = own.encrypt(number);
    for (const other of tokenCiphers)
      expect(createTokenEncryptor([key], 'test', other).decrypt(token)).toBe(number);
    const bytes = Buffer.from(token, 'base64url');
    for (const byte of [0, 1, 2, 3, 255]) {
      const renamed = Buffer.concat([Buffer.from([byte]), bytes.subarray(1)]).toString('base64url');
      expect(own.decrypt(renamed), String(byte)).toBe(byte === bytes[0] ? number : undefined);
    }
    expect(createTokenEncryptor([randomBytes(32)], 'test', cipher).decrypt(token)).toBeUndefined();
  },
);

it('decrypts its own token, which does not show the text', () => {
  const token = encryptor.encrypt(number);
  expect(encryptor.decrypt(token)).toBe(number);
  expect(token).toMatch(/^[\w-]+$/);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('DW26');
  expect(encryptor.encrypt(number)).not.toBe(token);
});

it('decrypts a token that a mail program changed: ordinary base64, spaces for plus, padding', () => {
  // Enough rounds to get tokens that end with a plus.
  for (let round = 0; round < 2000; round += 1) {
    const token = encryptor.encrypt(`${number}${'x'.repeat(round % 3)}`);
    const base64 = Buffer.from(token, 'base64url').toString('base64');
    expect(encryptor.decrypt(base64)).toMatch(/^DW26-01234-56789x*$/);
    expect(encryptor.decrypt(` ${base64.replaceAll('+', ' ')}`)).toMatch(/^DW26-01234-56789x*$/);
    expect(encryptor.decrypt(`${base64} `)).toMatch(/^DW26-01234-56789x*$/);
  }
});

it('decrypts with an older key after a new one was added, and with no other key', () => {
  const token = encryptor.encrypt(number);
  const next = randomBytes(32);
  expect(createTokenEncryptor([next, key], 'test').decrypt(token)).toBe(number);
  expect(createTokenEncryptor([next], 'test').decrypt(token)).toBeUndefined();
  expect(createTokenEncryptor([key], 'something else').decrypt(token)).toBeUndefined();
  expect(() => createTokenEncryptor([randomBytes(16)], 'test')).toThrow('32 bytes');
});

it('does not decrypt a token with one changed bit, a shortened token or an invented one', () => {
  const bytes = Buffer.from(encryptor.encrypt(number), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(encryptor.decrypt(changed.toString('base64url')), `bit ${bit}`).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length += 1)
    expect(
      encryptor.decrypt(bytes.subarray(0, length).toString('base64url')),
      `${length} bytes`,
    ).toBeUndefined();
  for (const text of [
    '',
    ' ',
    number,
    'AQ',
    'A'.repeat(10_000),
    '%00',
    '\u202e',
    '__proto__',
    '../../etc',
    '<b>',
    '='.repeat(50),
    `${'='.repeat(2_000_000)}x`,
  ])
    expect(encryptor.decrypt(text), text.slice(0, 20)).toBeUndefined();
});
