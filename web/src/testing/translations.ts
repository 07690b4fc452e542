import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTranslations, type Texts } from '../lib/i18n/translate.ts';

const folder = join(import.meta.dirname, '../../public/locales');

/** Every namespace that has a file. */
export const allNamespaces: readonly string[] = readdirSync(join(folder, 'en-US')).map((name) =>
  name.replace('.json', ''),
);

/** The texts of one namespace, from the file that the portal fetches. */
export function readTexts(language: string, namespace: string): Texts {
  return JSON.parse(readFileSync(join(folder, language, `${namespace}.json`), 'utf8')) as Texts;
}

/** Starts translations with the real texts of these namespaces; no network is needed. */
export function startTestTranslations(
  language: string,
  ...namespaces: readonly string[]
): Promise<void> {
  return startTranslations(language, {
    namespaces,
    load: async (wanted, namespace) => readTexts(wanted, namespace),
  });
}
