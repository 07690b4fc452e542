import type { Language } from '@diwan/contract/wire/languages';
import type { Texts } from './translate.ts';

/**
 * A hash of all texts, so that new texts have a new address: that of the build
 * (`web/build/texts-version.ts`), and that of the overrides, which the server writes into the page.
 */
const versionOf = ({ texts }: DOMStringMap) =>
  `${import.meta.env.VITE_TEXTS_VERSION}${texts ? `-${texts}` : ''}`;

let headersOf: () => Record<string, string> = () => ({});

/** Sets what gives the headers of every call. A setter, because the session is no matter of texts. */
export function setHeadersOfTexts(create: () => Record<string, string>): void {
  headersOf = create;
}

const pending = new Map<string, Promise<Texts>>();

async function fetchTexts(address: string): Promise<Texts> {
  const response = await fetch(address, { headers: headersOf() });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as Texts;
}

/** Fetches the texts of one namespace once; after a failure the next call fetches again. */
export function loadTexts(language: Language, namespace: string): Promise<Texts> {
  const address = `/locales/${language}/${namespace}.json?v=${versionOf(document.documentElement.dataset)}`;
  const texts = pending.get(address) ?? fetchTexts(address);
  pending.set(address, texts);
  texts.catch(() => pending.delete(address));
  return texts;
}
