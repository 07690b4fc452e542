import { directionOf, readLanguage, storedLanguages, type Language } from '@diwan/contract/languages';

export const languageStorageKey = 'language';

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

export function applyToDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  document.documentElement.dataset.started = '';
}
