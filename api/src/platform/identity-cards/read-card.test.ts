import { describe, expect, it, vi } from 'vitest';
import { drawCard, photograph, toPng, type Photograph } from '#testing/draw-card.ts';
import { checkDigit, parseMrz } from './mrz.ts';
import { openCardReaders } from './read-card.ts';
import { openCardReader } from './recognise-card.ts';

const today = '2026-11-23';

/** The lines of an identity card of the UAE. */
function identityCard(number = '123456789', expiry = '301122'): string[] {
  const birth = '900315';
  const one = `ILARE${number}${checkDigit(number)}784199012345676`;
  const two = `${birth}${checkDigit(birth)}F${expiry}${checkDigit(expiry)}IND${'<'.repeat(11)}`;
  const whole = checkDigit(one.slice(5) + two.slice(0, 7) + two.slice(8, 15) + two.slice(18, 29));
  return [one, two + whole, 'KUMAR<<PRIYA<ANAND'.padEnd(30, '<')];
}

/** The lines of a passport. */
function passport(number = 'Z1234567<'): string[] {
  const [birth, expiry] = ['020109', '280630'];
  const two = `${number}${checkDigit(number)}PAK${birth}${checkDigit(birth)}M${expiry}${checkDigit(expiry)}${'<'.repeat(15)}`;
  const whole = checkDigit(two.slice(0, 10) + two.slice(13, 20) + two.slice(21, 43));
  return ['P<PAKAHMED<<BILAL'.padEnd(44, '<'), two + whole];
}

const card = {
  kind: 'identityCard',
  documentNumber: '123456789',
  idNumber: '784199012345676',
  name: 'PRIYA ANAND KUMAR',
  birthDate: '1990-03-15',
  expiryDate: '2030-11-22',
  nationality: 'IN',
};
const travel = {
  kind: 'passport',
  documentNumber: 'Z1234567',
  name: 'BILAL AHMED',
  birthDate: '2002-01-09',
  expiryDate: '2028-06-30',
  nationality: 'PK',
};

describe('a machine-readable zone', () => {
  it.each([
    ['an identity card', identityCard(), card],
    ['a passport', passport(), travel],
    ['between other lines', ['UNITED ARAB EMIRATES', ...identityCard(), 'X'], card],
    [
      'with look-alike letters in days',
      identityCard().map((l) => l.replace('900315', '9OO3I5')),
      card,
    ],
  ])('of %s is parsed', (_, lines, expected) => {
    expect(parseMrz(lines.join('\n'), today)).toEqual(expected);
  });

  it.each([
    ['a wrong digit in the number', '123456789', '123456780'],
    ['a wrong digit in the day of birth', '900315', '900316'],
    ['a wrong digit in the day of expiry', '301122', '311122'],
    ['a wrong digit in the Emirates ID number', '784199012345676', '784199012345677'],
  ])('with %s is not suggested', (_, right, wrong) => {
    const lines = identityCard().map((line) => line.replace(right, wrong));
    expect(parseMrz(lines.join('\n'), today)).toBeUndefined();
  });

  it('is not found in other text', () => {
    expect(parseMrz('TAX INVOICE\nTOTAL 123\n', today)).toBeUndefined();
    expect(parseMrz('', today)).toBeUndefined();
  });
});

describe('a picture of a card', () => {
  const reader = openCardReaders({ milliseconds: 20_000, megabytes: 256, waiting: 8 });
  const read = (file: Uint8Array) =>
    reader.read('1', () => Promise.resolve(new Uint8Array(file)), today);
  const opened = openCardReader();
  // Decision 0054 has the share of more photographs that is read.
  const photographs: [string, Photograph, boolean][] = [
    ['level', {}, true],
    ['skewed', { skew: -7 }, false],
    ['upside down', { turn: 180 }, false],
    ['dim', { light: 0.35 }, true],
    ['blurred and grainy', { blur: 1, noise: 12 }, false],
  ];
  it.each(photographs)('that is %s is read', { timeout: 60_000 }, async (_, how, isCard) => {
    const recognise = await opened;
    const lines = isCard ? identityCard() : passport();
    expect(recognise(toPng(photograph(drawCard(lines), how)), today)).toEqual(
      isCard ? card : travel,
    );
  });

  it('is read in a thread', { timeout: 60_000 }, async () => {
    expect(await read(toPng(drawCard(identityCard())))).toEqual(card);
  });

  it('without a card has no answers, nor has a damaged one', { timeout: 60_000 }, async () => {
    expect(await read(toPng(photograph(drawCard([]))))).toBeUndefined();
    expect(await read(Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]))).toBeUndefined();
    expect(await read(toPng(drawCard(identityCard())).subarray(0, 2000))).toBeUndefined();
  });

  it(
    'is refused while another one of the same user is read, and read after it',
    { timeout: 60_000 },
    async () => {
      const bytes = () => Promise.resolve(new Uint8Array(toPng(drawCard([]))));
      const first = reader.read('1', bytes, today);
      await expect(reader.read('1', bytes, today)).rejects.toThrow('ServerBusy');
      await first;
      await expect(reader.read('1', bytes, today)).resolves.toBeUndefined();
    },
  );
});

describe('limits', () => {
  const open = (more: { milliseconds?: number; waiting?: number }) =>
    openCardReaders({ milliseconds: 20_000, megabytes: 256, waiting: 8, ...more });

  it('end the reading of a picture that takes too long', { timeout: 60_000 }, async () => {
    const reader = open({ milliseconds: 50 });
    const bytes = () =>
      Promise.resolve(new Uint8Array(toPng(photograph(drawCard(identityCard())))));
    await expect(reader.read('1', bytes, today)).rejects.toMatchObject({
      refusal: 'ServerBusy',
      params: { retryAfter: 60 },
    });
  });

  it('let a user wait for a minute then, and nobody else', { timeout: 60_000 }, async () => {
    const reader = open({ milliseconds: 1 });
    const picture = () => Promise.resolve(new Uint8Array(toPng(drawCard([]))));
    const asked: string[] = [];
    const read = (user: string) =>
      reader
        .read(user, () => (asked.push(user), picture()), today)
        .catch((error: Error) => error.message);
    await read('1');
    const start = Date.now();
    try {
      vi.spyOn(Date, 'now').mockReturnValue(start + 58_000);
      expect(await read('1')).toBe('ServerBusy');
      expect(asked).toEqual(['1']);
      await read('2');
      vi.spyOn(Date, 'now').mockReturnValue(start + 60_000);
      await read('1');
      expect(asked).toEqual(['1', '2', '1']);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('refuse more cards than may wait', async () => {
    const reader = open({ waiting: 1 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const never = async () => {
      await held;
      throw new Error('gone');
    };
    const reads = ['1', '2'].map((user) =>
      reader.read(user, never, today).catch((error: Error) => error.message),
    );
    await expect(reader.read('3', never, today)).rejects.toThrow('ServerBusy');
    release();
    expect(await Promise.all(reads)).toEqual(['gone', 'gone']);
  });
});
