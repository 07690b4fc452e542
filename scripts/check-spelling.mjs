// Letters, signs and words that a language does not use, in the locale files and the seed. Texts in
// source files are a problem themselves: decision 0031. The words are those of docs/words.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const everywhere = [
  [/\S {2,}\S/, 'two spaces'],
  [/\s[،؛؟۔]/, 'a space before a sign'],
  [/\.{3}/, 'three points for …'],
];
const wrong = {
  'ar-EG': [
    ...everywhere,
    [/[کگیےہھۂۓپچژٹڈڑں]/, 'a letter of Urdu'],
    [/[٠-٩۰-۹٪]/, 'digits that are not Latin (decision 0007)'],
    [/[\u0621-\u064A\u064B-\u0652][,;?]/, 'a Latin sign after Arabic letters'],
    [/اً/, 'tanwin after its alif: ًا'],
    [/[“”]/, 'quotes that are not « »'],
    [/الهاتف المحمول/, 'another word than الهاتف المتحرك'],
    [/مزود الدفع/, 'another word than مزود خدمة الدفع'],
    [/التصرف نيابة|يتصرف نيابة/, 'another word than العمل نيابةً عن'],
  ],
  'en-US': [
    ...everywhere,
    [/\w'\w/, 'a typewriter’s apostrophe'],
    [/\blog(ged)? (in|out|on)\b|\blogin\b(?! first)/i, 'another word than sign in, sign out'],
  ],
  'ur-PK': [
    ...everywhere,
    [/[يكىهة]/, 'a letter of Arabic: Urdu has ی ک ہ ھ ۃ'],
    [/[٠-٩۰-۹٪]/, 'digits that are not Latin (decision 0007)'],
    [/[\u0621-\u06D3][,;?.](?=\s|$)/, 'a Latin sign after Urdu letters'],
    [/[«»]/, 'quotes that are not ” “'],
    [/لاگ ان|سائن ان/, 'another word than سائن اِن'],
    [/یو اے ای پاس/, 'another word than UAE PASS'],
    [/سپورٹ سے|مدد سے رابطہ/, 'another word than معاونت'],
    [/پتہ|صورتحال|خودبخود|مینیجر|ہو گا\b/, 'another spelling than پتا, صورتِ حال, خود بخود, منیجر'],
    [/کاروباری دن|ایامِ کار/, 'another word than کام کے دن'],
  ],
};

/** The spelling problems of one text. Placeholders are not read. */
export function findSpellingProblems(language, text) {
  // A language’s own name is written in its own letters.
  if (['العربية', 'اردو'].includes(text)) return [];
  const read = text.replace(/\{\{[^}]*\}\}/g, 'x');
  return wrong[language].filter(([pattern]) => pattern.test(read)).map(([, problem]) => problem);
}

function textsOf(value, where) {
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string'
      ? key in wrong
        ? [[where, key, item]]
        : []
      : textsOf(item, `${where} ${key}`),
  );
}

const filesBelow = (root, folder, ending) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** The spelling problems of the seed, whose texts are data. */
export function findSeedProblems(root) {
  return filesBelow(root, 'api/seed', /\.json$/)
    .flatMap((file) => textsOf(JSON.parse(readFileSync(file, 'utf8')), file.slice(root.length + 1)))
    .flatMap(([where, language, text]) =>
      findSpellingProblems(language, text).map(
        (problem) => `${where}: ${problem}, in ${language} “${text.slice(0, 60)}”`,
      ),
    );
}

// Test data, demo names, names as UAE PASS sends them, and letters that search treats alike.
const dataFiles =
  /\/testing\/|\/seed\/seed-providers\.ts$|\/sandbox-personas\.ts$|\/normalize-text\.ts$/;

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
  return ['contract/src', 'api/src', 'web/src']
    .flatMap((folder) => filesBelow(root, folder, /\.tsx?$/))
    .flatMap((file) => findTextsInSource(file.slice(root.length + 1), readFileSync(file, 'utf8')));
}
