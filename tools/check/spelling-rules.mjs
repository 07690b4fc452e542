// Letters, signs and words that a language does not use, in every text.
import { anyOf, arabicWords, be, english, urduStems } from './word-patterns.mjs';

// Each rule: a pattern, its problem, and texts in which it finds the problem. A test reads the
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
    [
      arabicWords('هاتف محمول'),
      'another word than الهاتف المتحرك',
      ['رقم الهاتف المحمول', 'وبهاتفك المحمول'],
    ],
    [
      arabicWords('مزود دفع|مزودي دفع'),
      'another word than مزود خدمة الدفع',
      ['صفحة مزود الدفع', 'ولمزودي الدفع', 'مزوّدو الدفع'],
    ],
    [/تصرف نيابة/, 'another word than العمل نيابةً عن', ['للتصرف نيابةً عنك', 'ويتصرف نيابة عنه']],
    [
      arabicWords('نسخة تجريبية|نص تجريبي'),
      'a disclaimer that sounds official',
      ['هذه نسخة تجريبية', 'تنبيه النسخة التجريبية', 'وبنسختك التجريبيّة'],
    ],
    [
      /(?<!\p{L})(?!\p{L}*(?:حكم|حاكم|راكم)(?!\p{L}))\p{L}{1,}كم(?!\p{L})/u,
      'several readers: a text addresses one',
      ['سنراجع مستنداتكم', 'بانتظار إجرائكم', 'ولكم'],
    ],
    [
      /لـ:? ?x|بـ:? ?x|لـ$/,
      'a preposition before a placeholder: it comes in the nominative',
      ['مخصصة لـ: x', 'الخاصة بـ x'],
    ],
    [/د\.إ|\bAED (?:\d|x\b)|(?:\d|\bx) AED/, 'another sign than درهم', '50.00 د.إ.'],
    [
      arabicWords('منفذ خدمة|منافذ خدمة'),
      'another word than مركز الخدمة',
      ['في منفذ الخدمة', 'ومنافذ الخدمة'],
    ],
    [
      /(?<!\p{L})[وف]?[بكل]?الصفات(?!\p{L})/u,
      'another word than الأدوار',
      ['كل الصفات', 'وبالصفات'],
    ],
    [/موضع التنفيذ/, 'another word than تفعيل', 'وضع موضع التنفيذ'],
    [
      arabicWords('عوامل تصفية|شروط تصفية'),
      'another word than التصفيات',
      ['عوامل التصفية', 'وشروط تصفيتك'],
    ],
    [/فعل شيء/, 'another word than إجراء', 'لا يلزمك فعل شيء'],
    [/لاتيني/, 'another word than إنجليزي', ['حرف لاتيني', 'وبالحروف اللاتينية']],
    [
      anyOf(
        /(?<!\p{L})[وف]?أقر(?![\p{L}ّ])/u,
        /مفوض(?!ّ)|مصدق(?!ّ)/u,
        /(?<!\p{L})[وف]?[بكل]?(?:ال|لل)?ملاك(?:ه|ها|هم)?(?!\p{L})/u,
      ),
      'a missing shadda: أقرّ، مفوّض، مصدّق، ملّاك',
      ['أقر بأنني مفوض', 'وأقر بأن', 'وللملاك'],
    ],
    [
      anyOf(
        /(?<!\p{L})(?:[وف]?(?:ال|لل|بال)|[بل])?رد(?:ه|ها|ك)?(?![\p{L}ّ])/u,
        /(?<!\p{L})[وف]?س?[ين]ُ?رد(?![\p{L}ّ])/u,
      ),
      'a missing shadda: ردّ المبلغ، يُردّ',
      ['بدأ رد المبلغ', 'والرد إلى البطاقة', 'للرد', 'وسيُرد المبلغ', 'رده إليك'],
    ],
    [
      /^(?:يصدق|تسدد|تقرأ|يحدث|يراجع الملف|تطابق|تدقق|تعاين|تجرى|تحال) /,
      'a passive without its vowels',
      'يصدق المستند',
    ],
    [
      anyOf(
        /^(?:سجلت|حفظت|أقفلت?|رفضت|أعيدت?|صرفت|حولت|أكدت)(?!\p{L})/u,
        /^ألغيت (?:عملية|طلب)/u,
        /(?<!\p{L})[وف]?(?:لم|لن) (?:يسجل|[يت]قفل|تصرف|تحول|[يت]ستورد)(?!\p{L})/u,
      ),
      'a passive without its vowels: سُجّلت، أُقفل، لم يُسجَّل',
      ['سجلت عملية الصرف', 'أعيد التفعيل', 'ألغيت عملية', 'ولم تصرف بعد', 'لن يسجل أي قيد'],
    ],
    [/بناء عل[ىي]/, 'a missing tanwin: بناءً', ['بناء على', 'وبناء على']],
    [
      anyOf(
        /(?<!\p{L})[وف]?[بكل]?(?:تلقائي|دائم|أيض|أول|بدل|مستحق|ثاني|فور|جديد)ا(?!\p{L}|ً)/u,
        /(?<!\p{L})[وف]?[بكل]?(?:شخص|مبلغ|يوم(?!ا عمل)|نص|وقت|رقم|حرف)ا(?!\p{L}|ً)/u,
      ),
      'a missing tanwin: تلقائيًا',
      ['تجلبها تلقائيا', 'ومبلغا أكبر', 'اختر يوما'],
    ],
    [
      arabicWords('بواسطة'),
      'a calque of “by”: the action, a colon and the name',
      ['تم الإرسال بواسطة x', 'وبواسطتك'],
    ],
    [
      arabicWords('تعليم كمقروء|تعليم الكل كمقروء|تعليم كغير مقروء'),
      'another word than تحديد كمقروء',
      ['تعليم الكل كمقروء', 'وتعليمها كمقروء'],
    ],
    [
      arabicWords('سهولة وصول|إمكانية وصول'),
      'another word than النفاذ الرقمي',
      ['بيان سهولة الوصول', 'وإمكانية الوصول'],
    ],
    [/قيد الإجراء/, 'another word than قيد الإنجاز', ['قيد الإجراء', 'وهي قيد الإجراء']],
    [
      /(?<!\p{L})[وف]?[بكل]?(?:ال|لل)?معاد[ةه]?(?!\p{L})/u,
      'a word that reads as “hostile”: مرتجع، مُعاد',
      ['صرف معاد', 'والمعادة'],
    ],
    [
      arabicWords('مسؤول نظام|مسؤولي نظام|مسؤول آخر'),
      'another word than مدير النظام',
      ['ما عدّله مسؤولو النظام', 'ولمسؤول آخر'],
    ],
    [
      arabicWords('اكتمل طلب|اكتملت طلبات'),
      'another word than أُنجز',
      ['اكتمل طلبك', 'واكتمل الطلب'],
    ],
  ],
  'en-US': [
    ...everywhere,
    [/\w'(?=\w|\s|$)/, 'a typewriter’s apostrophe', "the partners' resolution"],
    [
      /\blog(ged|ging|s)? (in|out|on)\b|\blogin\b(?! first)/i,
      'another word than sign in, sign out',
      ['Log in again', 'She logged out', 'Logging in'],
    ],
    [english('somebody(?:’s)?'), 'another word than someone', ['Somebody else', 'somebody’s']],
    [
      /\b(?:Licenses?|licenses|[Ll]abor|[Cc]ancel(?:ing|ed))\b|(?<!apply for trade )\blicense\b/,
      'another spelling than licence, labour, cancelling',
      ['License Issuance', 'a trade license', 'Labor complaint', 'Canceling all types'],
    ],
    [/\be-mail/i, 'another spelling than email', 'E-mail address'],
    [
      /\bby (?:it|them|your)sel(?:f|ves)\b/i,
      'another word than automatically',
      'goes on by itself',
    ],
    [/\bto[l]d\b/i, 'another word than notify', 'The applicant is to\x6cd'],
    [
      english(String.raw`${be} not right|(?:is|are|was|were)n’t right`),
      'what is wrong and not what to do',
      ['The code is not right', 'It was not right', 'They weren’t right'],
    ],
    [
      new RegExp(String.raw`\b${be}(?: not| already)? over\b(?! \d)`, 'i'),
      'another word than has ended',
      [
        'The time is over.',
        'The time to pay was over.',
        'It has been over',
        'not yet: is not over',
      ],
    ],
    [english('at once'), 'another word than immediately', 'It acts at once'],
    [english('kinds? of'), 'another word than type of', ['Kind of property', 'all kinds of']],
    [
      /\bask(?:s|ed|ing)? for (?:\w+ )?(?:\w+ )?(?:service|licence|permit|visa|residency)\b/i,
      'another word than apply for',
      ['Ask for this service', 'You asked for a visa'],
    ],
    [
      /\blook(?:s|ed|ing)? (?:at|into)\b/i,
      'another word than view, check',
      ['Look at it', 'looked into'],
    ],
    [/\bopen to you\b/i, 'another word than you can use', 'not open to you'],
    [
      /\b(?:put|puts|putting) (?:\S+ )?in(?:to)? force\b/i,
      'another word than activate',
      ['Put in force', 'putting it into force'],
    ],
    [/\bno longer (?:t?here)\b/i, 'another word than no longer available', 'is no longer there'],
    [
      /\bpeople with disabilities\b/i,
      'another word than people of determination',
      'people with disabilities',
    ],
    [/\bper cent\b/i, 'another spelling than percent', 'in per cent'],
    [english('his or hers?|he or she|him or her'), 'another word than their', 'his or her mother'],
    [
      english('(?:goes|going|gone|went) on'),
      'another word than continue',
      ['The work goes on', 'It went on', 'going on'],
    ],
    [
      english('(?:as|how) (?:it|they) (?:stands?|stood|will stand)'),
      'another word than appear',
      ['As it stands on the licence', 'As it will stand'],
    ],
  ],
  'ur-PK': [
    ...everywhere,
    [/[يكىهة]/, 'a letter of Arabic: Urdu has ی ک ہ ھ ۃ', 'درخواست كی'],
    [/[٠-٩۰-۹٪]/, 'digits that are not Latin (decision 0007)', '۱۲ دن'],
    [/[\u0621-\u06D3][,;?.](?=\s|$)/, 'a Latin sign after Urdu letters', 'ختم ہو گیا.'],
    [/[«»]/, 'quotes that are not ” “', '«نام» درست'],
    [/\bAED (?:\d|x\b)|(?:\d|\bx) AED/, 'another sign than درہم', 'AED 50.00'],
    [/لاگ (?:اِ?ن|آؤٹ)|سائن ان/, 'another word than سائن اِن', ['لاگ ان کریں', 'لاگ آؤٹ']],
    [/یو اے ای پاس/, 'another word than UAE PASS', 'یو اے ای پاس'],
    [/سپورٹ سے|مدد سے رابطہ|معاونت/, 'another word than معاون ٹیم', 'معاونت سے رابطہ کریں'],
    [
      /پتہ|صورت ?حال|خودبخود|مینیجر|ہو گ[اےی](?!\p{L})/u,
      'another spelling than پتا, صورتِ حال, خود بخود, منیجر, ہوگا',
      'کام شروع ہو گا۔',
    ],
    [/کاروباری دن|ایامِ کار/, 'another word than کام کے دن', ['کاروباری دن', 'کاروباری دنوں میں']],
    [
      /آزمائشی (?:نسخ|ورژن|متن)/,
      'a disclaimer that sounds official',
      ['آزمائشی نسخہ', 'آزمائشی نسخے میں'],
    ],
    [/دو مرحلہ تصدیق/, 'another word than دو مرحلہ جاتی تصدیق', 'دو مرحلہ تصدیق'],
    [/قطار(?:وں)? میں/, 'another word than فہرست', ['قطار میں واپس', 'قطاروں میں']],
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
    [
      urduStems('مظاہر'),
      'a street protest: the word is نمونہ',
      ['یہ صرف مظاہرہ ہے', 'مظاہرے کے لیے', 'مظاہروں'],
    ],
    [urduStems('ایم بی'), 'MB in other letters', '5 ایم بی سے'],
    [
      /(?<!\p{L})ویٹ(?!\p{L})/u,
      'another word than ویلیو ایڈڈ ٹیکس, in tables VAT',
      ['ویٹ', 'ویٹ کے بغیر'],
    ],
    [
      /ادائیگی فراہم کنند/,
      'another word than ادائیگی کا فراہم کنندہ',
      ['ادائیگی فراہم کنندہ نے', 'ادائیگی فراہم کنندگان'],
    ],
    [urduStems('شناختی کارڈ نمبر'), 'another word than شناختی نمبر', 'اماراتی شناختی کارڈ نمبر'],
    [urduStems('بلدی'), 'another word than میونسپلٹی', ['بلدیہ میں', 'بلدیاتی اجازت نامے']],
  ],
};
