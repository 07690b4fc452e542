import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { loadFonts } from './fonts.ts';
import { storedLanguage, storeLanguage } from './stored-language.ts';

export function currentLanguage(): Language {
  return i18next.language ? (i18next.language as Language) : storedLanguage();
}

/** Texts and fonts are fetched first, so that the page changes at once and whole. */
export async function setLanguage(language: Language): Promise<void> {
  await Promise.all([loadFonts(language), i18next.loadLanguages(language)]);
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

function subscribe(onChange: () => void): () => void {
  i18next.on('languageChanged', onChange);
  return () => i18next.off('languageChanged', onChange);
}

export function useLanguage(): {
  language: Language;
  direction: 'rtl' | 'ltr';
  setLanguage: (language: Language) => Promise<void>;
} {
  const language = useSyncExternalStore(subscribe, currentLanguage, currentLanguage);
  return { language, direction: directionOf(language), setLanguage };
}
