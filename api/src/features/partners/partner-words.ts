import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { PartnerAction } from '@diwan/contract/people/partner-states';

/** A reason that an admin can give, and for which actions. */
interface PartnerReason {
  name: string;
  for: readonly PartnerAction[];
  text: LocalizedText;
}

const reason = (
  name: string,
  actions: readonly PartnerAction[],
  ar: string,
  en: string,
  ur: string,
): PartnerReason => ({ name, for: actions, text: { 'ar-EG': ar, 'en-US': en, 'ur-PK': ur } });

/** What a service provider is told as the cause. Ours: the specification shows none. */
export const partnerReasons: readonly PartnerReason[] = [
  reason(
    'licenceExpired',
    ['askAgain', 'refuse', 'suspend'],
    'الرخصة التجارية منتهية الصلاحية',
    'The trade licence has expired',
    'تجارتی لائسنس کی مدت ختم ہو چکی ہے',
  ),
  reason(
    'documentUnreadable',
    ['askAgain'],
    'المستند غير واضح أو غير مكتمل',
    'A document cannot be read or is not whole',
    'دستاویز پڑھی نہیں جا سکتی یا نامکمل ہے',
  ),
  reason(
    'letterNotSigned',
    ['askAgain'],
    'خطاب التفويض غير موقّع أو غير مختوم',
    'The authorisation letter is not signed or stamped',
    'اختیار نامے پر دستخط یا مہر موجود نہیں',
  ),
  reason(
    'detailsDiffer',
    ['askAgain', 'refuse'],
    'البيانات المدخلة لا تطابق المستندات',
    'The details do not match the documents',
    'درج کردہ معلومات دستاویزات سے مطابقت نہیں رکھتیں',
  ),
  reason(
    'agencyNotConfirmed',
    ['askAgain', 'refuse'],
    'لم تؤكد الجهة الحكومية العمل معكم',
    'A government agency has not confirmed that it works with you',
    'سرکاری ادارے نے آپ کے ساتھ کام کرنے کی تصدیق نہیں کی',
  ),
  reason(
    'activityNotCovered',
    ['refuse'],
    'نشاط الرخصة لا يشمل تقديم هذه الخدمات',
    'The licence does not cover these services',
    'لائسنس میں ان خدمات کی اجازت شامل نہیں',
  ),
  reason(
    'complaints',
    ['suspend'],
    'شكاوى من المتعاملين قيد المراجعة',
    'Complaints by customers are being looked into',
    'صارفین کی شکایات کی جانچ جاری ہے',
  ),
  reason(
    'rulesBroken',
    ['suspend'],
    'مخالفة شروط وأحكام مزودي الخدمات',
    'The terms for service providers were broken',
    'خدمت فراہم کنندگان کی شرائط کی خلاف ورزی',
  ),
  reason(
    'agencyRequest',
    ['suspend'],
    'طلب من الجهة الحكومية',
    'A government agency asked for it',
    'سرکاری ادارے کی درخواست پر',
  ),
];

export function reasonsFor(action: PartnerAction): readonly PartnerReason[] {
  return partnerReasons.filter((each) => each.for.includes(action));
}

/** What a mail about a move says, before reasons, message and link. */
export const partnerMails: Readonly<
  Record<PartnerAction, { subject: LocalizedText; text: LocalizedText } | undefined>
> = {
  register: {
    subject: {
      'ar-EG': 'ديوان: استلمنا طلب تسجيلكم مزودًا للخدمة',
      'en-US': 'Diwan: we have received your registration as a service provider',
      'ur-PK': 'دیوان: خدمت فراہم کنندہ کے طور پر آپ کے اندراج کی درخواست موصول ہو گئی',
    },
    text: {
      'ar-EG': 'سنراجع مستنداتكم ونرسل إليكم النتيجة بالبريد الإلكتروني.',
      'en-US': 'We will look at your documents and send you the result by e-mail.',
      'ur-PK': 'ہم آپ کی دستاویزات دیکھ کر نتیجہ ای میل سے بھیجیں گے۔',
    },
  },
  verify: undefined,
  askAgain: {
    subject: {
      'ar-EG': 'ديوان: يحتاج تسجيلكم إلى تعديل',
      'en-US': 'Diwan: your registration needs a correction',
      'ur-PK': 'دیوان: آپ کے اندراج میں درستی درکار ہے',
    },
    text: {
      'ar-EG': 'راجعنا تسجيلكم، ويلزم تعديل ما يلي قبل التفعيل.',
      'en-US': 'We looked at your registration. Before we can activate it, please correct this.',
      'ur-PK': 'ہم نے آپ کے اندراج کا جائزہ لیا۔ فعال کرنے سے پہلے درج ذیل کی درستی ضروری ہے۔',
    },
  },
  resubmit: undefined,
  accept: {
    subject: {
      'ar-EG': 'ديوان: تم تفعيل حسابكم مزودًا للخدمة',
      'en-US': 'Diwan: your service provider account is active',
      'ur-PK': 'دیوان: خدمت فراہم کنندہ کے طور پر آپ کا اکاؤنٹ فعال ہو گیا',
    },
    text: {
      'ar-EG': 'قُبل تسجيلكم، ويمكنكم بدء العمل الآن.',
      'en-US': 'Your registration is accepted and you can start working now.',
      'ur-PK': 'آپ کا اندراج منظور ہو گیا اور اب آپ کام شروع کر سکتے ہیں۔',
    },
  },
  refuse: {
    subject: {
      'ar-EG': 'ديوان: تعذر قبول تسجيلكم مزودًا للخدمة',
      'en-US': 'Diwan: your registration as a service provider was not accepted',
      'ur-PK': 'دیوان: خدمت فراہم کنندہ کے طور پر آپ کا اندراج منظور نہیں ہوا',
    },
    text: {
      'ar-EG': 'لم نتمكن من قبول التسجيل للأسباب التالية.',
      'en-US': 'We could not accept the registration. These are the reasons.',
      'ur-PK': 'ہم درج ذیل وجوہات کی بنا پر اندراج منظور نہیں کر سکے۔',
    },
  },
  suspend: {
    subject: {
      'ar-EG': 'ديوان: أُوقف حسابكم بصفتكم مزود خدمة',
      'en-US': 'Diwan: your service provider account is suspended',
      'ur-PK': 'دیوان: خدمت فراہم کنندہ کے طور پر آپ کا اکاؤنٹ معطل کر دیا گیا',
    },
    text: {
      'ar-EG': 'أُوقف حسابكم للأسباب التالية. الطلبات المفتوحة محفوظة ويتابعها موظفو البوابة.',
      'en-US':
        'Your account is suspended for these reasons. Open requests are safe: the portal’s staff look after them.',
      'ur-PK':
        'آپ کا اکاؤنٹ درج ذیل وجوہات کی بنا پر معطل کیا گیا ہے۔ زیرِ عمل درخواستیں محفوظ ہیں اور پورٹل کا عملہ انہیں دیکھ رہا ہے۔',
    },
  },
  reactivate: {
    subject: {
      'ar-EG': 'ديوان: عاد حسابكم بصفتكم مزود خدمة إلى العمل',
      'en-US': 'Diwan: your service provider account is active again',
      'ur-PK': 'دیوان: خدمت فراہم کنندہ کے طور پر آپ کا اکاؤنٹ دوبارہ فعال ہو گیا',
    },
    text: {
      'ar-EG': 'انتهى إيقاف حسابكم، ويمكنكم متابعة العمل.',
      'en-US': 'The suspension is over and you can continue working.',
      'ur-PK': 'معطلی ختم ہو گئی ہے اور آپ کام جاری رکھ سکتے ہیں۔',
    },
  },
};
