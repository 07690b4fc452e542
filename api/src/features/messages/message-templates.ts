import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError, type Config } from '#config.ts';
import {
  overridesVersion,
  createTranslator,
  localizedText as textOf,
} from '#platform/core/locale-texts.ts';
import { fillTemplate, hasAllPlaceholders } from '#platform/core/message-template.ts';
import { countSmsSegments } from '#platform/messages/sms.ts';
import { eventOfAction, requestActions, type ActionEvent } from '@diwan/contract/requests/actions';
import { requestNotifications, type RequestNotification } from '@diwan/contract/requests/messages';
import { languages, localizedText, type Language } from '@diwan/contract/wire/languages';

const t = createTranslator('request-messages');

/** The steps of the workflow that an applicant can be notified of, by the names of the templates. */
export type RequestEvent = ActionEvent | 'createdToPay' | 'feesDue' | 'approvedInPart';
const requestEvents: readonly RequestEvent[] = [
  ...requestActions.map(eventOfAction),
  'createdToPay',
  'feesDue',
  'approvedInPart',
];

/**
 * The placeholders of templates, in double braces. A paragraph with a placeholder that has no value
 * is left out.
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
  'issuedDocuments',
  'until',
  'objectUntil',
] as const;
export type TemplateValues = Partial<Record<(typeof placeholders)[number], string>>;

const template = localizedText.superRefine((texts, context) => {
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
const eventTemplates = z.strictObject({ subject: template, text: template, short: template });
const optionalEventTemplates = eventTemplates.optional();
export type EventTemplates = z.infer<typeof eventTemplates>;

const defaultEvent = (event: string) => ({
  subject: textOf(t, `${event}.subject`),
  text: textOf(t, `${event}.text`),
  short: textOf(t, `${event}.short`),
});

// Files that were written before there was this event stay valid.
const partialApproval = eventTemplates.default(() => defaultEvent('events.approvedInPart'));

/**
 * The templates of messages about requests as one document, which a deployment can replace. `text`
 * goes by mail, `short` by SMS. Applicants get no message for a kind of `news` that the document
 * leaves out.
 */
export const messageTemplates = z.strictObject({
  greeting: template,
  closing: template,
  events: z.strictObject(
    Object.fromEntries(
      requestEvents.map((event) => [
        event,
        event === 'approvedInPart' ? partialApproval : eventTemplates,
      ]),
    ) as Record<RequestEvent, typeof eventTemplates>,
  ),
  news: z
    .strictObject(
      Object.fromEntries(
        requestNotifications.map((each) => [each, optionalEventTemplates]),
      ) as Record<RequestNotification, typeof optionalEventTemplates>,
    )
    .default({}),
});
export type MessageTemplates = z.infer<typeof messageTemplates>;

/** The templates in `web/public/locales/<language>/request-messages.json`. */
function defaultTemplates(): unknown {
  return {
    greeting: textOf(t, 'greeting'),
    closing: textOf(t, 'closing'),
    events: Object.fromEntries(
      requestEvents.map((event) => [event, defaultEvent(`events.${event}`)]),
    ),
    news: Object.fromEntries(
      requestNotifications.map((each) => [each, defaultEvent(`news.${each}`)]),
    ),
  };
}

/** Loads the templates of this deployment. Throws a `ConfigError` of one line. */
export async function loadMessageTemplates({
  MESSAGES_FILE: file,
}: Pick<Config, 'MESSAGES_FILE'>): Promise<MessageTemplates> {
  if (file === undefined) return messageTemplates.parse(defaultTemplates());
  try {
    return messageTemplates.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
    const problem = issue
      ? `${issue.path.join('.')}: ${issue.message}`
      : (error as Error).message.split('\n')[0];
    throw new ConfigError(`Setting MESSAGES_FILE cannot be used: ${problem}`);
  }
}

/**
 * The templates of the moment. Those of the product are texts that an administrator corrects while it
 * runs; those of `MESSAGES_FILE` stay.
 */
export async function openMessageTemplates(
  config: Pick<Config, 'MESSAGES_FILE'>,
): Promise<() => MessageTemplates> {
  let templates = await loadMessageTemplates(config);
  let version = overridesVersion();
  return () => {
    if (config.MESSAGES_FILE === undefined && version !== overridesVersion()) {
      version = overridesVersion();
      templates = messageTemplates.parse(defaultTemplates());
    }
    return templates;
  };
}

/** Writes a mail in one language. */
export function writeMail(
  { greeting, closing }: Pick<MessageTemplates, 'greeting' | 'closing'>,
  { subject, text }: EventTemplates,
  language: Language,
  values: TemplateValues,
): { subject: string; body: string } {
  const paragraphs = [greeting, text, closing]
    .flatMap((part) => part[language].split('\n\n'))
    .filter((paragraph) => hasAllPlaceholders(paragraph, values));
  return {
    subject: fillTemplate(subject[language], values),
    body: paragraphs.map((paragraph) => fillTemplate(paragraph, values)).join('\n\n'),
  };
}

const maximumSegments = 2;

/** Writes an SMS of at most two segments: the name of the service is cut first, then the end. */
export function writeSms(
  { short }: EventTemplates,
  language: Language,
  values: TemplateValues,
): string {
  const fill = (service: string) => fillTemplate(short[language], { ...values, service });
  const letters = [...(values.service ?? '')];
  let text = fill(letters.join(''));
  for (
    let length = letters.length - 1;
    countSmsSegments(text) > maximumSegments && length > 0;
    length -= 1
  )
    text = fill(`${letters.slice(0, length).join('').trimEnd()}...`);
  while (countSmsSegments(text) > maximumSegments)
    text = `${[...text].slice(0, -4).join('').trimEnd()}...`;
  return text;
}

/**
 * The text that replaces a link to another site in a message of an employee. The page of the
 * request, which requires a sign-in, shows the link.
 */
export const linkReplacement = (language: Language): string => t('linkReplacement', language);
