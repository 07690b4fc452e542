// Letters, signs and words that a language does not use, in the locale files and the seed. Texts in
// source files are a problem themselves: decision 0031. The words are those of docs/words.md.
import { join } from 'node:path';
import { portalRules, sharedRules } from './portal-words.mjs';
import { readFiles, readText } from './read-files.mjs';
import { spellingRules } from './spelling-rules.mjs';

/** The problems of one text by some rules. Placeholders and quoted labels are not read. */
function findProblems(rules, text) {
  // A language’s own name is written in its own letters.
  if (['العربية', 'اردو'].includes(text)) return [];
  const read = text.replace(/\{\{[^}]*\}\}|\$t\([^)]*\)/g, 'x');
  return rules.filter(([pattern]) => pattern.test(read)).map(([, problem]) => problem);
}

/** The spelling problems of one text, in the portal or the catalogue. */
export const findSpellingProblems = (language, text) => findProblems(spellingRules[language], text);

/** The problems of one text of the portal with the words for its things. */
export const findWordProblems = (language, text) =>
  findProblems([...sharedRules[language], ...portalRules[language]], text);

// A verb before the name of a person, in the masculine: nobody knows whether it is a woman.
const masculine =
  'لم يقبل|قبل|قرر|رفض|وافق|سحبه|تظلّم|فتح|راجعه|حفظ|بدأ|نشر|أرسل|أضاف|عدّل|أكّد|أعاد|أنجز|علّق|ألغى|أبلغ';
const names = String.raw`\{\{(?:name|by|person|employee|actor)\}\}`;
const agreement = new RegExp(`(?<!\\p{L})[وف]?(?:${masculine}) \u2068?${names}`, 'u');

/** An Arabic verb that agrees with the name of a person. The text still has its placeholders. */
export const findAgreementProblems = (language, text) =>
  language === 'ar-EG' && agreement.test(text)
    ? ['a verb that agrees with a name: the action, a colon and the name']
    : [];

// Names of agencies in running text begin with these words.
const agencyMentions = {
  'ar-EG': /(?<!\p{L})وزارة \p{L}+/gu,
  'en-US': /Ministry of \p{L}+|(?<=the )\p{Lu}\p{L}+ Department\b/gu,
  'ur-PK': /وزارتِ \p{L}+|محکمۂ \p{L}+/gu,
};

/** Names of ministries and departments in a text that are not those of `agencies`, in whole. */
export function findAgencyProblems(language, text, agencies) {
  const names = agencies.map(({ name }) => name[language]);
  return [...text.matchAll(agencyMentions[language])]
    .filter(([mention]) => !names.some((name) => name.includes(mention) && text.includes(name)))
    .map(([mention]) => `${mention}… is not the name of an agency`);
}

/**
 * What only some texts of the seed have to do: a description says what the service does for whom
 * with a subject, a declaration of the applicant pledges in the first person.
 */
export function findWordingProblems(where, language, text) {
  const problems = [];
  if (language === 'ar-EG' && where.endsWith(' description') && /services\//.test(where)) {
    const hasPronoun = /\s(?:بها|به|إليها|عبره|عبرها|بموجبه|بموجبها|من خلاله|من خلالها)\s/;
    if (hasPronoun.test(text) && !/^(?:خدمة|بطاقة|وثيقة|موافقة|\S+ ال)/.test(text))
      problems.push('a pronoun without the word that it stands for: خدمة …');
  }
  if (
    language === 'ur-PK' &&
    where.endsWith(' terms') &&
    /(?:کی|کیا|دی|رکھے|ادا کیے) جائ(?:ے|یں) گ/.test(text)
  )
    problems.push('a pledge in the passive: میں … کروں گا/گی');
  return problems;
}

function textsOf(value, where) {
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string'
      ? key in spellingRules
        ? [[where, key, item]]
        : []
      : textsOf(item, `${where} ${key}`),
  );
}

/** The spelling problems of the seed, whose texts are data. */
export function findSeedProblems(root) {
  const agencies = JSON.parse(readText(join(root, 'api/seed/catalogue/agencies.json')));
  return [...readFiles(root, ['api/seed/*.json'])]
    .flatMap(([file, text]) => textsOf(JSON.parse(text), file))
    .flatMap(([where, language, text]) =>
      [
        ...findSpellingProblems(language, text),
        // Names are those of the agencies.
        ...(where.endsWith(' name') ? [] : findProblems(sharedRules[language], text)),
        ...(where.endsWith(' name') ? [] : findAgencyProblems(language, text, agencies)),
        ...findWordingProblems(where, language, text),
      ].map((problem) => `${where}: ${problem}, in ${language} “${text.slice(0, 60)}”`),
    );
}

// Test data, demo names, names as UAE PASS sends them, and letters that search treats alike.
const dataFiles =
  /\/testing\/|\/seed\/seed-providers\.ts$|\/sandbox-personas\.ts$|\/core\/letters\.ts$/;

/** The Arabic and Urdu texts in one source file. They belong in web/public/locales. */
export function findTextsInSource(file, source) {
  if (dataFiles.test(file)) return [];
  return [
    ...source.matchAll(
      /(['"`])((?:(?!\1)[^\\\n]|\\.)*[\u0621-\u06D3]{2}(?:(?!\1)[^\\\n]|\\.)*)\1/g,
    ),
  ].map(
    ([, , text]) => `${file}: a text in code belongs in web/public/locales: “${text.slice(0, 60)}”`,
  );
}

/** The Arabic and Urdu texts in all source files. */
export function findTextsInSources(root) {
  const sources = readFiles(
    root,
    ['contract', 'api', 'web'].flatMap((folder) => [`${folder}/src/*.ts`, `${folder}/src/*.tsx`]),
  );
  return [...sources]
    .filter(([file]) => !file.includes('.test.'))
    .flatMap(([file, source]) => findTextsInSource(file, source));
}
