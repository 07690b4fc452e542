import { z } from 'zod';
import { languages, localizedText, type Language } from '@diwan/contract/wire/languages';
import { requestNews, type RequestNews } from '@diwan/contract/requests/messages';
import { fillPlaces, hasAllPlaces } from '../../platform/core/message-fill.ts';

/**
 * What an applicant can be told of by a step of the workflow, and which of the document's texts
 * says it.
 */
export const requestEvents = [
  'created',
  'createdToPay',
  'feesDue',
  'paid',
  'received',
  'returned',
  'mended',
  'approved',
  'accepted',
  'completed',
  'rejected',
  'released',
] as const;
export type RequestEvent = (typeof requestEvents)[number];

/**
 * What a text may name, in double braces. A paragraph that names what there is nothing of is left
 * out.
 */
const placeholders = [
  'name',
  'number',
  'service',
  'agency',
  'amount',
  'by',
  'reasons',
  'message',
  'link',
  'site',
  'toGiveBack',
  'reference',
  'documents',
] as const;
export type Figures = Partial<Record<(typeof placeholders)[number], string>>;

const words = localizedText.superRefine((texts, context) => {
  for (const language of languages) {
    for (const [whole, name] of texts[language].matchAll(/\{\{([^}]*)\}\}/g)) {
      if (!placeholders.some((known) => known === name))
        context.addIssue({
          code: 'custom',
          path: [language],
          message: `names ${whole}, which nothing fills`,
        });
    }
  }
});
const eventWords = z.strictObject({ subject: words, text: words, short: words });
const maybeEventWords = eventWords.optional();
export type EventWords = z.infer<typeof eventWords>;

/**
 * The texts of messages as one document that a deployment can replace; `text` goes by mail, `short`
 * by SMS. News that it leaves out is told to nobody.
 */
export const messageWords = z.strictObject({
  greeting: words,
  closing: words,
  events: z.strictObject(
    Object.fromEntries(requestEvents.map((event) => [event, eventWords])) as Record<
      RequestEvent,
      typeof eventWords
    >,
  ),
  news: z
    .strictObject(
      Object.fromEntries(requestNews.map((each) => [each, maybeEventWords])) as Record<
        RequestNews,
        typeof maybeEventWords
      >,
    )
    .default({}),
});
export type MessageWords = z.infer<typeof messageWords>;

/** A mail in one language. */
export function writeMail(
  { greeting, closing }: Pick<MessageWords, 'greeting' | 'closing'>,
  { subject, text }: EventWords,
  language: Language,
  figures: Figures,
): { subject: string; body: string } {
  const paragraphs = [greeting, text, closing]
    .flatMap((part) => part[language].split('\n\n'))
    .filter((paragraph) => hasAllPlaces(paragraph, figures));
  return {
    subject: fillPlaces(subject[language], figures),
    body: paragraphs.map((paragraph) => fillPlaces(paragraph, figures)).join('\n\n'),
  };
}
