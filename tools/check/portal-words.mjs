import { refusedPhrases } from './refused-phrases.mjs';
import { anyOf, arabicWords, english, urduStems } from './word-patterns.mjs';

/** Words of the portal and of the catalogue: docs/words.md. */
export const sharedRules = {
  'ar-EG': [
    [
      /(?<!\p{L})[وف]?[بكل]?(?:ال|لل)?مصرف(?:ي|ية|ك|ه|ها)?(?!\p{L})/u,
      'another word than بنك',
      ['الحساب المصرفي', 'وللمصرف', 'من مصرفك'],
    ],
    [
      /لم نتمكن من قبول|تعذ?ّ?ر قبول/u,
      'another word than رُفض',
      ['لم نتمكن من قبول التسجيل', 'تعذر قبول طلبك', 'وتعذّر قبوله'],
    ],
    [/ما مصير/, 'dramatic: ماذا يحدث', ['ما مصير الطلبات؟', 'وما مصيرها']],
  ],
  'en-US': [
    [
      english('(?:some|every|any|no)body(?:’s)?'),
      'another word than someone, everyone, anyone, no one',
      ['Somebody else', 'Nobody’s', 'for everybody'],
    ],
    [/\bLatin letters?\b/i, 'another word than English letters', '3 to 20 Latin letters'],
    [english('go on'), 'another word than continue', ['requests go on', 'Let it go on']],
    [
      english('(?:could|can) ?not (?:be accepted|accept (?:the|your))'),
      'another word than rejected',
      ['could not be accepted', 'Your request cannot be accepted'],
    ],
    [english('need not'), 'another word than do not need to', 'you need not type'],
  ],
  'ur-PK': [[urduStems('آئی بین'), 'IBAN in other letters', 'آئی بین نمبر']],
};

/**
 * Words of the portal, one for each thing in each language: docs/words.md. Texts of the catalogue
 * are not read for them, because there a seller sells a flat and a licence is renewed.
 */
export const portalRules = {
  'ar-EG': [
    ...refusedPhrases['ar-EG'],
    [
      /(?<!\p{L})[وف]?[بكل]?صفت(?:ك|ه|ها|هم)(?!\p{L})/u,
      'another word than الدور',
      ['صفتك تتطلب ذلك', 'وصفته'],
    ],
    [
      arabicWords('اعتراض'),
      'another word than تظلّم',
      ['الاعتراض على القرار', 'ولاعتراضك', 'باعتراضه'],
    ],
    [
      {
        test: (text) =>
          arabicWords('مخالفة|مخالفات').test(
            text.replace(/مخالفة (?:هذه الشروط|(?:ال)?شروط)/gu, ''),
          ),
      },
      'another word than غرامة, in texts of all registers مستحقات; a service names its own',
      ['لا مخالفات مستحقة', 'دُفعت المخالفة', 'وبمخالفتك'],
    ],
    [arabicWords('بائع'), 'another word than المورّد', ['البائع', 'وللبائعين', 'لبائعها']],
    [
      anyOf(
        /(?<!\p{L})[وف]?(?:ال)?رسم(?= (?:البوابة|التوصيل|التصريح|التجديد|لكل|من|حتى|نسخة)(?!\p{L}))/u,
        /(?<!\p{L})(?:إضافة|بلا|أي|كل) رسم(?!\p{L})/u,
      ),
      'a drawing: the word is رسوم',
      ['رسم التوصيل', 'ورسم لكل نسخة', 'إضافة رسم'],
    ],
    [
      /(?:حساب|طلبات|قائمة|عدد|إضافة|حفظ|تعديل) (?:ال)?نموذج (?:الشهاد|شهاد)/,
      'another word than قالب',
      ['حفظ نموذج الشهادة', 'تعديل النموذج الشهادات'],
    ],
    [
      arabicWords('سجل تغييرات'),
      'another word than سجل التعديلات',
      ['سجل التغييرات', 'وبسجل تغييراته'],
    ],
  ],
  'en-US': [
    ...refusedPhrases['en-US'],
    [english('sellers?'), 'another word than supplier', ['Seller', 'the sellers']],
    [
      english('retire[ds]?|retiring'),
      'another word than stop offering, stop using, no longer offered',
      ['Retire this type', 'Retired', 'retires'],
    ],
    [english('under ?way'), 'another word than in progress', ['Under way', 'requests underway']],
    [
      english('waits'),
      'a state without “is waiting”',
      ['This already waits for you', 'Waits for a second person'],
    ],
    [
      english('of (?:its|their|your|his|her|my|our) own'),
      'a thing “of its own”: its own, a separate',
      ['an account of its own', 'workflows of their own'],
    ],
    [
      english('promise[ds]?|promising'),
      'another word than expected',
      ['promised time', 'promises'],
    ],
    [english('shipped|ships'), 'another word than original', ['The shipped text', 'It ships with']],
    [/\bkB\b/, 'another spelling than KB', '700 kB'],
    [english('text messages?'), 'another word than SMS', ['a text message', 'Text messages']],
    [/\basked by\b/i, 'another word than requested', ['Asked by x', 'was asked by']],
    [
      english(
        '(?:few|small|larg|low|high)est (?:values?|sizes?|numbers?|files?|amounts?|characters|entries)' +
          '|most (?:characters|entries|files|uses)',
      ),
      'another word than minimum, maximum',
      ['Fewest characters', 'Most files', 'a largest value', 'the lowest amount'],
    ],
    [
      english('(?:is|are|was|were|stays?|stayed) kept'),
      'another word than saved, stored, not changed',
      ['Your draft is kept', 'Files were kept'],
    ],
    [
      english('there twice|in place of|for good'),
      'another word than appears twice, instead of, and this cannot be undone',
      ['Line that is there twice', 'In place of', 'closed for good'],
    ],
  ],
  'ur-PK': [
    ...refusedPhrases['ur-PK'],
    [urduStems('فروخت کنند'), 'another word than سپلائر', ['فروخت کنندہ', 'فروخت کنندگان']],
    [urduStems('وعد'), 'another word than متوقع تکمیل', ['ادارے کا وعدہ', 'وعدے']],
    [urduStems('حیثیت'), 'another word than صورتِ حال، کردار', ['اس کی حیثیت', 'حیثیتوں']],
    [urduStems('معاوض'), 'another word than کٹوتی', ['معاوضہ', 'معاوضے']],
    [
      urduStems('کھات(?:ہ|ے|وں)'),
      'another word than لیجر، حساب، بینک اکاؤنٹ',
      ['کھاتہ', 'کھاتے کے', 'کھاتوں'],
    ],
    [urduStems('زائر'), 'another word than سیاح یا مہمان', ['زائر', 'زائرین']],
    [urduStems('مرمت'), 'another word than دیکھ بھال', 'مرمت'],
    [urduStems('سروس(?! سینٹر)'), 'another word than خدمت', ['سروس', 'سروسز']],
    [urduStems('ورک فلو'), 'another word than طریقۂ کار', 'ورک فلو'],
    [urduStems('نسخ'), 'another word than ورژن', ['نسخہ 2', 'نئے نسخے', 'نسخوں']],
    [urduStems('سرگزشت'), 'another word than تاریخچہ', 'درخواستوں کی سرگزشت'],
    [urduStems('پیش منظر'), 'another word than پیش نظارہ', ['پیش منظر', 'فارم کا پیش منظر']],
    [/واپس لائیں/, 'another word than واپس لیں', 'واپس لائیں'],
    [urduStems('ملازم(?!ت)'), 'another word than اہلکار', ['ملازم کہے', 'ملازمین']],
    [urduStems('محکم'), 'another word than ادارہ', ['محکمہ', 'محکمے میں']],
    [urduStems('دعوت(?:یں|وں)'), 'a banquet: دعوت نامے', ['عملے کی دعوتیں', 'دعوتوں']],
    [urduStems('توثیق'), 'another word than تصدیق', 'کرداروں کی توثیق'],
    [urduStems('غائب'), 'another word than موجود نہیں', ['غائب', 'کوئی فائل غائب نہیں']],
    [/نے مانگا/, 'a demand: تجویز کنندہ', 'x نے مانگا'],
    [
      /درخواست گزار (?!ک[ایےو](?!\p{L})|نے|سے|پر|تک)(?:[^\s۔،:؛]+ ){0,4}?[^\s۔،]*(?:ے گا|تا ہے|سکتا)(?!\p{L})/u,
      'an applicant without respect: کریں گے، سکتے',
      ['درخواست گزار یہ پڑھے گا', 'درخواست گزار اسے دیکھ سکتا ہے', 'درخواست گزار لگاتا ہے'],
    ],
  ],
};
