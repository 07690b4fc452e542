import { describe, expect, it } from 'vitest';
import { findFaults } from './check-house.mjs';
import { findTextFaults, findUseFaults } from './check-locales.mjs';
import { findFaultsOutsideLocales, findWordFaults } from './check-words.mjs';

describe('the rules of the house find a planted fault', () => {
  it.each([
    ['contract/src/a.ts', "import { x } from '../../api/src/x.ts';", 'contract imports nothing'],
    ['web/src/lib/a.ts', "import { x } from '../../../api/src/x.ts';", 'share the contract only'],
    ['web/src/lib/a.ts', "import { x } from '../features/home/x.ts';", 'know no feature'],
    [
      'web/src/features/home/a.tsx',
      "import { x } from '../services/x.tsx';",
      'do not import each other',
    ],
    [
      'api/src/platform/a.ts',
      "import { x } from '../features/users/users.actions.ts';",
      'know no feature',
    ],
    [
      'api/src/features/services/a.ts',
      "import { x } from '../requests/requests.actions.ts';",
      'one way only',
    ],
    [
      'api/src/features/requests/a.ts',
      "import {\n  x,\n} from '../services/services.store.ts';",
      '.actions.ts only',
    ],
    ['web/src/utils/a.ts', '', 'named for what it holds'],
    ['web/src/ui/index.ts', '', 'no barrel files'],
    ['web/src/ui/a.ts', 'export const forNobody = 1;', 'nobody else names forNobody'],
    ['contract/src/a.ts', '\nexport function untold() {}', 'a comment says what it is'],
  ])('%s', (file, text, words) => {
    expect(findFaults(new Map([[file, text]])).join()).toContain(words);
  });

  it('leaves right imports alone', () => {
    const files = new Map([
      [
        'api/src/features/payments/a.ts',
        "import { x } from '../requests/requests.actions.ts';\nimport { y } from '@diwan/contract/wire/money';",
      ],
      ['web/src/features/home/home-page.tsx', "import { x } from '../services/x.tsx';"],
    ]);
    expect(findFaults(files)).toEqual([]);
  });
});

describe('the check of translations finds a planted fault', () => {
  const right = {
    'ar-EG': { a: { b: 'نص {{x}}' } },
    'en-US': { a: { b: 'text {{x}}' } },
    'ur-PK': { a: { b: 'متن {{x}}' } },
  };

  it('a missing key, an empty text, other figures, a plural that lacks a form', () => {
    expect(findTextFaults('n', right).faults).toEqual([]);
    expect(findTextFaults('n', { ...right, 'ur-PK': {} }).faults.join()).toContain('is missing');
    expect(findTextFaults('n', { ...right, 'ur-PK': { a: { b: ' ' } } }).faults.join()).toContain(
      'is empty',
    );
    expect(findTextFaults('n', { ...right, 'ur-PK': { a: { b: 'متن' } } }).faults.join()).toContain(
      'other figures',
    );
    const plural = { a_one: '1', a_other: '2' };
    expect(
      findTextFaults('n', { 'ar-EG': plural, 'en-US': plural, 'ur-PK': plural }).faults.join(),
    ).toContain('a_few is missing');
  });

  it.each([
    [
      'ar-EG',
      'هذا نصّ صحيح، وفيه «اسم» و12 رقمًا.',
      ['طلب کامل', 'شكراً لك', 'نعم, ثم', '١٢ رقمًا', 'نص  آخر', 'هذا “اسم”', 'مزود الدفع'],
    ],
    [
      'en-US',
      'The agency’s answer: sign in again.',
      ["The agency's answer", 'Log in again', 'Wait...', 'two  spaces'],
    ],
    [
      'ur-PK',
      'یہ ”نام“ درست ہے، آگے بڑھیں۔',
      [
        'درخواست كی',
        'آپ كا',
        'خدمة کی',
        'جی ہاں, ٹھیک',
        'ختم ہو گیا.',
        '«نام» درست',
        'لاگ ان کریں',
        'یو اے ای پاس',
        '۱۲ دن',
        'ٹھیک ہے ۔',
      ],
    ],
  ])('letters, signs and words that are not those of %s', (language, right, wrong) => {
    expect(findWordFaults(language, right)).toEqual([]);
    for (const text of wrong)
      expect([text, findWordFaults(language, text).length > 0]).toEqual([text, true]);
  });

  it('the same in the seed and in the messages of the api', () =>
    expect(findFaultsOutsideLocales('.').join('\n')).toBe(''));

  it('a key that nobody uses and a key that nobody has', () => {
    expect(findUseFaults(new Set(['n:a.b']), ["t('a.b')"])).toEqual([]);
    expect(findUseFaults(new Set(['n:a.b']), ['t(`a.${x}`)'])).toEqual([]);
    expect(findUseFaults(new Set(['n:a.b']), ["useTranslation('n'); t(`${x}.b`)"])).toEqual([]);
    expect(findUseFaults(new Set(['n:a.b']), ["useTranslation('m'); t(`${x}.b`)"])).toHaveLength(1);
    expect(findUseFaults(new Set(['n:a.b']), ["t('a.c')"])).toHaveLength(2);
  });
});
