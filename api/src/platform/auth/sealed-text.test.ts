import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ciphers, sealedText } from './sealed-text.ts';

const key = randomBytes(32);
const sealed = sealedText([key], 'test');
const number = 'DW26-01234-56789';

it.each(ciphers)(
  'seals with %s, and opens what any of them sealed, under its own name only',
  (cipher) => {
    const one = sealedText([key], 'test', cipher);
    const link = one.seal(number);
    for (const other of ciphers) expect(sealedText([key], 'test', other).open(link)).toBe(number);
    const bytes = Buffer.from(link, 'base64url');
    for (const byte of [0, 1, 2, 3, 255]) {
      const renamed = Buffer.concat([Buffer.from([byte]), bytes.subarray(1)]).toString('base64url');
      expect(one.open(renamed), String(byte)).toBe(byte === bytes[0] ? number : undefined);
    }
    expect(sealedText([randomBytes(32)], 'test', cipher).open(link)).toBeUndefined();
  },
);

it('opens what it sealed, and shows nothing of it', () => {
  const link = sealed.seal(number);
  expect(sealed.open(link)).toBe(number);
  expect(link).toMatch(/^[\w-]+$/);
  expect(Buffer.from(link, 'base64url').toString('latin1')).not.toContain('DW26');
  expect(sealed.seal(number)).not.toBe(link);
});

it('opens what a mail program made of it: ordinary base64, spaces for plus, padding', () => {
  // Enough rounds for texts that end with a plus.
  for (let round = 0; round < 2000; round += 1) {
    const link = sealed.seal(`${number}${'x'.repeat(round % 3)}`);
    const base64 = Buffer.from(link, 'base64url').toString('base64');
    expect(sealed.open(base64)).toMatch(/^DW26-01234-56789x*$/);
    expect(sealed.open(` ${base64.replaceAll('+', ' ')}`)).toMatch(/^DW26-01234-56789x*$/);
    expect(sealed.open(`${base64} `)).toMatch(/^DW26-01234-56789x*$/);
  }
});

it('opens with an older key after a new one has come, and with no other', () => {
  const link = sealed.seal(number);
  const next = randomBytes(32);
  expect(sealedText([next, key], 'test').open(link)).toBe(number);
  expect(sealedText([next], 'test').open(link)).toBeUndefined();
  expect(sealedText([key], 'something else').open(link)).toBeUndefined();
  expect(() => sealedText([randomBytes(16)], 'test')).toThrow('32 bytes');
});

it('opens nothing that was changed by one bit, cut, or made up', () => {
  const bytes = Buffer.from(sealed.seal(number), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(sealed.open(changed.toString('base64url')), `bit ${bit}`).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length += 1)
    expect(
      sealed.open(bytes.subarray(0, length).toString('base64url')),
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
    expect(sealed.open(text), text.slice(0, 20)).toBeUndefined();
});
