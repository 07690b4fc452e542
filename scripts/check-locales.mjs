// Translation keys: the same in every language, with the same figures in them, all used, none
// missing; plurals whole; letters and words those of the language.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFaultsOutsideLocales, findWordFaults } from './check-words.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'web', 'public', 'locales');
const plurals = {
  'ar-EG': ['zero', 'one', 'two', 'few', 'many', 'other'],
  'en-US': ['one', 'other'],
  'ur-PK': ['one', 'other'],
};
const pluralEnding = /_(zero|one|two|few|many|other)$/;

/** An object of texts as dotted keys. */
export function flatten(value, prefix = '') {
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [[prefix + key, item]] : flatten(item, `${prefix}${key}.`),
  );
}

const figuresOf = (text) =>
  [...new Set(text.match(/\{\{\s*[\w.-]+/g) ?? [])]
    .map((figure) => figure.replace(/[{\s]/g, ''))
    .sort()
    .join(',');

/** What is wrong with one noun's texts: language -> object of texts. */
export function findTextFaults(noun, texts) {
  const faults = [];
  const languages = Object.keys(plurals);
  const flat = Object.fromEntries(
    languages.map((language) => [language, new Map(flatten(texts[language] ?? {}))]),
  );
  const bases = new Set(
    languages.flatMap((language) =>
      [...flat[language].keys()].map((key) => key.replace(pluralEnding, '')),
    ),
  );
  for (const base of bases) {
    const isPlural = languages.some((language) => flat[language].has(`${base}_other`));
    for (const language of languages) {
      for (const key of isPlural ? plurals[language].map((form) => `${base}_${form}`) : [base]) {
        const text = flat[language].get(key);
        if (text === undefined) faults.push(`${language}/${noun}.json: ${key} is missing`);
        else if (text.trim() === '') faults.push(`${language}/${noun}.json: ${key} is empty`);
        else if (!isPlural && figuresOf(text) !== figuresOf(flat['en-US'].get(key) ?? text))
          faults.push(`${language}/${noun}.json: ${key} has other figures than en-US`);
        for (const fault of findWordFaults(language, text ?? ''))
          faults.push(`${language}/${noun}.json: ${key} has ${fault}`);
      }
    }
  }
  return { faults, bases };
}

function sourcesBelow(path) {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.'),
    )
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));
}

/** The nouns whose texts a source uses by bare keys. */
function nounsOf(source) {
  return [...source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')/g)].flatMap((match) =>
    [...match[1].matchAll(/'([\w-]+)'/g)].map((noun) => noun[1]),
  );
}

// `${name}.title` is any key of the source's own nouns with that ending; `a.${x}` any with that
// beginning.
function patternsOf(source) {
  return [...source.matchAll(/`((?:[\w:.-]|\$\{[^`{}]*\})+)`/g)]
    .filter((match) => match[1].includes('${'))
    .map(
      (match) =>
        new RegExp(
          `^${match[1]
            .replace(/\$\{[^}]*\}/g, '\0')
            .replace(/[.:-]/g, '\\$&')
            .replaceAll('\0', '[\\w.-]+')}$`,
        ),
    )
    .filter((pattern) => /\\\./.test(pattern.source));
}

/**
 * Keys that no source names, and keys that a source names but no file has. `keys` are those of all
 * nouns as `noun:key`.
 */
export function findUseFaults(keys, sources) {
  const faults = [];
  const literals = new Set(
    [...sources.join('\n').matchAll(/['"`]((?:[\w-]+:)?[A-Za-z][\w-]*(?:\.[\w-]+)*)['"`]/g)].map(
      (match) => match[1],
    ),
  );
  const patterns = sources.flatMap((source) =>
    patternsOf(source).map((pattern) => ({ pattern, nouns: nounsOf(source) })),
  );
  for (const full of keys) {
    const [noun, key] = full.split(':');
    const isNamed =
      literals.has(key) ||
      literals.has(full) ||
      patterns.some(
        ({ pattern, nouns }) =>
          pattern.test(full) || (pattern.test(key) && (nouns.length === 0 || nouns.includes(noun))),
      );
    if (!isNamed) faults.push(`${full} is used nowhere`);
  }
  const known = new Set([...keys].flatMap((full) => [full, full.split(':')[1]]));
  for (const source of sources) {
    for (const match of source.matchAll(/\bt\(\s*'([^'$]+)'/g))
      if (!known.has(match[1])) faults.push(`${match[1]} is named by a source and in no file`);
  }
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = [];
  const keys = new Set();
  const nouns = new Set(
    Object.keys(plurals)
      .flatMap((language) =>
        existsSync(join(folder, language)) ? readdirSync(join(folder, language)) : [],
      )
      .map((file) => file.replace('.json', '')),
  );
  for (const noun of nouns) {
    const read = (language) => {
      const file = join(folder, language, `${noun}.json`);
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    };
    const result = findTextFaults(
      noun,
      Object.fromEntries(Object.keys(plurals).map((language) => [language, read(language)])),
    );
    faults.push(...result.faults);
    for (const base of result.bases) keys.add(`${noun}:${base}`);
  }
  faults.push(...findFaultsOutsideLocales(root));
  const errors = sourcesBelow(join(root, 'contract', 'src')).join('\n');
  const english = JSON.parse(readFileSync(join(folder, 'en-US', 'errors.json'), 'utf8'));
  for (const name of Object.keys({ ...english.refusals, ...english.validation }))
    if (!new RegExp(`\\b${name}\\b`).test(errors))
      faults.push(`errors: ${name} is not in the contract`);
  for (const [, name] of errors.matchAll(/^ {2}([A-Z]\w+): \d{3},$/gm))
    if (!(name in english.refusals)) faults.push(`errors: refusals.${name} is missing`);
  // The names of refusals and of what can be wrong with a value come from the contract; that is
  // held above.
  faults.push(
    ...findUseFaults(keys, sourcesBelow(join(root, 'web', 'src'))).filter(
      (fault) => !/^errors:(refusals|validation)\./.test(fault),
    ),
  );
  console.log(`${keys.size} texts in ${Object.keys(plurals).length} languages`);
  for (const fault of faults) console.error(fault);
  process.exit(faults.length === 0 ? 0 : 1);
}
