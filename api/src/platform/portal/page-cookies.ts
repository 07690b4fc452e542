import type { Theme } from '@diwan/contract/portal/document';
import { languages, storedLanguages, type Language } from '@diwan/contract/wire/languages';

function findLanguage(name: string | null | undefined): Language | undefined {
  return languages.find((language) =>
    [language, storedLanguages[language]].some(
      (value) => value.toLowerCase() === name?.toLowerCase(),
    ),
  );
}

/** The language of the query, else of the cookie, else Arabic. */
export function languageOfPage(query: URLSearchParams, cookies: string | undefined): Language {
  return (
    findLanguage(query.get('ln')) ??
    findLanguage(/(?:^|;\s*)language=([\w-]+)/.exec(cookies ?? '')?.[1]) ??
    'ar-EG'
  );
}

/**
 * The marks of announcements that this browser has dismissed, out of `known`, sorted. The cookie is
 * written by `announcements.tsx` of the portal.
 */
export function dismissedOfPage(cookies: string | undefined, known: readonly string[]): string[] {
  const marks = /(?:^|;\s*)dismissed=([\d.~]*)/.exec(cookies ?? '')?.[1]?.split('~') ?? [];
  return known.filter((mark) => marks.includes(mark)).toSorted();
}

/** The theme of the cookie; `undefined` follows the device. */
export function themeOfPage(cookies: string | undefined): Theme | undefined {
  return /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies ?? '')?.[1] as Theme | undefined;
}

/**
 * Whether the browser has cached the fonts of a language, by the cookie of `fonts.ts` of the
 * portal.
 */
export const hasFontsOf = (language: Language, cookies: string | undefined): boolean =>
  /(?:^|;\s*)fonts=([\w-]+)/.exec(cookies ?? '')?.[1] === language;
