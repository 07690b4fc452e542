// Letters, signs and words that a language does not use, wherever people read them: locales, seed,
// messages of the api. The words are those of docs/words.md.
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

/** What is wrong with the letters and words of one text. */
export function findWordFaults(language, text) {
  // A language’s own name is written in its own letters.
  return ['العربية', 'اردو'].includes(text)
    ? []
    : wrong[language].filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
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

// A text in code is Urdu when it has a letter that Arabic has not.
function textsOfCode(source, where) {
  return [
    ...source.matchAll(/(['`])((?:(?!\1)[^\\\n]|\\.)*[\u0621-\u06D3]{2}(?:(?!\1)[^\\\n]|\\.)*)\1/g),
  ]
    .filter(([, , text]) => text.includes(' '))
    .map(([, , text]) => [
      where,
      /[ٹڈڑںےہھگپچکی]/.test(text) ? 'ur-PK' : 'ar-EG',
      text.replaceAll('\\n', '\n').replace(/\$\{[^}]*\}/g, 'x'),
    ]);
}

const filesBelow = (root, folder, ending) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Faults in texts that are not in a file of a locale. */
export function findFaultsOutsideLocales(root) {
  const seed = filesBelow(root, 'api/seed', /\.json$/).flatMap((file) =>
    textsOf(JSON.parse(readFileSync(file, 'utf8')), file.slice(root.length + 1)),
  );
  // Names as UAE PASS sends them are no texts.
  const code = filesBelow(root, 'api/src', /(?<!-personas)\.ts$/).flatMap((file) =>
    textsOfCode(readFileSync(file, 'utf8'), file.slice(root.length + 1)),
  );
  return [...seed, ...code].flatMap(([where, language, text]) =>
    findWordFaults(language, text).map(
      (fault) => `${where}: ${fault}, in ${language} “${text.slice(0, 60)}”`,
    ),
  );
}
