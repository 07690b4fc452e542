import type { Language } from '@diwan/contract/wire/languages';
import { companyNameForMessage, nameForMessage } from '../../platform/core/message-fill.ts';

interface Figures {
  company: string;
  person: string;
  link: string;
}

const words: Record<
  Language,
  { subject: (figures: Figures) => string; text: (figures: Figures) => string }
> = {
  'ar-EG': {
    subject: ({ company }) => `ديوان: دعوة للانضمام إلى ${company}`,
    text: ({ company, person, link }) =>
      `وصلتك من ${person} دعوة للانضمام إلى حساب ${company} في ديوان، لتقديم طلبات الشركة ومتابعتها.\n\nلقبول الدعوة افتح هذا الرابط خلال 7 أيام. يُستخدم مرة واحدة، وهو لك وحدك:\n${link}\n\nإذا لم تكن تتوقع هذه الدعوة فتجاهل الرسالة ولن يحدث شيء.`,
  },
  'en-US': {
    subject: ({ company }) => `Diwan: an invitation to join ${company}`,
    text: ({ company, person, link }) =>
      `${person} invites you to join ${company} on Diwan, to send the company’s requests and follow them.\n\nTo accept, open this link within 7 days. It works once and is for you alone:\n${link}\n\nIf you did not expect this invitation, ignore this message and nothing will happen.`,
  },
  'ur-PK': {
    subject: ({ company }) => `دیوان: ${company} میں شمولیت کی دعوت`,
    text: ({ company, person, link }) =>
      `${person} نے آپ کو دیوان پر ${company} کے اکاؤنٹ میں شامل ہونے کی دعوت دی ہے تاکہ آپ کمپنی کی درخواستیں بھیج سکیں اور ان پر نظر رکھ سکیں۔\n\nدعوت قبول کرنے کے لیے 7 دن کے اندر یہ لنک کھولیں۔ یہ ایک ہی بار کام کرتا ہے اور صرف آپ کے لیے ہے:\n${link}\n\nاگر آپ کو اس دعوت کی توقع نہیں تھی تو اس پیغام کو نظر انداز کر دیں، کچھ نہیں ہوگا۔`,
  },
};

/** What the mail of an invitation says. */
export function invitationMail(
  language: Language,
  figures: Figures,
): { subject: string; text: string } {
  const named = {
    ...figures,
    company: companyNameForMessage(figures.company),
    person: nameForMessage(figures.person),
  };
  return { subject: words[language].subject(named), text: words[language].text(named) };
}
