import { describe, expect, it } from 'vitest';
import { createTranslator, localizedText } from './locale-texts.ts';

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
