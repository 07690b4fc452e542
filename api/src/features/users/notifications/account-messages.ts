import type { LocalizedText } from '@diwan/contract/wire/languages';
import { securityMessages } from './security-messages.ts';

/** What somebody is sent: `subject` and `text` by mail, `short` by SMS. */
export interface AccountMessage {
  subject: LocalizedText;
  text: LocalizedText;
  short: LocalizedText;
}

const messages = {
  ...securityMessages,
  registerCode: {
    subject: {
      'ar-EG': 'رمز التحقق لإنشاء حسابك في ديوان',
      'en-US': 'Your code to create a Diwan account',
      'ur-PK': 'دیوان اکاؤنٹ بنانے کے لیے آپ کا کوڈ',
    },
    text: {
      'ar-EG':
        'رمز التحقق هو {{code}}\n\nأدخل هذا الرمز لإتمام إنشاء حسابك. الرمز صالح لمدة 10 دقائق، ولن يطلبه منك أي موظف.\n\nإذا لم تطلب إنشاء حساب فتجاهل هذه الرسالة، ولن يُنشأ أي حساب.',
      'en-US':
        'Your code is {{code}}\n\nEnter it to finish creating your account. It is valid for 10 minutes, and nobody from the portal will ever ask you for it.\n\nIf you did not ask for an account, ignore this message and none will be created.',
      'ur-PK':
        'آپ کا کوڈ {{code}} ہے\n\nاکاؤنٹ بنانے کا عمل مکمل کرنے کے لیے یہ کوڈ درج کریں۔ یہ 10 منٹ تک کارآمد ہے، اور ہمارا کوئی اہلکار آپ سے یہ نہیں مانگے گا۔\n\nاگر آپ نے اکاؤنٹ کی درخواست نہیں کی تو اس پیغام کو نظر انداز کر دیں؛ کوئی اکاؤنٹ نہیں بنے گا۔',
    },
    short: {
      'ar-EG': 'ديوان: رمز إنشاء حسابك هو {{code}}، وهو صالح لمدة 10 دقائق. لا تشاركه مع أي شخص.',
      'en-US':
        'Diwan: your code to create an account is {{code}}. It is valid for 10 minutes. Do not share it with anyone.',
      'ur-PK':
        'دیوان: اکاؤنٹ بنانے کا آپ کا کوڈ {{code}} ہے۔ یہ 10 منٹ تک کارآمد ہے۔ اسے کسی کو نہ بتائیں۔',
    },
  },
  addressInUse: {
    subject: {
      'ar-EG': 'لديك حساب في ديوان بالفعل',
      'en-US': 'You already have a Diwan account',
      'ur-PK': 'دیوان میں آپ کا اکاؤنٹ پہلے سے موجود ہے',
    },
    text: {
      'ar-EG':
        'طُلب إنشاء حساب بهذا العنوان، وهو مرتبط بحساب قائم بالفعل.\n\nسجّل الدخول بحسابك، أو اختر «نسيت كلمة المرور» في صفحة تسجيل الدخول إن لم تتذكر كلمة المرور:\n{{login}}\n\nإذا لم تكن أنت من طلب ذلك فلا يلزمك فعل شيء، ولم يتغير أي شيء في حسابك.',
      'en-US':
        'Somebody asked to use this address for an account, but it belongs to an account already.\n\nSign in with that account, or choose “Forgotten password” on the sign-in page:\n{{login}}\n\nIf it was not you, you need to do nothing. Nothing about your account has changed.',
      'ur-PK':
        'کسی نے اس پتے سے اکاؤنٹ بنانے کی درخواست کی، مگر یہ پہلے سے ایک اکاؤنٹ سے منسلک ہے۔\n\nاپنے اسی اکاؤنٹ سے سائن اِن کریں، یا سائن اِن کے صفحے پر ”پاس ورڈ بھول گئے“ کا انتخاب کریں:\n{{login}}\n\nاگر یہ آپ نہیں تھے تو آپ کو کچھ کرنے کی ضرورت نہیں۔ آپ کے اکاؤنٹ میں کوئی تبدیلی نہیں ہوئی۔',
    },
    short: {
      'ar-EG': 'ديوان: لهذا الرقم حساب بالفعل. سجّل الدخول أو استعد كلمة المرور: {{login}}',
      'en-US':
        'Diwan: this number already has an account. Sign in or reset your password: {{login}}',
      'ur-PK':
        'دیوان: اس نمبر کا اکاؤنٹ پہلے سے موجود ہے۔ سائن اِن کریں یا نیا پاس ورڈ بنائیں: {{login}}',
    },
  },
  passwordCode: {
    subject: {
      'ar-EG': 'رمز إعادة تعيين كلمة المرور في ديوان',
      'en-US': 'Your code to reset your Diwan password',
      'ur-PK': 'دیوان کا نیا پاس ورڈ بنانے کے لیے کوڈ',
    },
    text: {
      'ar-EG':
        'رمز التحقق هو {{code}}\n\nاسم المستخدم: {{username}}\n\nأدخل هذا الرمز لاختيار كلمة مرور جديدة. الرمز صالح لمدة 10 دقائق، ولن يطلبه منك أي موظف.\n\nإذا لم تطلب ذلك فتجاهل هذه الرسالة، وتبقى كلمة المرور كما هي.',
      'en-US':
        'Your code is {{code}}\n\nUsername: {{username}}\n\nEnter the code to choose a new password. It is valid for 10 minutes, and nobody from the portal will ever ask you for it.\n\nIf you did not ask for this, ignore this message. Your password stays as it is.',
      'ur-PK':
        'آپ کا کوڈ {{code}} ہے\n\nصارف نام: {{username}}\n\nنیا پاس ورڈ چننے کے لیے یہ کوڈ درج کریں۔ یہ 10 منٹ تک کارآمد ہے، اور ہمارا کوئی اہلکار آپ سے یہ نہیں مانگے گا۔\n\nاگر آپ نے یہ نہیں مانگا تو اس پیغام کو نظر انداز کر دیں۔ آپ کا پاس ورڈ وہی رہے گا۔',
    },
    short: {
      'ar-EG':
        'ديوان: رمز إعادة تعيين كلمة المرور هو {{code}}، وهو صالح لمدة 10 دقائق. لا تشاركه مع أي شخص.',
      'en-US':
        'Diwan: your code to reset your password is {{code}}. It is valid for 10 minutes. Do not share it with anyone.',
      'ur-PK':
        'دیوان: نیا پاس ورڈ بنانے کا آپ کا کوڈ {{code}} ہے۔ یہ 10 منٹ تک کارآمد ہے۔ اسے کسی کو نہ بتائیں۔',
    },
  },
  onlyUAEPass: {
    subject: {
      'ar-EG': 'سجّل الدخول إلى ديوان بالهوية الرقمية',
      'en-US': 'Sign in to Diwan with UAE PASS',
      'ur-PK': 'دیوان میں UAE PASS سے سائن اِن کریں',
    },
    text: {
      'ar-EG':
        'ليس لحسابك كلمة مرور، لأنك تسجّل الدخول بالهوية الرقمية (UAE PASS).\n\nاختر «الدخول عبر UAE PASS» في صفحة تسجيل الدخول:\n{{login}}',
      'en-US':
        'Your account has no password, because you sign in with UAE PASS.\n\nChoose “Sign in with UAE PASS” on the sign-in page:\n{{login}}',
      'ur-PK':
        'آپ کے اکاؤنٹ کا کوئی پاس ورڈ نہیں، کیونکہ آپ UAE PASS سے سائن اِن کرتے ہیں۔\n\nسائن اِن کے صفحے پر ”UAE PASS سے سائن اِن کریں“ کا انتخاب کریں:\n{{login}}',
    },
    short: {
      'ar-EG': 'ديوان: ليس لحسابك كلمة مرور. سجّل الدخول بالهوية الرقمية (UAE PASS): {{login}}',
      'en-US': 'Diwan: your account has no password. Sign in with UAE PASS: {{login}}',
      'ur-PK': 'دیوان: آپ کے اکاؤنٹ کا کوئی پاس ورڈ نہیں۔ UAE PASS سے سائن اِن کریں: {{login}}',
    },
  },
  severalAccounts: {
    subject: {
      'ar-EG': 'حساباتك في ديوان',
      'en-US': 'Your Diwan accounts',
      'ur-PK': 'آپ کے دیوان اکاؤنٹ',
    },
    text: {
      'ar-EG':
        'لهذا العنوان أكثر من حساب. أعد طلب كلمة مرور جديدة باسم المستخدم للحساب الذي تريده:\n{{username}}',
      'en-US':
        'This address has more than one account. Ask for a new password again, by the username of the one you want:\n{{username}}',
      'ur-PK':
        'اس پتے کے ایک سے زیادہ اکاؤنٹ ہیں۔ جس اکاؤنٹ کا نیا پاس ورڈ چاہیے اس کے صارف نام سے دوبارہ درخواست کریں:\n{{username}}',
    },
    short: {
      'ar-EG': 'ديوان: لهذا الرقم أكثر من حساب. أعد الطلب باسم المستخدم: {{username}}',
      'en-US': 'Diwan: this number has more than one account. Ask again by username: {{username}}',
      'ur-PK':
        'دیوان: اس نمبر کے ایک سے زیادہ اکاؤنٹ ہیں۔ صارف نام سے دوبارہ درخواست کریں: {{username}}',
    },
  },
  passwordChanged: {
    subject: {
      'ar-EG': 'تغيّرت كلمة المرور في ديوان',
      'en-US': 'Your Diwan password has been changed',
      'ur-PK': 'آپ کا دیوان پاس ورڈ بدل گیا ہے',
    },
    text: {
      'ar-EG':
        'تغيّرت كلمة المرور لحسابك {{username}}، وسُجّل خروجك من جميع الأجهزة.\n\nإذا لم تكن أنت من غيّرها فاختر «نسيت كلمة المرور» فورًا وتواصل مع الدعم:\n{{login}}',
      'en-US':
        'The password of your account {{username}} has been changed, and you were signed out on every device.\n\nIf it was not you, choose “Forgotten password” at once and contact support:\n{{login}}',
      'ur-PK':
        'آپ کے اکاؤنٹ {{username}} کا پاس ورڈ بدل گیا ہے، اور آپ تمام آلات سے سائن آؤٹ ہو گئے ہیں۔\n\nاگر یہ آپ نے نہیں کیا تو فوراً ”پاس ورڈ بھول گئے“ کا انتخاب کریں اور معاونت سے رابطہ کریں:\n{{login}}',
    },
    short: {
      'ar-EG': 'ديوان: تغيّرت كلمة مرور حسابك. إذا لم تكن أنت فتواصل مع الدعم فورًا: {{login}}',
      'en-US':
        'Diwan: your password has been changed. If it was not you, contact support at once: {{login}}',
      'ur-PK':
        'دیوان: آپ کا پاس ورڈ بدل گیا ہے۔ اگر یہ آپ نہیں تھے تو فوراً معاونت سے رابطہ کریں: {{login}}',
    },
  },
  contactCode: {
    subject: {
      'ar-EG': 'رمز تأكيد بريدك الإلكتروني في ديوان',
      'en-US': 'Your code to confirm this e-mail address',
      'ur-PK': 'اس ای میل کی تصدیق کے لیے آپ کا کوڈ',
    },
    text: {
      'ar-EG':
        'رمز التحقق هو {{code}}\n\nأدخل هذا الرمز لاستخدام هذا البريد الإلكتروني في حسابك. الرمز صالح لمدة 10 دقائق.\n\nإذا لم تطلب ذلك فتجاهل هذه الرسالة.',
      'en-US':
        'Your code is {{code}}\n\nEnter it to use this e-mail address for your account. It is valid for 10 minutes.\n\nIf you did not ask for this, ignore this message.',
      'ur-PK':
        'آپ کا کوڈ {{code}} ہے\n\nاپنے اکاؤنٹ کے لیے یہ ای میل استعمال کرنے کے لیے کوڈ درج کریں۔ یہ 10 منٹ تک کارآمد ہے۔\n\nاگر آپ نے یہ نہیں مانگا تو اس پیغام کو نظر انداز کر دیں۔',
    },
    short: {
      'ar-EG': 'ديوان: رمز تأكيد رقمك هو {{code}}، وهو صالح لمدة 10 دقائق. لا تشاركه مع أي شخص.',
      'en-US':
        'Diwan: your code to confirm this number is {{code}}. It is valid for 10 minutes. Do not share it with anyone.',
      'ur-PK':
        'دیوان: اس نمبر کی تصدیق کا کوڈ {{code}} ہے۔ یہ 10 منٹ تک کارآمد ہے۔ اسے کسی کو نہ بتائیں۔',
    },
  },
  contactChanged: {
    subject: {
      'ar-EG': 'تغيّرت بيانات التواصل في حسابك',
      'en-US': 'The contact details of your account have changed',
      'ur-PK': 'آپ کے اکاؤنٹ کی رابطے کی معلومات بدل گئی ہیں',
    },
    text: {
      'ar-EG':
        'لم يعد هذا العنوان مرتبطًا بحسابك {{username}} في ديوان، وحلّ محله عنوان آخر.\n\nإذا لم تكن أنت من غيّره فتواصل مع الدعم فورًا:\n{{login}}',
      'en-US':
        'This address no longer belongs to your Diwan account {{username}}. Another one has taken its place.\n\nIf it was not you, contact support at once:\n{{login}}',
      'ur-PK':
        'یہ پتا اب آپ کے دیوان اکاؤنٹ {{username}} سے منسلک نہیں رہا۔ اس کی جگہ دوسرا پتا درج ہو گیا ہے۔\n\nاگر یہ آپ نے نہیں کیا تو فوراً معاونت سے رابطہ کریں:\n{{login}}',
    },
    short: {
      'ar-EG':
        'ديوان: تغيّر رقم الهاتف المتحرك في حسابك. إذا لم تكن أنت فتواصل مع الدعم فورًا: {{login}}',
      'en-US':
        'Diwan: the mobile number of your account has changed. If it was not you, contact support at once: {{login}}',
      'ur-PK':
        'دیوان: آپ کے اکاؤنٹ کا موبائل نمبر بدل گیا ہے۔ اگر یہ آپ نہیں تھے تو فوراً معاونت سے رابطہ کریں: {{login}}',
    },
  },
} as const satisfies Record<string, AccountMessage>;

export type AccountMessageName = keyof typeof messages;

/** A message by name. */
export const accountMessage = (name: AccountMessageName): AccountMessage => messages[name];
