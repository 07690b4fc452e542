import type { Language } from '@diwan/contract/languages';
import { fillPlaces, nameForMessage } from '../../platform/message-fill.ts';

type Words = Record<Language, string>;

const code = {
  subject: { 'ar-EG': 'رمز للسماح لموظف بمساعدتك في ديوان', 'en-US': 'Your code to let an employee help you in Diwan', 'ur-PK': 'دیوان میں ملازم کو مدد کی اجازت دینے کا کوڈ' },
  text: {
    'ar-EG': 'يطلب الموظف {{employee}} أن يساعدك عند المنصة وأن يتصرف نيابة عنك لمدة {{minutes}} دقيقة.\n\nالرمز: {{code}}\n\nقل له الرمز فقط إذا كنت أمامه الآن. الرمز صالح لمدة 10 دقائق. إذا لم تكن عند المنصة فلا تخبر أحدًا به.',
    'en-US': '{{employee}}, an employee, asks to help you at the counter and to act for you for {{minutes}} minutes.\n\nYour code: {{code}}\n\nTell it only if you are with this employee now. It is valid for 10 minutes. If you are not at a counter, tell nobody.',
    'ur-PK': 'ملازم {{employee}} کاؤنٹر پر آپ کی مدد کرنا اور {{minutes}} منٹ تک آپ کی طرف سے کام کرنا چاہتے ہیں۔\n\nآپ کا کوڈ: {{code}}\n\nیہ کوڈ صرف اسی صورت میں بتائیں جب آپ ابھی ان کے سامنے ہوں۔ یہ 10 منٹ تک کارآمد ہے۔ اگر آپ کاؤنٹر پر نہیں ہیں تو کسی کو نہ بتائیں۔',
  },
  short: {
    'ar-EG': 'ديوان: {{code}} رمز للسماح للموظف {{employee}} بالتصرف نيابة عنك {{minutes}} دقيقة. قله فقط إذا كنت أمامه الآن.',
    'en-US': 'Diwan: {{code}} lets {{employee}}, an employee, act for you for {{minutes}} minutes. Tell it only if you are with them now.',
    'ur-PK': 'دیوان: {{code}} سے ملازم {{employee}} {{minutes}} منٹ آپ کی طرف سے کام کر سکیں گے۔ صرف ان کے سامنے ہوں تو بتائیں۔',
  },
} satisfies Record<string, Words>;

const began = {
  subject: { 'ar-EG': 'موظف يتصرف نيابة عنك في ديوان', 'en-US': 'An employee is acting for you in Diwan', 'ur-PK': 'دیوان میں ملازم آپ کی طرف سے کام کر رہا ہے' },
  text: {
    'ar-EG': 'بدأ الموظف {{employee}} التصرف نيابة عنك، ويستمر ذلك لمدة {{minutes}} دقيقة على الأكثر. يمكنه تقديم الطلبات وقراءتها، ولا يمكنه تغيير حسابك.\n\nيمكنك إنهاء ذلك في أي وقت من «أماكن تسجيل الدخول» في ملفك الشخصي:\n{{profile}}',
    'en-US': '{{employee}}, an employee, has begun to act for you, for {{minutes}} minutes at most. They can send and read requests, and cannot change your account.\n\nYou can end it at any time in your profile, under the places where you are signed in:\n{{profile}}',
    'ur-PK': 'ملازم {{employee}} نے آپ کی طرف سے کام شروع کیا ہے، زیادہ سے زیادہ {{minutes}} منٹ کے لیے۔ وہ درخواستیں بھیج اور پڑھ سکتے ہیں، آپ کا اکاؤنٹ نہیں بدل سکتے۔\n\nآپ اپنے پروفائل میں اسے کسی بھی وقت ختم کر سکتے ہیں:\n{{profile}}',
  },
  short: {
    'ar-EG': 'ديوان: بدأ الموظف {{employee}} التصرف نيابة عنك لمدة {{minutes}} دقيقة. لإنهاء ذلك: {{profile}}',
    'en-US': 'Diwan: {{employee}}, an employee, acts for you for {{minutes}} minutes. To end it: {{profile}}',
    'ur-PK': 'دیوان: ملازم {{employee}} {{minutes}} منٹ آپ کی طرف سے کام کر رہے ہیں۔ ختم کرنے کے لیے: {{profile}}',
  },
} satisfies Record<string, Words>;

/** What a person is sent when an employee asks to act for them, or has begun: `text` by mail, `short` by SMS. */
export function actingMessage(kind: 'code' | 'began', language: Language, figures: { employee: string; minutes: number; code?: string; profile: string }): { subject: string; text: string; short: string } {
  const { subject, text, short } = kind === 'code' ? code : began;
  const all = { employee: nameForMessage(figures.employee), minutes: String(figures.minutes), code: figures.code ?? '', profile: figures.profile };
  return { subject: fillPlaces(subject[language], all), text: fillPlaces(text[language], all), short: fillPlaces(short[language], all) };
}
