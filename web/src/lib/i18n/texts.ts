import type { Language } from '@diwan/contract/wire/languages';

/**
 * A hash of all texts: other texts have another address, so a new build is seen at once. Set by
 * `vite.config.ts`.
 */
const version = String(import.meta.env.VITE_TEXTS_VERSION);

const onTheWay = new Map<string, Promise<unknown>>();

async function fetchTexts(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

/** The texts of one noun; asked for once, and again only after a failure. */
export function textsOf(language: Language, noun: string): Promise<unknown> {
  const address = `/locales/${language}/${noun}.json?v=${version}`;
  const texts = onTheWay.get(address) ?? fetchTexts(address);
  onTheWay.set(address, texts);
  texts.catch(() => onTheWay.delete(address));
  return texts;
}
