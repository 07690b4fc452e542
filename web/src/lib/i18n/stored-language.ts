import type { StoredName } from '@diwan/contract/portal/browser-storage';
import {
  directionOf,
  readLanguage,
  storedLanguages,
  type Language,
} from '@diwan/contract/wire/languages';
import { storeCookie } from '../browser/storage.ts';

const languageStorageKey: StoredName<'local'> = 'language';

/** The choice of a browser without storage; it lasts as long as the page. */
let chosen: string | null = null;

export function storedLanguage(): Language {
  try {
    return readLanguage(window.localStorage.getItem(languageStorageKey));
  } catch {
    return readLanguage(chosen);
  }
}

/** Whether a language was chosen in this browser. It is of the computer, also of a shared one. */
export function hasStoredLanguage(): boolean {
  try {
    return window.localStorage.getItem(languageStorageKey) !== null;
  } catch {
    return chosen !== null;
  }
}

export function storeLanguage(language: Language): void {
  chosen = language;
  try {
    window.localStorage.setItem(languageStorageKey, storedLanguages[language]);
  } catch {
    // `chosen` holds it.
  }
}

/**
 * Stores the language that an address names by `?ln=en-US`, as search engines and links to a
 * translation do, and removes it from the address.
 */
export function takeLanguageFromAddress(): void {
  const address = new URL(window.location.href);
  const wanted = address.searchParams.get('ln');
  if (wanted === null) return;
  if (/^(ar|en|ur)/i.test(wanted)) storeLanguage(readLanguage(wanted));
  address.searchParams.delete('ln');
  window.history.replaceState(window.history.state, '', address);
}

// The server renders the first texts of a page in this language; nothing else reads the cookie.
const storeLanguageCookie = (language: Language) => storeCookie('language', language);

/**
 * Sets language and direction of the page. Removes first texts that the server rendered in another
 * language, because it did not know the stored one.
 */
export function applyToDocument(language: Language): void {
  if (document.documentElement.lang !== language)
    for (const text of document.querySelectorAll('[data-opening], [data-rendered] > *'))
      text.remove();
  storeLanguageCookie(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
