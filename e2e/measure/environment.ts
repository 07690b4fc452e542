import { languages, type Language } from '@diwan/contract/wire/languages';

/** The languages of LANGUAGES, such as ar-EG,ur-PK. */
export function chosenLanguages(otherwise: readonly Language[] = languages): readonly Language[] {
  const named = process.env.LANGUAGES?.split(',');
  return named ? languages.filter((language) => named.includes(language)) : otherwise;
}

/** The widths of WIDTHS in pixels. */
export const chosenWidths = (otherwise: readonly number[]): readonly number[] =>
  process.env.WIDTHS?.split(',').map(Number) ?? otherwise;

export type Theme = 'light' | 'dark';

/** The colour modes of THEME. */
export const chosenThemes = (otherwise: readonly Theme[]): readonly Theme[] =>
  (process.env.THEME?.split(',') as Theme[] | undefined) ?? otherwise;

/** How often a page is opened. */
export const runs = Number(process.env.RUNS ?? 5);
