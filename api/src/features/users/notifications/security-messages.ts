import type { LocalizedText } from '@diwan/contract/wire/languages';

const text = (ar: string, en: string, ur: string): LocalizedText => ({
  'ar-EG': ar,
  'en-US': en,
  'ur-PK': ur,
});

// The same help under each of them.
const help = text(
  'إذا لم تكن أنت من فعل ذلك فغيّر كلمة المرور فورًا وتواصل مع الدعم:\n{{login}}',
  'If it was not you, change your password at once and contact support:\n{{login}}',
  'اگر یہ آپ نے نہیں کیا تو فوراً پاس ورڈ بدلیں اور معاونت سے رابطہ کریں:\n{{login}}',
);
const shortHelp = text(
  'إذا لم تكن أنت فتواصل مع الدعم فورًا.',
  'If it was not you, contact support at once.',
  'اگر یہ آپ نہیں تھے تو فوراً معاونت سے رابطہ کریں۔',
);

// A changed password leaves a link as it is, a forgotten one ends it: decision 0016.
const helpWithLink = text(
  'إذا لم تكن أنت من فعل ذلك فاختر «نسيت كلمة المرور» في صفحة تسجيل الدخول وعيّن كلمة مرور جديدة؛ بذلك يُلغى الربط ويُسجَّل الخروج من جميع الأجهزة. ثم تواصل مع الدعم:\n{{login}}',
  'If it was not you, choose “Forgotten password” on the sign-in page and set a new one. That takes UAE PASS off your account and signs you out everywhere. Then contact support:\n{{login}}',
  'اگر یہ آپ نے نہیں کیا تو سائن اِن کے صفحے پر ”پاس ورڈ بھول گئے“ چن کر نیا پاس ورڈ بنائیں۔ اس سے UAE PASS آپ کے اکاؤنٹ سے الگ ہو جائے گا اور ہر آلے سے سائن آؤٹ ہو جائے گا۔ پھر معاونت سے رابطہ کریں:\n{{login}}',
);
const shortHelpWithLink = text(
  'إذا لم تكن أنت فأعد تعيين كلمة المرور فورًا ليُلغى الربط: {{login}}',
  'If it was not you, reset your password at once, which ends it: {{login}}',
  'اگر یہ آپ نہیں تھے تو فوراً نیا پاس ورڈ بنائیں، اس سے یہ ختم ہو جائے گا: {{login}}',
);

function message(
  subject: LocalizedText,
  first: LocalizedText,
  short: LocalizedText,
  wayOut = help,
  shortWayOut = shortHelp,
) {
  const both = (top: LocalizedText, bottom: LocalizedText, between: string) =>
    text(
      top['ar-EG'] + between + bottom['ar-EG'],
      top['en-US'] + between + bottom['en-US'],
      top['ur-PK'] + between + bottom['ur-PK'],
    );
  return { subject, text: both(first, wayOut, '\n\n'), short: both(short, shortWayOut, ' ') };
}

/**
 * What the owner of an account is told of its security beside a forgotten password and a changed
 * address.
 */
export const securityMessages = {
  ownPasswordChanged: message(
    text(
      'تغيّرت كلمة المرور في ديوان',
      'Your Diwan password has been changed',
      'آپ کا دیوان پاس ورڈ بدل گیا ہے',
    ),
    text(
      'تغيّرت كلمة المرور لحسابك {{username}}، وسُجّل خروجك من الأجهزة الأخرى.',
      'The password of your account {{username}} has been changed, and your other devices were signed out.',
      'آپ کے اکاؤنٹ {{username}} کا پاس ورڈ بدل گیا ہے، اور آپ کے دوسرے آلات سائن آؤٹ ہو گئے ہیں۔',
    ),
    text(
      'ديوان: تغيّرت كلمة مرور حسابك.',
      'Diwan: your password has been changed.',
      'دیوان: آپ کا پاس ورڈ بدل گیا ہے۔',
    ),
  ),
  identityLinked: message(
    text(
      'رُبطت هويتك الرقمية بحسابك في ديوان',
      'UAE PASS was linked to your Diwan account',
      'UAE PASS آپ کے دیوان اکاؤنٹ سے منسلک ہو گیا',
    ),
    text(
      'رُبط حسابك {{username}} بهوية رقمية (UAE PASS)، ويمكن الآن تسجيل الدخول إليه بها دون كلمة المرور.',
      'UAE PASS was linked to your account {{username}}. From now on it opens the account without the password.',
      'آپ کے اکاؤنٹ {{username}} سے UAE PASS منسلک کر دیا گیا ہے۔ اب اس سے پاس ورڈ کے بغیر بھی سائن اِن ہو سکتا ہے۔',
    ),
    text(
      'ديوان: رُبطت هوية رقمية (UAE PASS) بحسابك.',
      'Diwan: UAE PASS was linked to your account.',
      'دیوان: UAE PASS آپ کے اکاؤنٹ سے منسلک ہو گیا ہے۔',
    ),
    helpWithLink,
    shortHelpWithLink,
  ),
  secondFactorSet: message(
    text('فُعّل التحقق بخطوتين في حسابك', 'Two-step sign-in is now on', 'دو مرحلہ تصدیق فعال ہو گئی'),
    text(
      'فُعّل التحقق بخطوتين لحسابك {{username}}. يُطلب من الآن رمز من تطبيق المصادقة عند تسجيل الدخول.',
      'Two-step sign-in was set up for your account {{username}}. From now on it asks for a code of your authenticator app.',
      'آپ کے اکاؤنٹ {{username}} کے لیے دو مرحلہ تصدیق فعال ہو گئی ہے۔ اب سائن اِن پر تصدیقی ایپ کا کوڈ مانگا جائے گا۔',
    ),
    text(
      'ديوان: فُعّل التحقق بخطوتين في حسابك.',
      'Diwan: two-step sign-in was set up for your account.',
      'دیوان: آپ کے اکاؤنٹ پر دو مرحلہ تصدیق فعال ہو گئی ہے۔',
    ),
  ),
  secondFactorRemoved: message(
    text(
      'أُوقف التحقق بخطوتين في حسابك',
      'Two-step sign-in is now off',
      'دو مرحلہ تصدیق بند ہو گئی',
    ),
    text(
      'أُوقف التحقق بخطوتين لحسابك {{username}}، ويكفي الآن اسم المستخدم وكلمة المرور لتسجيل الدخول.',
      'Two-step sign-in was turned off for your account {{username}}. The username and password are now enough to sign in.',
      'آپ کے اکاؤنٹ {{username}} کی دو مرحلہ تصدیق بند کر دی گئی ہے۔ اب سائن اِن کے لیے صارف نام اور پاس ورڈ کافی ہیں۔',
    ),
    text(
      'ديوان: أُوقف التحقق بخطوتين في حسابك.',
      'Diwan: two-step sign-in was turned off for your account.',
      'دیوان: آپ کے اکاؤنٹ کی دو مرحلہ تصدیق بند کر دی گئی ہے۔',
    ),
  ),
  secondFactorReset: message(
    text(
      'أوقف مدير النظام التحقق بخطوتين في حسابك',
      'An administrator turned off two-step sign-in for your account',
      'منتظم نے آپ کی دو مرحلہ تصدیق بند کر دی',
    ),
    text(
      'أوقف أحد مديري نظام ديوان التحقق بخطوتين لحسابك {{username}}، وسُجّل خروجك من جميع الأجهزة.',
      'An administrator of Diwan turned off two-step sign-in for your account {{username}}, and you were signed out on every device.',
      'دیوان کے ایک منتظم نے آپ کے اکاؤنٹ {{username}} کی دو مرحلہ تصدیق بند کر دی ہے، اور آپ تمام آلات سے سائن آؤٹ ہو گئے ہیں۔',
    ),
    text(
      'ديوان: أوقف مدير النظام التحقق بخطوتين في حسابك.',
      'Diwan: an administrator turned off two-step sign-in for your account.',
      'دیوان: منتظم نے آپ کی دو مرحلہ تصدیق بند کر دی ہے۔',
    ),
  ),
  recoveryCodesRenewed: message(
    text(
      'صدرت رموز استرداد جديدة لحسابك',
      'New recovery codes were made for your account',
      'آپ کے اکاؤنٹ کے لیے نئے بحالی کوڈ بنے ہیں',
    ),
    text(
      'صدرت رموز استرداد جديدة لحسابك {{username}}، ولم تعد الرموز السابقة صالحة.',
      'New recovery codes were made for your account {{username}}. The earlier ones no longer work.',
      'آپ کے اکاؤنٹ {{username}} کے لیے نئے بحالی کوڈ بنائے گئے ہیں۔ پرانے کوڈ اب کام نہیں کریں گے۔',
    ),
    text(
      'ديوان: صدرت رموز استرداد جديدة لحسابك.',
      'Diwan: new recovery codes were made for your account.',
      'دیوان: آپ کے اکاؤنٹ کے لیے نئے بحالی کوڈ بنائے گئے ہیں۔',
    ),
  ),
};
