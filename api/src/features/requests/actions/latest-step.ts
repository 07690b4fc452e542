import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { RequestAction } from '@diwan/contract/requests/workflow';
import { isStaff, personAt, type Caller } from '../../../platform/auth/session.ts';
import type { HistoryRow } from '../model/requests.store.ts';

const text = (ar: string, en: string, ur: string): LocalizedText => ({
  'ar-EG': ar,
  'en-US': en,
  'ur-PK': ur,
});

/**
 * What was done, by whom and when, to somebody who came too late. No verb agrees with the person,
 * whoever that is.
 */
const sentences: Record<RequestAction, LocalizedText> = {
  create: text(
    'تم إرسال الطلب بواسطة {{name}} في {{time}}.',
    'Sent by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست بھیجی۔',
  ),
  update: text(
    'تم تعديل الطلب وإعادة إرساله بواسطة {{name}} في {{time}}.',
    'Corrected and sent again by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست درست کر کے دوبارہ بھیجی۔',
  ),
  pay: text(
    'تم تأكيد دفع الرسوم بواسطة {{name}} في {{time}}.',
    'Payment confirmed by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر فیس کی ادائیگی کی تصدیق کی۔',
  ),
  receive: text(
    'تم استلام الطلب بواسطة {{name}} في {{time}}.',
    'Received by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست وصول کی۔',
  ),
  approve: text(
    'تمت الموافقة على الطلب بواسطة {{name}} في {{time}}.',
    'Approved by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست منظور کی۔',
  ),
  return: text(
    'تمت إعادة الطلب للتعديل بواسطة {{name}} في {{time}}.',
    'Returned to be corrected by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست درستی کے لیے واپس کی۔',
  ),
  submitted: text(
    'تم إنجاز الطلب بواسطة {{name}} في {{time}}.',
    'Completed by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست مکمل کی۔',
  ),
  accept: text(
    'تم قبول الطلب للتنفيذ بواسطة {{name}} في {{time}}.',
    'Accepted by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست قبول کی۔',
  ),
  reject: text(
    'تم رفض الطلب بواسطة {{name}} في {{time}}.',
    'Rejected by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست مسترد کی۔',
  ),
  release: text(
    'تمت إعادة الطلب إلى القائمة بواسطة {{name}} في {{time}}.',
    'Put back in the queue by {{name}} on {{time}}.',
    '{{name}} نے {{time}} پر درخواست قطار میں واپس رکھی۔',
  ),
};

const names: Record<
  'you' | 'applicant' | 'employee' | 'serviceProvider' | 'payment',
  LocalizedText
> = {
  you: text('حسابكم', 'you', 'آپ'),
  applicant: text('مقدم الطلب', 'the applicant', 'درخواست گزار'),
  employee: text('الجهة المعنية', 'the agency', 'متعلقہ ادارے'),
  serviceProvider: text('مزود الخدمة', 'the service provider', 'خدمت فراہم کنندہ'),
  payment: text('مزود خدمة الدفع', 'the payment provider', 'ادائیگی کے فراہم کنندہ'),
};

// Applicants deal with the office, not with one clerk by name. A name keeps its own direction
// within the sentence.
function nameOf(step: HistoryRow, caller: Caller, language: Language): string {
  if (step.actor_id === personAt(caller).userId) return names.you[language];
  const kind = step.actor_kind in names ? (step.actor_kind as keyof typeof names) : 'employee';
  return step.actor_name !== '' && (isStaff(caller) || kind === 'applicant')
    ? `\u2068${step.actor_name}\u2069`
    : names[kind][language];
}

/**
 * A step in one sentence of each language, as far as this caller may see it. Days and hours are
 * those of Asia/Dubai, in the one digit set of decision 0007.
 */
export function tellStep(step: HistoryRow, caller: Caller): LocalizedText {
  const told = languages.map((language) => {
    const time = new Intl.DateTimeFormat(language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'Asia/Dubai',
      numberingSystem: 'latn',
    }).format(step.at);
    const figures: Record<string, string> = { name: nameOf(step, caller, language), time };
    return [
      language,
      sentences[step.action as RequestAction][language].replace(
        /\{\{(\w+)\}\}/g,
        (_, name: string) => figures[name] ?? '',
      ),
    ];
  });
  return Object.fromEntries(told) as LocalizedText;
}
