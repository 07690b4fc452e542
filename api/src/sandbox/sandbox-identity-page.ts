import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { escapeHtml, page } from './sandbox-page.ts';
import { nameOf, personas } from './sandbox-personas.ts';

// UAE PASS itself speaks Arabic and English only, so these are all the words its stand-in needs.
const words = {
  title: { 'ar-EG': 'الهوية الرقمية التجريبية', 'en-US': 'Sandbox UAE PASS' },
  note: {
    'ar-EG': 'بديل تجريبي لخدمة UAE PASS، ولا تُرسل أي بيانات إليها.',
    'en-US': 'A stand-in for UAE PASS. Nothing is sent to the real one.',
  },
  question: { 'ar-EG': 'من تريد أن تكون؟', 'en-US': 'Who do you want to be?' },
  asks: {
    'ar-EG':
      'تطلب بوابة ديوان التحقق من هويتك والاطلاع على اسمك ورقم هويتك ورقم هاتفك وبريدك الإلكتروني.',
    'en-US':
      'Diwan asks who you are, and to see your name, Emirates ID number, mobile number and e-mail address.',
  },
  approve: { 'ar-EG': 'موافقة وتسجيل الدخول', 'en-US': 'Approve and sign in' },
  cancel: { 'ar-EG': 'إلغاء والعودة', 'en-US': 'Cancel and go back' },
  error: { 'ar-EG': 'محاكاة خطأ', 'en-US': 'Simulate an error' },
  SOP1: { 'ar-EG': 'أساسي · SOP1', 'en-US': 'Basic · SOP1' },
  SOP2: { 'ar-EG': 'موثّق · SOP2', 'en-US': 'Verified · SOP2' },
  SOP3: { 'ar-EG': 'موثّق · SOP3', 'en-US': 'Verified · SOP3' },
  wrong: { 'ar-EG': 'طلب تسجيل الدخول هذا غير صحيح', 'en-US': 'This sign-in request is not right' },
  wrongNote: {
    'ar-EG': 'عُد إلى البوابة وابدأ من جديد.',
    'en-US': 'Go back to the portal and begin again.',
  },
  back: { 'ar-EG': 'العودة إلى البوابة', 'en-US': 'Back to the portal' },
  out: { 'ar-EG': 'سُجّل خروجك', 'en-US': 'You are signed out' },
} satisfies Record<string, Pick<LocalizedText, 'ar-EG' | 'en-US'>>;

export type PageLanguage = Extract<Language, 'ar-EG' | 'en-US'>;

function bar(say: (name: keyof typeof words) => string): string {
  return `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div>`;
}

/** The page on which a visitor chooses who to be; `action` takes the choice. */
export function choicePage(language: PageLanguage, action: string): string {
  const say = (name: keyof typeof words) => escapeHtml(words[name][language]);
  const choices = personas
    .map(
      (
        persona,
        index,
      ) => `<label class="persona"><input type="radio" name="persona" value="${persona.id}"${index === 0 ? ' checked' : ''}>
<span><strong><bdi>${escapeHtml(nameOf(persona, language === 'ar-EG'))}</bdi></strong> <small class="level"><bdi>${say(persona.claims.userType)}</bdi></small><br><small class="note">${escapeHtml(persona.note[language])}</small></span></label>`,
    )
    .join('');
  return page(
    language,
    words.title[language],
    `${bar(say)}<section><form method="post" action="${escapeHtml(action)}">
<fieldset><legend><h1>${say('question')}</h1></legend>${choices}</fieldset><p class="note">${say('asks')}</p>
<button name="decision" value="approve">${say('approve')}</button><button name="decision" value="cancel">${say('cancel')}</button><button name="decision" value="error">${say('error')}</button></form></section>`,
  );
}

/** What a visitor sees whose sign-in cannot go on, or who has signed out. */
export function closingPage(
  language: PageLanguage,
  what: 'wrong' | 'out',
  portalUrl: string,
): string {
  const say = (name: keyof typeof words) => escapeHtml(words[name][language]);
  return page(
    language,
    words[what][language],
    `${bar(say)}<section><h1>${say(what)}</h1>${what === 'wrong' ? `<p>${say('wrongNote')}</p>` : ''}<p><a href="${escapeHtml(portalUrl)}/">${say('back')}</a></p></section>`,
  );
}
