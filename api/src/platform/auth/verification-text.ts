import type { LocalizedText } from '@diwan/contract/wire/languages';
import { fillPlaces } from '../core/message-fill.ts';

const text: LocalizedText = {
  'ar-EG': 'ديوان: رمز التحقق الخاص بك هو {{code}}، وهو صالح لمدة 10 دقائق. لا تشاركه مع أي شخص.',
  'en-US':
    'Diwan: your verification code is {{code}}. It is valid for 10 minutes. Do not share it with anyone.',
  'ur-PK': 'دیوان: آپ کا تصدیقی کوڈ {{code}} ہے۔ یہ 10 منٹ تک کارآمد ہے۔ اسے کسی کو نہ بتائیں۔',
};

/** What the SMS with a code says, in every language. */
export function verificationText(code: string): LocalizedText {
  return Object.fromEntries(
    Object.entries(text).map(([language, words]) => [language, fillPlaces(words, { code })]),
  ) as LocalizedText;
}
