import type { EligibilityRule, Standing } from '@diwan/contract/forms/eligibility';
import { emirates } from '@diwan/contract/forms/eligibility';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

type Words = Record<Language, string>;
type EmirateName = (typeof emirates)[number];

const groups: Record<Standing, Words> = {
  citizen: {
    'ar-EG': 'مواطنو الدولة',
    'en-US': 'UAE citizens',
    'ur-PK': 'متحدہ عرب امارات کے شہری',
  },
  gcc: {
    'ar-EG': 'مواطنو دول مجلس التعاون',
    'en-US': 'citizens of other GCC states',
    'ur-PK': 'خلیجی تعاون کونسل کے شہری',
  },
  resident: {
    'ar-EG': 'المقيمون في الدولة',
    'en-US': 'residents of the UAE',
    'ur-PK': 'متحدہ عرب امارات میں مقیم افراد',
  },
  visitor: { 'ar-EG': 'الزائرون', 'en-US': 'visitors', 'ur-PK': 'سیاح اور مہمان' },
};
const one: Record<Standing, Words> = {
  citizen: {
    'ar-EG': 'مواطن إماراتي',
    'en-US': 'a UAE citizen',
    'ur-PK': 'متحدہ عرب امارات کے شہری',
  },
  gcc: {
    'ar-EG': 'مواطن من دول مجلس التعاون',
    'en-US': 'a citizen of another GCC state',
    'ur-PK': 'خلیجی تعاون کونسل کے کسی ملک کے شہری',
  },
  resident: {
    'ar-EG': 'مقيم في الدولة',
    'en-US': 'a resident of the UAE',
    'ur-PK': 'متحدہ عرب امارات میں مقیم',
  },
  visitor: { 'ar-EG': 'زائر', 'en-US': 'a visitor', 'ur-PK': 'سیاح یا مہمان' },
};
const emirateNames: Record<EmirateName, Words> = {
  abuDhabi: { 'ar-EG': 'أبوظبي', 'en-US': 'Abu Dhabi', 'ur-PK': 'ابوظہبی' },
  dubai: { 'ar-EG': 'دبي', 'en-US': 'Dubai', 'ur-PK': 'دبئی' },
  sharjah: { 'ar-EG': 'الشارقة', 'en-US': 'Sharjah', 'ur-PK': 'شارجہ' },
  ajman: { 'ar-EG': 'عجمان', 'en-US': 'Ajman', 'ur-PK': 'عجمان' },
  ummAlQuwain: { 'ar-EG': 'أم القيوين', 'en-US': 'Umm Al Quwain', 'ur-PK': 'ام القوین' },
  rasAlKhaimah: { 'ar-EG': 'رأس الخيمة', 'en-US': 'Ras Al Khaimah', 'ur-PK': 'راس الخیمہ' },
  fujairah: { 'ar-EG': 'الفجيرة', 'en-US': 'Fujairah', 'ur-PK': 'فجیرہ' },
};
const accounts = {
  company: {
    'ar-EG': 'الشركات والمنشآت، من خلال حساب شركة',
    'en-US': 'Companies and establishments, from a company account',
    'ur-PK': 'کمپنیاں اور ادارے، کمپنی کے اکاؤنٹ سے',
  },
  individual: {
    'ar-EG': 'الأفراد، من خلال حسابهم الشخصي',
    'en-US': 'Individuals, from their personal account',
    'ur-PK': 'افراد، اپنے ذاتی اکاؤنٹ سے',
  },
  both: {
    'ar-EG': 'الأفراد والشركات',
    'en-US': 'Individuals and companies',
    'ur-PK': 'افراد اور کمپنیاں',
  },
} satisfies Record<string, LocalizedText>;
const accountAdvice = {
  company: {
    'ar-EG': 'سجّلت الدخول بحساب شخصي. سجّل الدخول بحساب شركة، أو سجّل شركتك أولًا.',
    'en-US':
      'You are signed in with a personal account. Sign in with a company account, or register your company first.',
    'ur-PK':
      'آپ ذاتی اکاؤنٹ سے سائن اِن ہیں۔ کمپنی کے اکاؤنٹ سے سائن اِن کریں یا پہلے اپنی کمپنی رجسٹر کریں۔',
  },
  individual: {
    'ar-EG': 'سجّلت الدخول بحساب شركة. سجّل الدخول بحسابك الشخصي لطلب هذه الخدمة.',
    'en-US':
      'You are signed in for a company. Sign in with your personal account to ask for this service.',
    'ur-PK': 'آپ کمپنی کی طرف سے سائن اِن ہیں۔ اس خدمت کے لیے اپنے ذاتی اکاؤنٹ سے سائن اِن کریں۔',
  },
} satisfies Record<string, LocalizedText>;

const capital = (text: string) => text.slice(0, 1).toLocaleUpperCase('en-US') + text.slice(1);
const listed = (
  language: Language,
  items: readonly string[],
  type: 'conjunction' | 'disjunction',
) => new Intl.ListFormat(language, { type }).format(items);
const countries = (language: Language, codes: readonly string[]) =>
  listed(
    language,
    codes.map((code) => new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code),
    'conjunction',
  );

// Arabic counts years in three ways.
function years(language: Language, count: number): string {
  if (language === 'en-US') return String(count);
  if (language === 'ur-PK') return `${count} سال`;
  return `${count} ${({ few: 'أعوام', many: 'عامًا' } as Record<string, string>)[new Intl.PluralRules(language).select(count)] ?? 'عام'}`;
}

function aged({ from, to }: { from?: number | undefined; to?: number | undefined }): Words {
  const of = (language: Language, count = 0) => years(language, count);
  if (from !== undefined && to !== undefined)
    return {
      'ar-EG': `من ${of('ar-EG', from)} إلى ${of('ar-EG', to)}`,
      'en-US': `from ${from} to ${to}`,
      'ur-PK': `${of('ur-PK', from)} سے ${of('ur-PK', to)} تک`,
    };
  if (from !== undefined)
    return {
      'ar-EG': `${of('ar-EG', from)} أو أكثر`,
      'en-US': `${from} or over`,
      'ur-PK': `${of('ur-PK', from)} یا زیادہ`,
    };
  return {
    'ar-EG': `${of('ar-EG', to)} أو أقل`,
    'en-US': `${to} or under`,
    'ur-PK': `${of('ur-PK', to)} یا کم`,
  };
}

/**
 * Whom a rule admits, the question that settles it (empty where only the account can), and what to
 * do otherwise (empty where the rule says nothing).
 */
export interface RuleWords {
  text: string;
  question: string;
  advice: string;
}

function wordsOf(rule: EligibilityRule, language: Language): Pick<RuleWords, 'text' | 'question'> {
  const say = (words: Words) => words[language];
  switch (rule.kind) {
    case 'account':
      return {
        text: say(rule.any.length > 1 ? accounts.both : accounts[rule.any[0] ?? 'individual']),
        question: '',
      };
    case 'standing': {
      const who = listed(
        language,
        rule.any.map((standing) => one[standing][language]),
        'disjunction',
      );
      return {
        text: capital(
          listed(
            language,
            rule.any.map((standing) => groups[standing][language]),
            'conjunction',
          ),
        ),
        question: say({
          'ar-EG': `هل أنت ${who}؟`,
          'en-US': `Are you ${who}?`,
          'ur-PK': `کیا آپ ${who} ہیں؟`,
        }),
      };
    }
    case 'nationality': {
      const names = countries(language, rule.in ?? rule.notIn ?? []);
      return rule.in
        ? {
            text: say({
              'ar-EG': `حاملو جنسية: ${names}`,
              'en-US': `Nationals of ${names}`,
              'ur-PK': `${names} کے شہری`,
            }),
            question: say({
              'ar-EG': `هل تحمل جنسية إحدى هذه الدول: ${names}؟`,
              'en-US': `Are you a national of ${names}?`,
              'ur-PK': `کیا آپ ان میں سے کسی ملک کے شہری ہیں: ${names}؟`,
            }),
          }
        : {
            text: say({
              'ar-EG': `جميع الجنسيات ما عدا: ${names}`,
              'en-US': `All nationalities except ${names}`,
              'ur-PK': `${names} کے سوا تمام قومیتیں`,
            }),
            question: say({
              'ar-EG': `هل تحمل جنسية غير هذه: ${names}؟`,
              'en-US': `Is your nationality another than these: ${names}?`,
              'ur-PK': `کیا آپ کی قومیت ان کے علاوہ ہے: ${names}؟`,
            }),
          };
    }
    case 'age': {
      const age = say(aged(rule));
      return {
        text: say({
          'ar-EG': `من بلغت أعمارهم ${age}`,
          'en-US': `People aged ${age}`,
          'ur-PK': `${age} عمر کے افراد`,
        }),
        question: say({
          'ar-EG': `هل عمرك ${age}؟`,
          'en-US': `Is your age ${age}?`,
          'ur-PK': `کیا آپ کی عمر ${age} ہے؟`,
        }),
      };
    }
    case 'licence':
      return rule.title
        ? {
            text: say({
              'ar-EG': `من لديهم: ${rule.title['ar-EG']}`,
              'en-US': `Those who hold: ${rule.title['en-US']}`,
              'ur-PK': `جن کے پاس ہو: ${rule.title['ur-PK']}`,
            }),
            question: say({
              'ar-EG': `هل لديك: ${rule.title['ar-EG']}؟`,
              'en-US': `Do you hold: ${rule.title['en-US']}?`,
              'ur-PK': `کیا آپ کے پاس ہے: ${rule.title['ur-PK']}؟`,
            }),
          }
        : {
            text: say({
              'ar-EG': 'أصحاب رخصة تجارية أو من يمثلهم',
              'en-US': 'Holders of a trade licence, or those who act for them',
              'ur-PK': 'تجارتی لائسنس رکھنے والے یا ان کے نمائندے',
            }),
            question: say({
              'ar-EG': 'هل لديك رخصة تجارية، أو تمثّل من لديه رخصة؟',
              'en-US': 'Do you hold a trade licence, or act for somebody who does?',
              'ur-PK': 'کیا آپ کے پاس تجارتی لائسنس ہے، یا آپ لائسنس رکھنے والے کے نمائندے ہیں؟',
            }),
          };
    case 'emirate': {
      const where = listed(
        language,
        rule.any.map((emirate) => emirateNames[emirate][language]),
        'disjunction',
      );
      return {
        text: say({
          'ar-EG': `من إقامته أو عمله في ${where}`,
          'en-US': `People and businesses in ${where}`,
          'ur-PK': `${where} میں مقیم افراد اور وہاں کے ادارے`,
        }),
        question: say({
          'ar-EG': `هل إقامتك أو عملك في ${where}؟`,
          'en-US': `Do you live or work in ${where}?`,
          'ur-PK': `کیا آپ کی رہائش یا کام ${where} میں ہے؟`,
        }),
      };
    }
    default:
      return { text: say(rule.text), question: say(rule.question) };
  }
}

/** A rule in words of a language; what its own note says comes first. */
export function describeRule(rule: EligibilityRule, language: Language): RuleWords {
  const advice =
    rule.kind === 'account' && rule.any.length === 1
      ? accountAdvice[rule.any[0] ?? 'individual'][language]
      : '';
  return { ...wordsOf(rule, language), advice: rule.note?.[language] ?? advice };
}
