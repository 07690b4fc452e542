import type { Language } from '@diwan/contract/wire/languages';
import { fillPlaces, nameForMessage } from '../../../platform/core/message-fill.ts';

type Words = Record<Language, string>;

const code = {
  subject: {
    'ar-EG': 'رمز للسماح لموظف بمساعدتك في ديوان',
    'en-US': 'Your code to let an employee help you in Diwan',
    'ur-PK': 'دیوان میں اہلکار کو مدد کی اجازت دینے کا کوڈ',
  },
  text: {
    'ar-EG':
      'يطلب أحد موظفينا ({{employee}}) مساعدتك في منفذ الخدمة والعمل نيابةً عنك. المدة بالدقائق: {{minutes}}.\n\nالرمز: {{code}}\n\nلا تذكر الرمز إلا إذا كنت أمام هذا الموظف الآن. الرمز صالح لمدة 10 دقائق. إذا لم تكن في منفذ الخدمة فلا تخبر أحدًا به.',
    'en-US':
      '{{employee}}, an employee, asks to help you at the counter and to act for you for {{minutes}} minutes.\n\nYour code: {{code}}\n\nTell it only if you are with this employee now. It is valid for 10 minutes. If you are not at a counter, tell nobody.',
    'ur-PK':
      'اہلکار {{employee}} نے کاؤنٹر پر آپ کی مدد کرنے اور {{minutes}} منٹ تک آپ کی طرف سے کام کرنے کی اجازت مانگی ہے۔\n\nآپ کا کوڈ: {{code}}\n\nیہ کوڈ صرف اسی صورت میں بتائیں جب آپ ابھی ان کے سامنے ہوں۔ یہ 10 منٹ تک کارآمد ہے۔ اگر آپ کاؤنٹر پر نہیں ہیں تو کسی کو نہ بتائیں۔',
  },
  short: {
    'ar-EG':
      'ديوان: {{code}} رمز يسمح لأحد موظفينا ({{employee}}) بالعمل نيابةً عنك. المدة بالدقائق: {{minutes}}. لا تذكره إلا إذا كنت أمامه الآن.',
    'en-US':
      'Diwan: {{code}} lets {{employee}}, an employee, act for you for {{minutes}} minutes. Tell it only if you are with them now.',
    'ur-PK':
      'دیوان: {{code}} سے اہلکار {{employee}} کو {{minutes}} منٹ آپ کی طرف سے کام کی اجازت ملے گی۔ صرف ان کے سامنے ہوں تو بتائیں۔',
  },
} satisfies Record<string, Words>;

const began = {
  subject: {
    'ar-EG': 'يعمل أحد الموظفين نيابةً عنك في ديوان',
    'en-US': 'An employee is acting for you in Diwan',
    'ur-PK': 'دیوان میں ایک اہلکار نے آپ کی طرف سے کام شروع کیا ہے',
  },
  text: {
    'ar-EG':
      'بدأ أحد موظفينا ({{employee}}) العمل نيابةً عنك. أقصى مدة بالدقائق: {{minutes}}. يمكنه تقديم الطلبات والاطلاع عليها، ولا يمكنه تغيير حسابك.\n\nيمكنك إنهاء ذلك في أي وقت من «أين سجّلت الدخول» في ملفك الشخصي:\n{{profile}}',
    'en-US':
      '{{employee}}, an employee, has started to act for you, for {{minutes}} minutes at most. They can send and read requests, and cannot change your account.\n\nYou can end it at any time in your profile, under “Where you are signed in”:\n{{profile}}',
    'ur-PK':
      'اہلکار {{employee}} نے آپ کی طرف سے کام شروع کیا ہے، زیادہ سے زیادہ {{minutes}} منٹ کے لیے۔ اس دوران درخواستیں بھیجی اور پڑھی جا سکتی ہیں، آپ کا اکاؤنٹ نہیں بدلا جا سکتا۔\n\nآپ اسے کسی بھی وقت اپنے پروفائل میں ”آپ کہاں سائن اِن ہیں“ سے ختم کر سکتے ہیں:\n{{profile}}',
  },
  short: {
    'ar-EG':
      'ديوان: بدأ أحد موظفينا ({{employee}}) العمل نيابةً عنك. المدة بالدقائق: {{minutes}}. لإنهاء ذلك: {{profile}}',
    'en-US':
      'Diwan: {{employee}}, an employee, acts for you for {{minutes}} minutes. To end it: {{profile}}',
    'ur-PK':
      'دیوان: اہلکار {{employee}} کو {{minutes}} منٹ آپ کی طرف سے کام کی اجازت ہے۔ ختم کرنے کے لیے: {{profile}}',
  },
} satisfies Record<string, Words>;

/**
 * What a person is sent when an employee asks to act for them, or has begun: `text` by mail,
 * `short` by SMS.
 */
export function actingMessage(
  kind: 'code' | 'began',
  language: Language,
  figures: { employee: string; minutes: number; code?: string; profile: string },
): { subject: string; text: string; short: string } {
  const { subject, text, short } = kind === 'code' ? code : began;
  const all = {
    employee: nameForMessage(figures.employee),
    minutes: String(figures.minutes),
    code: figures.code ?? '',
    profile: figures.profile,
  };
  return {
    subject: fillPlaces(subject[language], all),
    text: fillPlaces(text[language], all),
    short: fillPlaces(short[language], all),
  };
}
