import { useSyncExternalStore } from 'react';

interface Texts {
  [key: string]: string | Texts;
}
interface Options {
  ns?: string | readonly string[];
  count?: number;
  [figure: string]: unknown;
}
interface Backend {
  type: 'backend';
  read: (
    language: string,
    noun: string,
    done: (error: Error | null, texts: Texts | false) => void,
  ) => void;
}
type Translate = (key: string, options?: Options) => string;

let backend: Backend | undefined;
let language = '';
const nouns = new Set<string>();
const loaded = new Map<string, Texts>();
const loading = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
const translators = new Map<string, Translate>();
const waits = new Map<string, Promise<unknown>>();
const failures = new Map<string, Error>();

const placeOf = (of: string, noun: string) => `${of}/${noun}`;

/** Once; after a failure it can be asked for again. */
function load(of: string, noun: string): Promise<void> {
  nouns.add(noun);
  const place = placeOf(of, noun);
  const known = loading.get(place);
  if (known) return known;
  const fetched = new Promise<void>((resolve, reject) => {
    backend?.read(of, noun, (error, texts) => {
      if (error || texts === false) return reject(error ?? new Error(place));
      loaded.set(place, texts);
      resolve();
    });
  });
  loading.set(place, fetched);
  fetched.catch(() => loading.delete(place));
  return fetched;
}

const loadAll = (of: string, wanted: Iterable<string>) =>
  Promise.allSettled([...wanted].map((noun) => load(of, noun)));

function find(texts: Texts | undefined, path: string): string | undefined {
  let found: string | Texts | undefined = texts;
  for (const part of path.split('.'))
    found = typeof found === 'object' && Object.hasOwn(found, part) ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/**
 * A number is asked for by its plural form; none of something may have a form of its own in any
 * language.
 */
function endingsOf(of: string, count: number | undefined): readonly string[] {
  return count === undefined
    ? ['']
    : [...(count === 0 ? ['_zero'] : []), `_${new Intl.PluralRules(of).select(count)}`, ''];
}

function translate(of: string, among: readonly string[], key: string, options: Options): string {
  const [noun, path] = key.includes(':')
    ? (key.split(':', 2) as [string, string])
    : [undefined, key];
  const places = noun === undefined ? [options.ns ?? among].flat() : [noun];
  const endings = endingsOf(of, options.count);
  for (const place of places) {
    for (const ending of endings) {
      const text = find(loaded.get(placeOf(of, place)), path + ending);
      if (text !== undefined)
        return text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) =>
          Object.hasOwn(options, name) ? String(options[name] ?? '') : whole,
        );
    }
  }
  return path;
}

/**
 * The same function for the same nouns, so that an effect that uses it runs again only in another
 * language.
 */
function translatorOf(of: string, among: readonly string[]): Translate {
  const name = placeOf(of, among.join());
  const known = translators.get(name);
  if (known) return known;
  const made: Translate = (key, options = {}) => translate(of, among, key, options);
  translators.set(name, made);
  return made;
}

/**
 * Until the texts are here the page waits, as React waits for a promise that is thrown; what could
 * not be fetched is thrown as an error, and asked for again by a later visit.
 */
function waitFor(of: string, missing: readonly string[]): never {
  const name = placeOf(of, missing.join());
  const failure = failures.get(name);
  if (failure) throw failure;
  const wait =
    waits.get(name) ??
    Promise.all(missing.map((noun) => load(of, noun))).then(
      () => waits.delete(name),
      (error: Error) => {
        waits.delete(name);
        failures.set(name, error);
        setTimeout(() => failures.delete(name), 1000);
      },
    );
  waits.set(name, wait);
  // oxlint-disable-next-line typescript/only-throw-error
  throw wait;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTranslation(asked: string | readonly string[]): { t: Translate } {
  const of = useSyncExternalStore(subscribe, () => language);
  const among = [asked].flat();
  const missing = among.filter((noun) => !loaded.has(placeOf(of, noun)));
  if (missing.length > 0) waitFor(of, missing);
  return { t: translatorOf(of, among) };
}

/** What makes react-i18next known to i18next; here they are one. */
export const initReactI18next = { type: '3rdParty' } as const;

/**
 * What the portal uses of i18next and react-i18next, in their place in the browser: decision 0011.
 * `i18next-in-browser.test.ts` holds it against the real ones.
 */
const i18next = {
  get language() {
    return language;
  },
  use(part: Backend | typeof initReactI18next) {
    if (part.type === 'backend') backend = part;
    return i18next;
  },
  async init({ lng, ns }: { lng: string; ns: readonly string[] }): Promise<void> {
    await loadAll(lng, ns);
    language = lng;
  },
  t: (key: string, options: Options = {}) => translate(language, ['shell'], key, options),
  on: (_event: 'languageChanged', listener: () => void) => void listeners.add(listener),
  off: (_event: 'languageChanged', listener: () => void) => void listeners.delete(listener),
  loadNamespaces: (wanted: string | readonly string[]) => loadAll(language, [wanted].flat()),
  loadLanguages: (wanted: string) => loadAll(wanted, nouns),
  async changeLanguage(wanted: string): Promise<void> {
    await loadAll(wanted, nouns);
    language = wanted;
    for (const listener of listeners) listener();
  },
};

// Its place is taken by name, and the real one is a default export.
// oxlint-disable-next-line import/no-default-export
export default i18next;
