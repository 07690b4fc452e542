import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLanguage, storedLanguages, type Language } from '@diwan/contract/languages';
import { clientVersion } from './configuration.ts';

export const languageStorageKey = 'language';

const fetchTexts: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    fetch(`/locales/${language}/${namespace}.json?v=${clientVersion}`)
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${namespace}: ${response.status}`))))
      .then((texts) => done(null, texts), (error: unknown) => done(error as Error, false));
  },
};

export function storedLanguage(): Language {
  try {
    return readLanguage(window.localStorage.getItem(languageStorageKey));
  } catch {
    return readLanguage(null);
  }
}

export function storeLanguage(language: Language): void {
  try {
    window.localStorage.setItem(languageStorageKey, storedLanguages[language]);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export async function startTranslations(): Promise<void> {
  await i18next.use(fetchTexts).use(initReactI18next).init({
    lng: storedLanguage(),
    fallbackLng: false,
    load: 'currentOnly',
    ns: ['shell', 'errors'],
    defaultNS: 'shell',
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    react: { useSuspense: true },
  });
}
