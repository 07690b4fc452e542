import {
  directionOf,
  readLanguage,
  storedLanguages,
  type Language,
} from '@diwan/contract/wire/languages';

export const languageStorageKey = 'language';

/** Without storage the choice lasts as long as the page. */
let chosen: string | null = null;

export function storedLanguage(): Language {
  try {
    return readLanguage(window.localStorage.getItem(languageStorageKey));
  } catch {
    return readLanguage(chosen);
  }
}

export function storeLanguage(language: Language): void {
  chosen = language;
  try {
    window.localStorage.setItem(languageStorageKey, storedLanguages[language]);
  } catch {
    // It is kept above.
  }
}

/**
 * An address may choose the language, `?ln=en-US`: search engines and links to a translation do. It
 * is kept as if it had been chosen here, and leaves the address.
 */
export function takeLanguageFromAddress(): void {
  const address = new URL(window.location.href);
  const wanted = address.searchParams.get('ln');
  if (wanted === null) return;
  if (/^(ar|en|ur)/i.test(wanted)) storeLanguage(readLanguage(wanted));
  address.searchParams.delete('ln');
  window.history.replaceState(window.history.state, '', address);
}

// The server writes the first words of a page in this language; nothing else reads it.
function tellServer(language: Language): void {
  document.cookie = `language=${language}; path=/; max-age=31536000; samesite=lax${window.location.protocol === 'https:' ? '; secure' : ''}`;
}

/**
 * Words in another language than the browser's own have come where the server did not know it yet;
 * they leave at once.
 */
export function applyToDocument(language: Language): void {
  if (document.documentElement.lang !== language)
    document.querySelector('[data-opening]')?.remove();
  tellServer(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
