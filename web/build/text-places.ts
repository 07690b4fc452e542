import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Plugin } from 'vite';
import { pageList } from '../../contract/src/portal/page-list.ts';
import { listFiles } from './list-files.ts';
import { readPageFiles } from './page-files.ts';

/** Paths of pages by `noun:group`: the first part of a key is its group. `*` stands for every page. */
type TextPlaces = Record<string, readonly string[]>;

type Nested = { [key: string]: string | Nested };

const flatten = (texts: Nested, prefix = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : flatten(value, `${prefix}${key}.`),
  );

const pluralEnding = /_(zero|one|two|few|many|other)$/;

/** The keys of all files of texts, without plural endings, by noun. */
function readKeys(locales: string): Map<string, Set<string>> {
  return new Map(
    listFiles(join(locales, 'en-US')).map((path) => [
      path.replace(/^.*[\\/]/, '').replace('.json', ''),
      new Set(
        flatten(JSON.parse(readFileSync(path, 'utf8')) as Nested).map((key) =>
          key.replace(pluralEnding, ''),
        ),
      ),
    ]),
  );
}

type Keys = ReadonlyMap<string, ReadonlySet<string>>;

/** The nouns whose texts a source names by keys without a noun. */
function nounsOf(source: string): string[] {
  const lists = [...source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')/g)];
  const named = [...source.matchAll(/\bns: ('[\w-]+')/g)];
  return [...lists, ...named].flatMap(([, list = '']) =>
    [...list.matchAll(/'([\w-]+)'/g)].map(([, noun = '']) => noun),
  );
}

/** `noun:key` or `key`, for which the nouns of the source are searched. */
function splitName(
  name: string,
  own: readonly string[],
): { nouns: readonly string[]; key: string } {
  const [noun = '', key] = name.split(':', 2);
  if (key === undefined) return { nouns: own, key: noun };
  return { nouns: noun.includes('\0') ? own : [noun], key };
}

/** The groups of texts that a source names by keys. */
const namedGroups = (source: string, own: readonly string[], keys: Keys): string[] =>
  [...source.matchAll(/['"`]((?:[\w-]+:)?[A-Za-z][\w.-]*)['"`]/g)].flatMap(([, name = '']) => {
    const { nouns, key } = splitName(name, own);
    return nouns.filter((noun) => keys.get(noun)?.has(key)).map((noun) => groupOf(noun, key));
  });

/** The groups of texts that a source names by keys with variables in them. */
const computedGroups = (source: string, own: readonly string[], keys: Keys): string[] =>
  [...source.matchAll(/`((?:[\w:.-]|\$\{[^`{}]*\})+)`/g)]
    .map(([, name = '']) => name.replace(/\$\{[^}]*\}/g, '\0'))
    // A name of variables alone would be that of every text.
    .filter((name) => name.includes('\0') && /[.:]/.test(name) && /\w/.test(name))
    .flatMap((name) => {
      const { nouns, key } = splitName(name, own);
      const matches = new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('\0', '[\\w.-]+')}$`);
      return nouns.flatMap((noun) =>
        [...(keys.get(noun) ?? [])]
          .filter((known) => matches.test(known))
          .map((known) => groupOf(noun, known)),
      );
    });

const groupOf = (noun: string, key: string) => `${noun}:${key.split('.')[0]}`;

function groupsIn(source: string, keys: Keys): Set<string> {
  const own = [...new Set(nounsOf(source))];
  return new Set([...namedGroups(source, own, keys), ...computedGroups(source, own, keys)]);
}

/** Where the texts of the portal appear. `sources` is `web/src`. */
export function findTextPlaces(sources: string, locales: string): TextPlaces {
  const keys = readKeys(locales);
  const read = new Map<string, { imports: string[]; groups: Set<string> }>();
  const readModule = (path: string) => {
    const known = read.get(path);
    if (known) return known;
    const source = readFileSync(path, 'utf8');
    const imports = [...source.matchAll(/(?:from|import\()\s*'([.#][^']+\.tsx?)'/g)].map(
      ([, specifier = '']) =>
        specifier.startsWith('#')
          ? join(sources, specifier.slice(1))
          : normalize(join(dirname(path), specifier)),
    );
    const made = { imports, groups: groupsIn(source, keys) };
    read.set(path, made);
    return made;
  };
  const isOfFeature = (path: string) => path.startsWith(join(sources, 'features'));
  const places = new Map<string, Set<string>>();
  const add = (group: string, path: string) =>
    places.set(group, (places.get(group) ?? new Set()).add(path));
  // What the frame, the components and the libraries name can be on every page.
  for (const path of listFiles(sources)) {
    const isShared = /[\\/](shell|ui|lib)[\\/]/.test(path.slice(sources.length));
    if (!isShared || !/\.tsx?$/.test(path) || path.includes('.test.')) continue;
    for (const group of readModule(path).groups) add(group, '*');
  }
  const files = readPageFiles(sources);
  for (const [name, file] of files) {
    const path = pageList.find((page) => page.name === name)?.address ?? '';
    const seen = new Set<string>();
    const visit = (module: string): void => {
      if (seen.has(module) || !isOfFeature(module)) return;
      seen.add(module);
      const { imports, groups } = readModule(module);
      for (const group of groups) add(group, path);
      for (const each of imports) visit(each);
    };
    visit(file);
  }
  return Object.fromEntries(
    [...places].map(([group, paths]) => [group, paths.has('*') ? ['*'] : [...paths].sort()]),
  );
}

/** Sets `VITE_TEXT_PLACES`, so that the page for texts links to the pages that show them. */
export function textPlaces(sources: string, locales: string): Plugin {
  return {
    name: 'text-places',
    config: () => ({
      define: {
        'import.meta.env.VITE_TEXT_PLACES': JSON.stringify(findTextPlaces(sources, locales)),
      },
    }),
  };
}
