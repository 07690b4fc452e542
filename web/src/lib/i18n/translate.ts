import { createContext, use } from 'react';
import { createStore, useStore } from '../browser/create-store.ts';

/** The texts of one namespace, as the JSON files hold them. */
export interface Texts {
  [key: string]: string | Texts;
}

/** Values for the placeholders of a text. `ns`: where to look; `count`: chooses the plural form. */
interface TranslateOptions {
  ns?: string | readonly string[];
  count?: number;
  [placeholder: string]: unknown;
}

/** Returns the text of a key such as `kit.close` or `errors:refusals.NotFound`; else the key. */
type Translate = (key: string, options?: TranslateOptions) => string;

type LoadTexts = (language: string, namespace: string) => Promise<Texts>;

const defaultNamespaces = ['shell'];

let fetchTexts: LoadTexts = () => Promise.reject(new Error('startTranslations was not called'));
// Another object, also for the same language, shows all texts again.
const language = createStore({ of: '' });
const shownLanguage = createContext<string | undefined>(undefined);
/** Shows what is inside in another language than the page, such as the preview of a form. */
export const ShownLanguage = shownLanguage.Provider;
/** The language of a part that has its own; undefined elsewhere. */
export const useShownLanguage = (): string | undefined => use(shownLanguage);
/** Every namespace that was needed so far: another language needs the same ones. */
const namespaces = new Set<string>();
/** By `<language>/<namespace>`. */
export const loaded = new Map<string, Texts>();
const loading = new Map<string, Promise<void>>();
export const translators = new Map<string, Translate>();

const pathOf = (of: string, namespace: string) => `${of}/${namespace}`;

/** Loads a file once; after a failure the next call tries again. */
function load(of: string, namespace: string): Promise<void> {
  namespaces.add(namespace);
  const path = pathOf(of, namespace);
  const known = loading.get(path);
  if (known) return known;
  const fetched = fetchTexts(of, namespace).then((texts) => setTexts(of, namespace, texts));
  loading.set(path, fetched);
  fetched.catch(() => loading.delete(path));
  return fetched;
}

/** Replaces the texts of one namespace; what is rendered afterwards shows them. */
export const setTexts = (of: string, namespace: string, texts: Texts): void =>
  void loaded.set(pathOf(of, namespace), texts);

/** Settles when every file was loaded or failed; a failed file shows its keys. */
async function loadAll(of: string, wanted: Iterable<string>): Promise<void> {
  await Promise.allSettled([...wanted].map((namespace) => load(of, namespace)));
}

function findText(texts: Texts | undefined, key: string): string | undefined {
  let found: string | Texts | undefined = texts;
  for (const part of key.split('.'))
    found = typeof found === 'object' && Object.hasOwn(found, part) ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The plural form of a count, the most specific first. Every language may have a text for zero. */
function suffixesOf(of: string, count: number | undefined): readonly string[] {
  return count === undefined
    ? ['']
    : [...(count === 0 ? ['_zero'] : []), `_${new Intl.PluralRules(of).select(count)}`, ''];
}

// `{{name}}` is a value; `$t(users:login.title)` quotes the text of another key, such as a button.
const textParts = /\{\{\s*([\w-]+)\s*\}\}|\$t\(([\w-]+:[\w.-]+)\)/g;

function translate(
  of: string,
  among: readonly string[],
  key: string,
  options: TranslateOptions,
): string {
  const [prefix, name] = key.includes(':')
    ? (key.split(':', 2) as [string, string])
    : [undefined, key];
  const searched = prefix === undefined ? [options.ns ?? among].flat() : [prefix];
  const suffixes = suffixesOf(of, options.count);
  for (const namespace of searched) {
    for (const suffix of suffixes) {
      const text = findText(loaded.get(pathOf(of, namespace)), name + suffix);
      if (text !== undefined)
        return text.replace(textParts, (whole, placeholder?: string, other?: string) =>
          other !== undefined
            ? translate(of, among, other, {})
            : Object.hasOwn(options, placeholder ?? '')
              ? String(options[placeholder ?? ''] ?? '')
              : whole,
        );
    }
  }
  return name;
}

/** The same function for the same namespaces, so that effects run again only after a change. */
function translatorOf(of: string, among: readonly string[]): Translate {
  const path = pathOf(of, among.join());
  const known = translators.get(path);
  if (known) return known;
  const made: Translate = (key, options = {}) => translate(of, among, key, options);
  translators.set(path, made);
  return made;
}

const pending = new Map<string, Promise<unknown>>();
const retryAfterMs = 1000;

/**
 * One promise for the same missing files, which React needs to continue a suspended component. A
 * failure stays for a moment, so that the error boundary shows it instead of loading in a loop.
 */
function waitFor(of: string, missing: readonly string[]): Promise<unknown> {
  const path = pathOf(of, missing.join());
  const known = pending.get(path);
  if (known) return known;
  const wait = Promise.all(missing.map((namespace) => load(of, namespace)));
  wait.then(
    () => pending.delete(path),
    () => setTimeout(() => pending.delete(path), retryAfterMs),
  );
  pending.set(path, wait);
  return wait;
}

/** React reads `status` and continues without waiting. */
const ready = Object.assign(Promise.resolve(), { status: 'fulfilled' as const, value: undefined });

/**
 * The translator of the current language for one or several namespaces. Suspends the component
 * until their texts are loaded; throws the error of a file that cannot be loaded.
 */
export function useTranslation(asked: string | readonly string[]): { t: Translate } {
  const ofPage = useStore(language);
  const of = useShownLanguage() ?? ofPage.of;
  const among = [asked].flat();
  const missing = among.filter((namespace) => !loaded.has(pathOf(of, namespace)));
  // Called in every render: React replays a suspended component and fails with error 520 when the
  // replay, after the texts have arrived, calls `use` less often.
  use(missing.length > 0 ? waitFor(of, missing) : ready);
  return { t: translatorOf(of, among) };
}

/** A text outside of components; its namespace must be loaded. */
export const t: Translate = (key, options = {}) =>
  translate(translatedLanguage(), defaultNamespaces, key, options);

/** Sets the language after its texts were loaded; `load` fetches the texts of one namespace. */
export async function startTranslations(
  initial: string,
  { namespaces: wanted, load: fetching }: { namespaces: readonly string[]; load: LoadTexts },
): Promise<void> {
  fetchTexts = fetching;
  await loadAll(initial, wanted);
  selectLanguage(initial);
}

/** The language of the texts; empty before `startTranslations`. */
export const translatedLanguage = (): string => language.get().of;

/** Calls the listener after each change; returns the function that removes it. */
export const onLanguageChange = (listener: () => void): (() => void) =>
  language.subscribe(listener);

/**
 * Changes the language immediately. Its texts must be loaded: the server renders each page in its
 * own.
 */
export const selectLanguage = (wanted: string): void => language.set({ of: wanted });

/** Loads namespaces in the current language. */
export const loadNamespaces = (...wanted: readonly string[]): Promise<void> =>
  loadAll(translatedLanguage(), wanted);

/** Loads everything that was needed so far in another language, before it is shown. */
export const loadLanguage = (wanted: string): Promise<void> => loadAll(wanted, namespaces);

/** Changes the language of all texts, once they are loaded. */
export async function changeLanguage(wanted: string): Promise<void> {
  await loadLanguage(wanted);
  selectLanguage(wanted);
}
