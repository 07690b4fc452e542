import { useSyncExternalStore } from 'react';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { showFonts } from './fonts.ts';
import { storedLanguage, storeLanguage } from './stored-language.ts';
import {
  changeLanguage,
  loadLanguage,
  onLanguageChange,
  translatedLanguage,
  useShownLanguage,
} from './translate.ts';

/** The language of the page; the stored one before its texts are loaded. */
export function currentLanguage(): Language {
  return (translatedLanguage() as Language | '') || storedLanguage();
}

/** Loads texts and fonts first, so that the whole page changes in one step. */
export async function setLanguage(language: Language): Promise<void> {
  await Promise.all([showFonts(language), loadLanguage(language)]);
  storeLanguage(language);
  await changeLanguage(language);
}

/** Latin digits in every language, because references and phone numbers have them. */
export const localeOf = (language: Language): string =>
  language === 'en-US' ? language : `${language}-u-nu-latn`;

export function useLanguage(): {
  language: Language;
  direction: 'rtl' | 'ltr';
  setLanguage: (language: Language) => Promise<void>;
} {
  const ofPage = useSyncExternalStore(onLanguageChange, currentLanguage, currentLanguage);
  const language = (useShownLanguage() as Language | undefined) ?? ofPage;
  return { language, direction: directionOf(language), setLanguage };
}
