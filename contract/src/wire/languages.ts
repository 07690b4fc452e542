import { z } from 'zod';

/** The languages of the product; the first is the default. Source: specification §1. */
export const languages = ['ar-EG', 'en-US', 'ur-PK'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'ar-EG';

/** One text in every language. Every text for people that comes from data has this shape. */
export const localizedText = z.strictObject({
  'ar-EG': z.string().min(1),
  'en-US': z.string().min(1),
  'ur-PK': z.string().min(1),
});
export type LocalizedText = z.infer<typeof localizedText>;

/** A text while it is edited: languages may be empty. */
export const draftText = z.strictObject({
  'ar-EG': z.string().max(20_000),
  'en-US': z.string().max(20_000),
  'ur-PK': z.string().max(20_000),
});

/**
 * The language value that the browser stores and sends. Urdu is stored as the word `Urdu`. Source:
 * specification §3.
 */
export const storedLanguages: Record<Language, string> = {
  'ar-EG': 'ar-EG',
  'en-US': 'en-US',
  'ur-PK': 'Urdu',
};

/**
 * The language of a stored value, a tag or a header such as `en-GB,en;q=0.9`; Arabic for every
 * other value.
 */
export function readLanguage(value: string | null | undefined): Language {
  const first = (value ?? '').split(',')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (first.startsWith('en')) return 'en-US';
  if (first.startsWith('ur')) return 'ur-PK';
  return defaultLanguage;
}

/** `rtl` for Arabic and Urdu. Source: specification §1. */
export function directionOf(language: Language): 'rtl' | 'ltr' {
  return language === 'en-US' ? 'ltr' : 'rtl';
}
