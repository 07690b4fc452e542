// Letters, signs and words that a language does not use, in the locale files and the seed. Texts in
// source files are a problem themselves: decision 0031. The words are those of docs/words.md.
import { join } from 'node:path';
import { readFiles, readText } from './read-files.mjs';

// Each rule: a pattern, its problem, and a text in which it finds the problem. A test reads the
// examples, so that a rule that never matches is noticed. `\b` and `\w` know Latin letters only.
const everywhere = [
  [/\S {2,}\S/, 'two spaces', 'two  spaces'],
  [/\s[،؛؟۔]/, 'a space before a sign', 'نعم ؟'],
  [/\.{3}/, 'three points for …', 'Wait...'],
];
export const spellingRules = {
  'ar-EG': [
    ...everywhere,
    [/[کگیےہھۂۓپچژٹڈڑں]/, 'a letter of Urdu', 'طلب کامل'],
    [/[٠-٩۰-۹٪]/, 'digits that are not Latin (decision 0007)', '١٢ رقمًا'],
    [/[\u0621-\u064A\u064B-\u0652][,;?]/, 'a Latin sign after Arabic letters', 'نعم, ثم'],
    [/اً/, 'tanwin after its alif: ًا', 'شكراً لك'],
    [/\u0651{2}/, 'a shadda twice', 'أقر\u0651\u0651 بأن'],
    [/[“”]/, 'quotes that are not « »', 'هذا “اسم”'],
    [/الهاتف المحمول/, 'another word than الهاتف المتحرك', 'رقم الهاتف المحمول'],
    [/مزود الدفع/, 'another word than مزود خدمة الدفع', 'صفحة مزود الدفع'],
    [/تصرف نيابة/, 'another word than العمل نيابةً عن', 'للتصرف نيابةً عنك'],
    [/نسخة تجريبية|نص تجريبي/, 'a disclaimer that sounds official', 'هذه نسخة تجريبية'],
    [
      /(?:حساب|تسجيل|مستندات|طلب|بيانات|جهت)كم(?!\p{L})|(?:يمكن|يلزم|نراسل)كم(?!\p{L})/u,
      'several readers: a text addresses one',
      'سنراجع مستنداتكم',
    ],
    [
      /لـ:? ?x|لـ$/,
      'a preposition before a placeholder: it comes in the nominative',
      'مخصصة لـ: x',
    ],
    [/د\.إ|\bAED (?:\d|x\b)|(?:\d|\bx) AED/, 'another sign than درهم', '50.00 د.إ.'],
    [/منفذ الخدمة/, 'another word than مركز الخدمة', 'في منفذ الخدمة'],
    [/الصفات/, 'another word than الأدوار', 'كل الصفات'],
    [/موضع التنفيذ/, 'another word than تفعيل', 'وضع موضع التنفيذ'],
    [/(?:عوامل|شروط) التصفية/, 'another word than التصفيات', 'عوامل التصفية'],
    [/فعل شيء/, 'another word than إجراء', 'لا يلزمك فعل شيء'],
    [/لاتيني/, 'another word than إنجليزي', 'حرف لاتيني'],
    [
      /(?<!\p{L})أقر(?![\p{L}ّ])|مفوض(?!ّ)|مصدق(?!ّ)|(?<!\p{L})(?:ال)?ملاك(?!\p{L})/u,
      'a missing shadda: أقرّ، مفوّض، مصدّق، ملّاك',
      'أقر بأنني مفوض',
    ],
    [
      /^(?:يصدق|تسدد|تقرأ|يحدث|يراجع الملف|تطابق|تدقق|تعاين|تجرى|تحال) /,
      'a passive without its vowels',
      'يصدق المستند',
    ],
    [/بناء عل[ىي]/, 'a missing tanwin: بناءً', 'بناء على'],
  ],
  'en-US': [
    ...everywhere,
    [/\w'(?=\w|\s|$)/, 'a typewriter’s apostrophe', "the partners' resolution"],
    [
      /\blog(ged)? (in|out|on)\b|\blogin\b(?! first)/i,
      'another word than sign in, sign out',
      'Log in again',
    ],
    [/\be-mail/i, 'another spelling than email', 'E-mail address'],
    [/\bsomebody\b/i, 'another word than someone', 'Somebody else'],
    [
      /\bby (?:it|them|your)sel(?:f|ves)\b/i,
      'another word than automatically',
      'goes on by itself',
    ],
    [/\bto[l]d\b/i, 'another word than notify', 'The applicant is to\x6cd'],
    [/\b(?:is|are) not right\b/i, 'what is wrong and not what to do', 'The code is not right'],
    [/\b(?:is|are) over\b(?! \d)/i, 'another word than has ended', 'The time is over.'],
    [/\bat once\b/i, 'another word than immediately', 'It acts at once'],
    [/\bkinds? of\b/i, 'another word than type of', 'Kind of property'],
    [
      /\bask(?:s|ing)? for (?:\w+ )?(?:\w+ )?(?:service|licence|permit|visa|residency)\b/i,
      'another word than apply for',
      'Ask for this service',
    ],
    [/\blook(?:s|ed|ing)? (?:at|into)\b/i, 'another word than view, check', 'Look at it'],
    [/\bopen to you\b/i, 'another word than you can use', 'not open to you'],
    [
      /\b(?:put|puts|putting) (?:\S+ )?in(?:to)? force\b/i,
      'another word than activate',
      'Put in force',
    ],
    [/\bno longer (?:t?here)\b/i, 'another word than no longer available', 'is no longer there'],
    [
      /\bpeople with disabilities\b/i,
      'another word than people of determination',
      'people with disabilities',
    ],
    [/\bper cent\b/i, 'another spelling than percent', 'in per cent'],
  ],
  'ur-PK': [
    ...everywhere,
    [/[يكىهة]/, 'a letter of Arabic: Urdu has ی ک ہ ھ ۃ', 'درخواست كی'],
    [/[٠-٩۰-۹٪]/, 'digits that are not Latin (decision 0007)', '۱۲ دن'],
    [/[\u0621-\u06D3][,;?.](?=\s|$)/, 'a Latin sign after Urdu letters', 'ختم ہو گیا.'],
    [/[«»]/, 'quotes that are not ” “', '«نام» درست'],
    [/\bAED (?:\d|x\b)|(?:\d|\bx) AED/, 'another sign than درہم', 'AED 50.00'],
    [/لاگ ان|سائن ان/, 'another word than سائن اِن', 'لاگ ان کریں'],
    [/یو اے ای پاس/, 'another word than UAE PASS', 'یو اے ای پاس'],
    [/سپورٹ سے|مدد سے رابطہ|معاونت/, 'another word than معاون ٹیم', 'معاونت سے رابطہ کریں'],
    [
      /پتہ|صورت ?حال|خودبخود|مینیجر|ہو گ[اےی](?!\p{L})/u,
      'another spelling than پتا, صورتِ حال, خود بخود, منیجر, ہوگا',
      'کام شروع ہو گا۔',
    ],
    [/کاروباری دن|ایامِ کار/, 'another word than کام کے دن', 'کاروباری دن'],
    [/آزمائشی (?:نسخ|متن)/, 'a disclaimer that sounds official', 'آزمائشی نسخہ'],
    [/دو مرحلہ تصدیق/, 'another word than دو مرحلہ جاتی تصدیق', 'دو مرحلہ تصدیق'],
    [/قطار میں/, 'another word than فہرست', 'قطار میں واپس'],
    [/لاطینی/, 'another word than انگریزی', 'لاطینی حروف'],
    [/پی ڈی ایف/, 'PDF in other letters', 'پی ڈی ایف میں'],
    [/معذور افراد|خصوصی افراد|اہلِ عزم/, 'another word than باہمت افراد', 'معذور افراد کا کارڈ'],
    [
      /ابوظبی|مختارنام|چیسیز|ملکیت دانش/,
      'another spelling than ابوظہبی, مختار نامہ, چیسس, املاکِ دانش',
      'ابوظبی میں',
    ],
    [
      /(?<!\p{L})(?:بیرون ملک|اوقات کار|صحت عامہ|معاہدہ تاسیس|وزارت (?:تعلیم|صحت|خارجہ|داخلہ))/u,
      'a missing izafat: بیرونِ ملک',
      'بیرون ملک سے',
    ],
    [
      /(?<!\p{L})(?:اقامہ|ویزا) (?:کی|کے|کا|کو|میں|سے|پر)(?!\p{L})/u,
      'a missing oblique: اقامے، ویزے',
      'اقامہ کی منسوخی',
    ],
    [/ثالثی ایجنسی/, 'another word than ملازمت دلانے والی ایجنسی', 'یا ثالثی ایجنسی'],
  ],
};

/** The spelling problems of one text. Placeholders and quoted labels are not read. */
export function findSpellingProblems(language, text) {
  // A language’s own name is written in its own letters.
  if (['العربية', 'اردو'].includes(text)) return [];
  const read = text.replace(/\{\{[^}]*\}\}|\$t\([^)]*\)/g, 'x');
  return spellingRules[language]
    .filter(([pattern]) => pattern.test(read))
    .map(([, problem]) => problem);
}

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
        // The names of services are those of the agencies.
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
