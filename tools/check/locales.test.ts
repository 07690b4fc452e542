import { describe, expect, it } from 'vitest';
import {
  findNameProblems,
  findQuoteProblems,
  findRefusalEndings,
  findTextProblems,
  findUseProblems,
} from './locales.mjs';
import { portalRules, sharedRules } from './portal-words.mjs';
import { spellingRules } from './spelling-rules.mjs';
import {
  findAgencyProblems,
  findAgreementProblems,
  findSeedProblems,
  findSpellingProblems,
  findTextsInSource,
  findTextsInSources,
  findWordProblems,
  findWordingProblems,
} from './spelling.mjs';

describe('the check of texts finds a planted error', () => {
  const right = {
    'ar-EG': { a: { b: 'نص {{x}}' } },
    'en-US': { a: { b: 'text {{x}}' } },
    'ur-PK': { a: { b: 'متن {{x}}' } },
  };
  const problemsWith = (changes: Partial<Record<keyof typeof right, object>>) =>
    findTextProblems('n', { ...right, ...changes }).problems.join();

  it('a missing key, an empty text, other placeholders, a missing plural form', () => {
    expect(problemsWith({})).toBe('');
    expect(problemsWith({ 'ur-PK': {} })).toContain('ur-PK/n.json: a.b is missing');
    expect(problemsWith({ 'ur-PK': { a: { b: ' ' } } })).toContain('is empty');
    expect(problemsWith({ 'ur-PK': { a: { b: 'متن' } } })).toContain('other placeholders');
    expect(problemsWith({ 'ar-EG': { a: { b: 'نص {{y}}' } } })).toContain('other placeholders');
    const plural = { a_one: '1', a_other: '2' };
    expect(problemsWith({ 'ar-EG': plural, 'en-US': plural, 'ur-PK': plural })).toContain(
      'a_few is missing',
    );
  });

  it.each([
    [
      'ar-EG',
      'هذا نصّ صحيح، وفيه «اسم» و12 رقمًا: {{login}}',
      ['طلب کامل', 'شكراً لك', 'نعم, ثم', '١٢ رقمًا', 'نص  آخر', 'هذا “اسم”', 'مزود الدفع'],
    ],
    [
      'en-US',
      'The agency’s answer: sign in again at {{login}}.',
      ["The agency's answer", 'Log in again', 'Wait...', 'two  spaces'],
    ],
    [
      'ur-PK',
      'یہ ”نام“ درست ہے، آگے بڑھیں۔',
      [
        'درخواست كی',
        'آپ كا',
        'خدمة کی',
        'جی ہاں, ٹھیک',
        'ختم ہو گیا.',
        '«نام» درست',
        'لاگ ان کریں',
        'یو اے ای پاس',
        '۱۲ دن',
        'ٹھیک ہے ۔',
      ],
    ],
  ])('letters, signs and words that %s does not use', (language, correct, wrong) => {
    expect(findSpellingProblems(language, correct)).toEqual([]);
    for (const text of wrong)
      expect([text, findSpellingProblems(language, text).length > 0]).toEqual([text, true]);
  });

  it('the name of the product in a text or in a source of the server', () => {
    const texts = new Map([
      [
        'n',
        {
          'en-US': { a: { b: 'The Diwan team' }, c: '$t(shell:wordmark)' },
          'ur-PK': { a: 'دیوان' },
        },
      ],
    ]);
    const sources = new Map([
      ['one.ts', "const issuer = 'Diwan';"],
      [
        'two.ts',
        "// Diwan\nimport '@diwan/contract/wire/call';\nconst header = 'Diwan-Signature';",
      ],
    ]);
    expect(findNameProblems(texts, sources)).toEqual([
      'en-US/n.json: a.b names the product, not the portal',
      'ur-PK/n.json: a names the product, not the portal',
      'one.ts names the product in a text',
    ]);
  });

  it.each([
    ['spelling', spellingRules, findSpellingProblems],
    ['the words of portal and catalogue', sharedRules, findWordProblems],
    ['the words of the portal', portalRules, findWordProblems],
  ])('every rule of %s finds the problem in its examples', (_, allRules, find) => {
    for (const [language, rules] of Object.entries(allRules))
      for (const [, problem, examples] of rules)
        for (const example of [examples].flat())
          expect([example, find(language, example)]).toEqual([
            example,
            expect.arrayContaining([problem]),
          ]);
  });

  it('a word with ال, و and an ending, and nothing in a longer word', () => {
    const wrong = {
      'ar-EG': ['بالنسخة التجريبية', 'والبائعون', 'فسهولة وصولك', 'وبِبواسطتها', 'وبأعلامها'],
      'en-US': ['It was over', 'retiring', 'They were kept', 'going on', 'taking this on'],
      'ur-PK': ['مظاہروں', 'زائرین', 'حیثیتوں', 'معاوضے', 'نظاروں میں'],
    };
    const right = {
      'ar-EG': [
        'ورد المبلغ',
        'فرد من الأسرة',
        'بحكم القانون',
        'يوما عمل',
        'المبالغ المصروفة',
        'دفتر الأستاذ',
      ],
      'en-US': [
        'Overview',
        'is over 3 MB',
        'in the retirement age',
        'Awaits',
        'keep your text',
        'after allowing',
      ],
      'ur-PK': ['ویٹرنری', 'سروس سینٹر', 'درخواست گزار کا پیغام آ سکتا ہے', 'ملازمت', 'پیش نظارے'],
    };
    const find = (language: string, text: string) => [
      ...findSpellingProblems(language, text),
      ...findWordProblems(language, text),
    ];
    for (const [language, texts] of Object.entries(wrong))
      for (const text of texts) expect([text, find(language, text).length]).not.toEqual([text, 0]);
    for (const [language, texts] of Object.entries(right))
      for (const text of texts) expect([text, find(language, text)]).toEqual([text, []]);
  });

  it('a refusal without a full stop, but for those that the specification quotes', () => {
    const refusals = { YouHaveToLoginFirst: 'You have to login first', A: 'Ends.', B: 'Ends' };
    expect(findRefusalEndings({ 'en-US': { refusals } })).toEqual([
      'en-US/errors.json: refusals.B has no full stop',
    ]);
  });

  it('an Arabic verb that agrees with a name, and no button or noun before one', () => {
    const wrong = ['قبل {{name}} السحب.', 'وفتح {{name}} الطلب', 'لم يقبل \u2068{{by}}\u2069 سحبه'];
    const right = ['قبول السحب: {{name}}', 'حذف {{name}}', 'قبل {{date}}', 'المستقبل {{name}}'];
    expect(wrong.map((text) => findAgreementProblems('ar-EG', text).length)).toEqual([1, 1, 1]);
    expect(right.flatMap((text) => findAgreementProblems('ar-EG', text))).toEqual([]);
  });

  it('a name of an agency that is not in its list', () => {
    const agencies = [
      {
        name: {
          'ar-EG': 'وزارة الموارد البشرية والتوطين',
          'en-US': 'Ministry of Human Resources and Emiratisation',
          'ur-PK': 'وزارتِ انسانی وسائل و اماراتائزیشن',
        },
      },
    ];
    const right = {
      'ar-EG': 'الرقم لدى وزارة الموارد البشرية والتوطين',
      'en-US': 'The number at the Ministry of Human Resources and Emiratisation',
      'ur-PK': 'وزارتِ انسانی وسائل و اماراتائزیشن میں درج نمبر',
    };
    const wrong = {
      'ar-EG': 'الرقم لدى وزارة العمل',
      'en-US': 'The number at the Ministry of Human Resources',
      'ur-PK': 'وزارتِ افرادی قوت میں درج نمبر',
    };
    for (const [language, text] of Object.entries(right))
      expect(findAgencyProblems(language, text, agencies)).toEqual([]);
    for (const [language, text] of Object.entries(wrong))
      expect(findAgencyProblems(language, text, agencies)).toHaveLength(1);
  });

  it('a description without a subject, a pledge in the passive', () => {
    const description = 'api/seed/catalogue/services/a.json 0 description';
    const arabic = 'يحصل بها المستثمر على رخصة.';
    expect(findWordingProblems(description, 'ar-EG', `خدمة ${arabic}`)).toEqual([]);
    expect(findWordingProblems(description, 'ar-EG', arabic)).toHaveLength(1);
    const terms = 'api/seed/catalogue/forms/a.json terms';
    expect(findWordingProblems(terms, 'ur-PK', 'میں شرائط کی پابندی کروں گا/گی۔')).toEqual([]);
    expect(findWordingProblems(terms, 'ur-PK', 'شرائط کی پابندی کی جائے گی۔')).toHaveLength(1);
  });

  it('finds none in the seed', () => expect(findSeedProblems('.')).toEqual([]));

  it('a text in a source file', () => {
    const source = "const title = { 'ar-EG': 'غرامات', 'en-US': 'Fines' };";
    expect(findTextsInSource('api/src/features/payments/a.ts', source)).toHaveLength(1);
    expect(findTextsInSource('web/src/ui/a.tsx', 'const title = `رسوم ${amount}`;')).toHaveLength(
      1,
    );
    expect(findTextsInSource('api/src/testing/a.ts', source)).toEqual([]);
    expect(findTextsInSources('.')).toEqual([]);
  });

  it('a quoted label that does not come from its key', () => {
    const quote = (text: string) =>
      findQuoteProblems(new Map([['n', { 'en-US': { a: text, send: 'Send' } }]]));
    expect(quote('Press “$t(n:send)”, {{name}}: “{{name}}”, account “sara”.')).toEqual([]);
    expect(quote('Press “Send”.')).toHaveLength(1);
    expect(quote('Press “$t(n:gone)”.')).toHaveLength(1);
  });

  it('a key that no source names and a key that no file has', () => {
    expect(findUseProblems(new Set(['n:a.b']), ["t('a.b')"])).toEqual([]);
    expect(findUseProblems(new Set(['n:a.b']), ['t(`a.${x}`)'])).toEqual([]);
    expect(findUseProblems(new Set(['n:a.b']), ["useTranslation('n'); t(`${x}.b`)"])).toEqual([]);
    expect(findUseProblems(new Set(['n:a.b']), ["useTranslation('m'); t(`${x}.b`)"])).toHaveLength(
      1,
    );
    expect(findUseProblems(new Set(['n:a.b']), ["t('a.c')"])).toHaveLength(2);
  });

  it('the same for the texts of mails, SMS and server pages', () => {
    const opened = "const t = createTranslator('n');";
    const use = (source: string, ...words: string[]) =>
      findUseProblems(new Set(['n:a.b', 'm:c']), [opened + source, "t('c')"], new Set(words));
    expect(use("t('a.b', language)")).toEqual([]);
    expect(use("localizedText(t, 'a.b')")).toEqual([]);
    expect(use('t(`a.${name}`, language)', 'b')).toEqual([]);
    expect(use('t(`a.${name}`, language)', 'other')).toEqual(['n:a.b is used nowhere']);
    expect(use("t('a.b', language); t('c', language)")).toEqual([
      'c is named by a source and in no file',
    ]);
    expect(use("t('a.b', language); localizedText(t, 'd')")).toEqual([
      'd is named by a source and in no file',
    ]);
  });
});
