import { afterEach, describe, expect, it } from 'vitest';
import { setPortalDetails } from '#platform/portal/portal-details.ts';
import { languages } from '@diwan/contract/wire/languages';
import {
  createTranslator,
  localizedText,
  setTextOverrides,
  shippedTexts,
  textNouns,
  type NestedTexts,
} from './locale-texts.ts';

describe('a translator', () => {
  const t = createTranslator('eligibility');

  it('fills placeholders, and leaves those without a value', () => {
    expect(t('age.text', 'en-US', { age: '18 $& over' })).toBe('People aged 18 $& over');
    expect(t('age.text', 'en-US')).toBe('People aged {{age}}');
  });

  it.each([
    [0, '0 عام'],
    [1, 'عام واحد'],
    [2, 'عامان'],
    [3, '3 أعوام'],
    [11, '11 عامًا'],
    [100, '100 عام'],
  ])('selects the Arabic plural form of %i', (count, text) =>
    expect(t('age.years', 'ar-EG', { count })).toBe(text),
  );

  it('returns a text in every language', () => {
    expect(localizedText(t, 'account.both')).toEqual({
      'ar-EG': 'الأفراد والشركات',
      'en-US': 'Individuals and companies',
      'ur-PK': 'افراد اور کمپنیاں',
    });
  });

  it('throws for a missing key and for a group of keys', () => {
    expect(() => t('age.unknown', 'en-US')).toThrow('en-US/eligibility.json lacks age.unknown');
    expect(() => t('age', 'en-US')).toThrow('lacks age');
  });
});

describe('texts that send people to support', () => {
  const t = createTranslator('errors');
  const suspended = () => t('refusals.AccountSuspended', 'en-US');
  afterEach(() => {
    setPortalDetails({});
    setTextOverrides(new Map());
  });

  it('name how to reach it: the phone, else the email, also of the configuration', () => {
    setPortalDetails({ supportPhone: '+971 4 000 0000', supportEmail: 'help@diwan.example' });
    expect(suspended()).toContain('Contact support (+971 4 000 0000) if');
    expect(t('refusals.AccountSuspended', 'ar-EG')).toContain(
      'مع الدعم (\u2068+971 4 000 0000\u2069)',
    );
    setPortalDetails({ supportPhone: '', supportEmail: 'help@diwan.example' });
    expect(suspended()).toContain('Contact support (help@diwan.example) if');
    setPortalDetails({}, { support: { phone: '800 55', email: 'a@diwan.example' } });
    expect(suspended()).toContain('Contact support (800 55) if');
    setTextOverrides(
      new Map([['en-US/shell', new Map([['supportWith', 'the help desk: {{contact}}']])]]),
    );
    expect(suspended()).toContain('Contact the help desk: 800 55 if');
  });

  it('name the operator of the portal where no support is set', () => {
    const shell = createTranslator('shell');
    const portal = localizedText(shell, 'wordmark');
    expect(suspended()).toContain(`Contact the operator of ${portal['en-US']} if`);
    expect(t('refusals.AccountSuspended', 'ar-EG')).toContain(`مع مشغّل ${portal['ar-EG']}`);
    expect(t('refusals.AccountSuspended', 'ur-PK')).toContain(
      `${portal['ur-PK']} کے منتظم ادارے سے رابطہ`,
    );
  });

  // Beside these stands the phone or the email; they are not shown without one, or have another sentence.
  const besideContact = [
    /^home:banners\.help\.support$/,
    /^legal:(terms\.complaints|accessibility\.limits|accessibility\.feedback)\.text$/,
    /^partners:standing\.(refused|suspended)\.support$/,
    /^portal:(support\.title|readiness\.support)$/,
    /^shell:(support|supportWith)$/,
    /^users:login\.help$/,
    // A number that people give when they ask.
    /^errors:reference$/,
  ];
  const words = {
    'ar-EG': /الدعم|فريق المساعدة/u,
    'en-US': /(?<!that |not )\bsupport\b|help ?desk:/iu,
    'ur-PK': /معاون ٹیم/u,
  };
  const textsIn = (texts: NestedTexts, path: string): [string, string][] =>
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string'
        ? [[`${path}${key}`, text] as [string, string]]
        : textsIn(text, `${path}${key}.`),
    );

  it.each(languages)('quote whom to contact, or stand beside it (%s)', (language) => {
    const named = textNouns
      .flatMap((noun) => textsIn(shippedTexts(language, noun), `${noun}:`))
      .filter(
        ([key, text]) =>
          words[language].test(text) && besideContact.every((each) => !each.test(key)),
      )
      .map(([key]) => key);
    expect(named).toEqual([]);
    const quoted = textNouns
      .flatMap((noun) => textsIn(shippedTexts(language, noun), `${noun}:`))
      .filter(([, text]) => text.includes('$t(shell:supportDesk)'));
    expect(quoted.length).toBeGreaterThan(20);
  });
});
