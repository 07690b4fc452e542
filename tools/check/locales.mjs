// Translation keys of screens, mails, SMS and server pages (decision 0031): the same in every
// language with the same placeholders, all used, none missing; all plural forms; spelling.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/install.mjs';
import { readFiles, readText } from './read-files.mjs';
import {
  findAgreementProblems,
  findSeedProblems,
  findSpellingProblems,
  findTextsInSources,
  findWordProblems,
} from './spelling.mjs';

const folder = join(root, 'web', 'public', 'locales');
const plurals = {
  'ar-EG': ['zero', 'one', 'two', 'few', 'many', 'other'],
  'en-US': ['one', 'other'],
  'ur-PK': ['one', 'other'],
};
const pluralEnding = /_(zero|one|two|few|many|other)$/;

/** An object of texts as dotted keys. */
function flatten(value, prefix = '') {
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [[prefix + key, item]] : flatten(item, `${prefix}${key}.`),
  );
}

const placeholdersOf = (text) =>
  [...new Set(text.match(/\{\{\s*[\w.-]+/g) ?? [])]
    .map((placeholder) => placeholder.replace(/[{\s]/g, ''))
    .sort()
    .join(',');

/**
 * Labels that a text quotes come from their keys, “$t(users:login.forgotten)”, so that they cannot
 * differ from the button that they name. Latin lower case is the name of a demo account. `texts`:
 * noun -> language -> object of texts.
 */
export function findQuoteProblems(texts) {
  const problems = [];
  for (const [noun, byLanguage] of texts)
    for (const [language, object] of Object.entries(byLanguage))
      for (const [key, text] of flatten(object)) {
        const where = `${language}/${noun}.json: ${key}`;
        for (const [, quoted] of text.matchAll(/[“«”]([^“”«»]+)[”»“]/g))
          if (!/^(\{\{[^}]+\}\}|\$t\([^)]+\)|[a-z]+)$/.test(quoted))
            problems.push(`${where} quotes “${quoted}”, which has to come from its key`);
        for (const [, other, label] of text.matchAll(/\$t\(([\w-]+):([\w.-]+)\)/g))
          if (!flatten(texts.get(other)?.[language] ?? {}).some(([known]) => known === label))
            problems.push(`${where} quotes ${other}:${label}, which does not exist`);
      }
  return problems;
}

const productName = /diwan|ديوان|دیوان/i;

/**
 * The name of the product in texts: a portal has its own name, which texts quote as
 * `$t(shell:wordmark)` (decision 0126). `sources`: file -> source of the server; identifiers, headers
 * and addresses in small letters are not read.
 */
export function findNameProblems(texts, sources) {
  const inTexts = [...texts].flatMap(([noun, byLanguage]) =>
    Object.entries(byLanguage).flatMap(([language, object]) =>
      flatten(object)
        .filter(([, text]) => productName.test(text))
        .map(([key]) => `${language}/${noun}.json: ${key} names the product, not the portal`),
    ),
  );
  const inSources = [...sources]
    .filter(([, source]) =>
      /(['"`[])(?:(?!\1)[^\n])*Diwan(?!-)/.test(source.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')),
    )
    .map(([file]) => `${file} names the product in a text`);
  return [...inTexts, ...inSources];
}

/** The problems of one noun's texts (language -> object of texts) and its keys without endings. */
export function findTextProblems(noun, texts) {
  const problems = [];
  const languages = Object.keys(plurals);
  const flat = Object.fromEntries(
    languages.map((language) => [language, new Map(flatten(texts[language] ?? {}))]),
  );
  const keys = new Set(
    languages.flatMap((language) =>
      [...flat[language].keys()].map((key) => key.replace(pluralEnding, '')),
    ),
  );
  for (const base of keys) {
    const isPlural = languages.some((language) => flat[language].has(`${base}_other`));
    for (const language of languages) {
      for (const key of isPlural ? plurals[language].map((form) => `${base}_${form}`) : [base]) {
        const text = flat[language].get(key);
        const where = `${language}/${noun}.json: ${key}`;
        if (text === undefined) problems.push(`${where} is missing`);
        else if (text.trim() === '') problems.push(`${where} is empty`);
        else if (
          !isPlural &&
          placeholdersOf(text) !== placeholdersOf(flat['en-US'].get(key) ?? text)
        )
          problems.push(`${where} has other placeholders than en-US`);
        for (const problem of [
          ...findSpellingProblems(language, text ?? ''),
          ...findWordProblems(language, text ?? ''),
          ...findAgreementProblems(language, text ?? ''),
        ])
          problems.push(`${where} has ${problem}`);
      }
    }
  }
  return { problems, keys };
}

/** The sources of a workspace, without tests. */
const sourcesOf = (workspace) =>
  [...readFiles(root, [`${workspace}/src/*.ts`, `${workspace}/src/*.tsx`])]
    .filter(([file]) => !file.includes('.test.') && !/\/testing\/[^/]+$/.test(file))
    .map(([, text]) => text);

/** The sources of the server that write texts for people, and the templates of documents. */
const textSources = () =>
  [
    ...readFiles(root, [
      'api/src/features/*.ts',
      ...['http', 'messages', 'pdf', 'portal'].map((topic) => `api/src/platform/${topic}/*.ts`),
      'api/templates/*.typ',
    ]),
  ].filter(([file]) => !file.includes('.test.'));

/** The translators that a server source opens: variable -> noun. */
const translatorsOf = (source) =>
  new Map(
    [...source.matchAll(/\b(\w+) = createTranslator\(\s*'([\w-]+)'/g)].map((match) => [
      match[1],
      match[2],
    ]),
  );

/** The nouns whose texts a source uses by keys without a noun. */
function nounsOf(source) {
  return [
    ...[...source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')/g)].flatMap((match) =>
      [...match[1].matchAll(/'([\w-]+)'/g)].map((noun) => noun[1]),
    ),
    ...translatorsOf(source).values(),
  ];
}

// `${name}.title` is any key of the source's own nouns with that ending; `a.${x}` any with that
// beginning. The groups are what the variables hold.
function patternsOf(source) {
  return [...source.matchAll(/`((?:[\w:.-]|\$\{[^`{}]*\})+)`/g)]
    .filter((match) => match[1].includes('${'))
    .map(
      (match) =>
        new RegExp(
          `^${match[1]
            .replace(/\$\{[^}]*\}/g, '\0')
            .replace(/[.:-]/g, '\\$&')
            .replaceAll('\0', '([\\w.-]+)')}$`,
        ),
    )
    .filter((pattern) => /\\\./.test(pattern.source));
}

/**
 * The keys that no source names, and the keys that a source names but no file has. `keys` are those
 * of all nouns as `noun:key`. `words`: what a variable in a key can hold; without it, anything.
 */
export function findUseProblems(keys, sources, words) {
  const problems = [];
  const literals = new Set(
    [...sources.join('\n').matchAll(/['"`]((?:[\w-]+:)?[A-Za-z][\w-]*(?:\.[\w-]+)*)['"`]/g)].map(
      (match) => match[1],
    ),
  );
  const patterns = sources.flatMap((source) =>
    patternsOf(source).map((pattern) => ({ pattern, nouns: nounsOf(source) })),
  );
  const isHeld = (match) =>
    match !== null &&
    (!words || match.slice(1).every((held) => held.split('.').every((word) => words.has(word))));
  for (const full of keys) {
    const [noun, key] = full.split(':');
    const isNamed =
      literals.has(key) ||
      literals.has(full) ||
      patterns.some(
        ({ pattern, nouns }) =>
          isHeld(pattern.exec(full)) ||
          ((nouns.length === 0 || nouns.includes(noun)) && isHeld(pattern.exec(key))),
      );
    if (!isNamed) problems.push(`${full} is used nowhere`);
  }
  const known = new Set([...keys].flatMap((full) => [full, full.split(':')[1]]));
  for (const source of sources) {
    const translators = translatorsOf(source);
    for (const [, name, key] of source.matchAll(/\b(\w+)(?:\(|,)\s*'([^'$\s]+)'/g)) {
      const noun = translators.get(name);
      if (noun !== undefined ? !keys.has(`${noun}:${key}`) : name === 't' && !known.has(key))
        problems.push(`${key} is named by a source and in no file`);
    }
  }
  return problems;
}

/** All texts: noun -> language -> object of texts. */
function readTexts() {
  const languages = Object.keys(plurals);
  const nouns = new Set(
    languages
      .flatMap((language) =>
        existsSync(join(folder, language)) ? readdirSync(join(folder, language)) : [],
      )
      .map((file) => file.replace('.json', '')),
  );
  const read = (language, noun) => {
    const file = join(folder, language, `${noun}.json`);
    return existsSync(file) ? JSON.parse(readText(file)) : {};
  };
  return new Map(
    [...nouns].map((noun) => [
      noun,
      Object.fromEntries(languages.map((language) => [language, read(language, noun)])),
    ]),
  );
}

/** Word for word those of the specification (§6, §8, §9). */
const specified = ['YouHaveToLoginFirst', 'YouAreUnauthorized', 'IncorrectPassword'];

/** The refusals that do not end as a sentence does. `texts`: language -> object of texts. */
export const findRefusalEndings = (texts) =>
  Object.entries(texts).flatMap(([language, { refusals }]) =>
    Object.entries(refusals)
      .filter(([name, text]) => !specified.includes(name) && !/[.?!؟۔]$/u.test(text))
      .map(([name]) => `${language}/errors.json: refusals.${name} has no full stop`),
  );

/** The names of errors in the contract and their texts. */
function findErrorProblems(contract, english) {
  const problems = [];
  const keys = Object.keys({ ...english.refusals, ...english.validation });
  for (const name of new Set(keys.map((key) => key.replace(pluralEnding, ''))))
    if (!new RegExp(`\\b${name}\\b`).test(contract))
      problems.push(`errors: ${name} is not in the contract`);
  for (const [, name] of contract.matchAll(/^ {2}([A-Z]\w+): \d{3},$/gm))
    if (!(name in english.refusals)) problems.push(`errors: refusals.${name} is missing`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const texts = readTexts();
  const contract = sourcesOf('contract');
  const api = sourcesOf('api');
  const web = sourcesOf('web');
  const problems = [
    ...findSeedProblems(root),
    ...findTextsInSources(root),
    ...findQuoteProblems(texts),
    ...findNameProblems(texts, textSources()),
  ];
  const keys = new Set();
  for (const [noun, byLanguage] of texts) {
    const result = findTextProblems(noun, byLanguage);
    problems.push(...result.problems);
    for (const key of result.keys) keys.add(`${noun}:${key}`);
  }
  problems.push(
    ...findErrorProblems(contract.join('\n'), texts.get('errors')['en-US']),
    ...findRefusalEndings(texts.get('errors')),
  );

  // The page for texts names every file.
  for (const noun of texts.keys())
    if (!texts.get('texts')['en-US'].nouns[noun])
      problems.push(`texts: nouns.${noun} is missing: a name of this file for administrators`);

  // The browser names the nouns that it loads; the others are the server's own.
  const loaded = new Set(
    [...web.join('\n').matchAll(/['`]([\w-]+)['`:]/g)].map((match) => match[1]),
  );
  const opened = new Set(api.flatMap((source) => [...translatorsOf(source).values()]));
  const isServerKey = (full) => opened.has(full.split(':')[0]) && !loaded.has(full.split(':')[0]);
  // Names of errors come from the contract: see findErrorProblems.
  const isErrorName = (problem) =>
    /^errors:(refusals|validation)\..* is used nowhere$/.test(problem);
  const select = (isWanted) => new Set([...keys].filter(isWanted));
  problems.push(
    ...findUseProblems(
      select((full) => !isServerKey(full)),
      [
        ...web,
        // Texts quote others: `$t(shell:supportDesk)`.
        ...[...JSON.stringify([...texts.values()]).matchAll(/\$t\(([\w:.-]+)\)/g)].map(
          ([, key]) => `'${key}'`,
        ),
        ...api.filter((source) =>
          [...translatorsOf(source).values()].some((noun) => loaded.has(noun)),
        ),
      ],
    ).filter((problem) => !isErrorName(problem)),
    ...findUseProblems(
      select(isServerKey),
      api.filter((source) => [...translatorsOf(source).values()].some((noun) => !loaded.has(noun))),
      new Set([...contract, ...api].join('\n').match(/\w+/g)),
    ),
  );
  console.log(`${keys.size} texts in ${Object.keys(plurals).length} languages`);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
