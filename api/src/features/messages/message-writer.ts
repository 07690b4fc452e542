import { formatAmount, localize, localizePersonName } from '#platform/core/localize.ts';
import { sanitizeMessageText, sanitizePersonName } from '#platform/core/message-template.ts';
import type { OutgoingMessage } from '#platform/messages/message-outbox.ts';
import {
  urgentNotificationKinds,
  type OwnNotificationKind,
} from '@diwan/contract/staff/notifications';
import type { MessageChannel } from '@diwan/contract/wire/channels';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import {
  linkReplacement,
  writeMail,
  writeSms,
  type EventTemplates,
  type MessageTemplates,
  type TemplateValues,
} from './message-templates.ts';
import type { NotifiedColumns, NotifiedRequest, Recipient } from './messages.store.ts';

// The chosen channels that have a verified address. Where there are none, all verified addresses:
// a person who can be reached is notified. Browsers are chosen one by one, in each of them.
function addressesOf({
  email,
  phone_number: phone,
  channels,
  browsers,
}: Recipient): Pick<OutgoingMessage, 'channel' | 'recipient'>[] {
  const verified = verifiedAddresses({ email, phone_number: phone });
  const chosen = verified.filter(({ channel }) => channels?.includes(channel) ?? true);
  return [
    ...(chosen.length > 0 ? chosen : verified),
    ...browsers.map((recipient) => ({ channel: 'push' as const, recipient })),
  ];
}

const verifiedAddresses = ({
  email,
  phone_number: phone,
}: Pick<Recipient, 'email' | 'phone_number'>) => [
  ...(email ? [{ channel: 'email' as const, recipient: email }] : []),
  ...(phone ? [{ channel: 'sms' as const, recipient: phone }] : []),
];

/** The addresses at which a person wants to hear of a kind. What waits for them reaches them. */
function wantedAddressesOf(person: Recipient, kind: OwnNotificationKind) {
  const chosen = person.channelsByKind[kind];
  const isWanted = ({ channel }: { channel: MessageChannel }) => chosen?.[channel] ?? true;
  const wanted = addressesOf(person).filter(isWanted);
  const isReached = wanted.some(({ channel }) => channel !== 'push');
  if (isReached || !urgentNotificationKinds.includes(kind)) return wanted;
  const verified = verifiedAddresses(person);
  const others = verified.filter(isWanted);
  return [...(others.length > 0 ? others : verified), ...wanted];
}

/**
 * The sender of the request. The managers of a company receive the messages when the sender has left
 * the company or cannot be reached: decision 0024.
 */
export function chooseRecipients(
  possible: readonly Recipient[],
  { user_id: userId, company_id: companyId }: NotifiedColumns,
  isReachable = (person: Recipient) => addressesOf(person).length > 0,
): Recipient[] {
  const people = possible.filter(isReachable);
  const sender = people.filter(
    (person) => person.id === userId && (companyId === null || person.company_id === companyId),
  );
  return sender.length > 0 ? sender : people.filter(({ id }) => id !== userId);
}

/** The users whose lists get a notification: the list needs no address. */
export const listRecipients = (
  possible: readonly Recipient[],
  request: NotifiedColumns,
  kind: OwnNotificationKind,
): string[] =>
  chooseRecipients(possible, request, () => true)
    .filter(({ channelsByKind }) => channelsByKind[kind]?.in_portal ?? true)
    .map(({ id }) => id);

/** Texts as the lines of a list. */
export const formatList = (texts: readonly LocalizedText[], language: Language): string =>
  texts.map((text) => `- ${localize(text, language)}`).join('\n');

/** The values of the request and the recipient, which every message can use. */
function commonValues(
  person: Recipient,
  language: Language,
  request: NotifiedRequest,
): TemplateValues {
  return {
    name: sanitizePersonName(localizePersonName(person, language)),
    number: request.number,
    service: localize(request.service_name, language),
    agency: localize(request.agency_name, language),
    toGiveBack: request.to_give_back > 0 ? formatAmount(request.to_give_back, language) : '',
  };
}

/** What the messages of one notification say; amounts and lists in the recipient's language. */
export interface MessageContent {
  kind: OwnNotificationKind;
  request: NotifiedRequest;
  template: EventTemplates;
  valuesIn: (language: Language) => TemplateValues;
}

/**
 * Writes messages about requests, and stores none. `templates` returns those of the moment; `makeLink`
 * returns the address of a request; `publicUrl` is the address of the portal.
 */
export function createMessageWriter(
  templates: () => MessageTemplates,
  publicUrl: string,
  makeLink: (requestNumber: string) => string,
) {
  const site = new URL(publicUrl).host;
  const pathOf = (link = '') => link.slice(publicUrl.length);
  const sanitize = (text: string, language: Language) =>
    sanitizeMessageText(text, publicUrl, linkReplacement(language));

  function writeFor(
    channel: MessageChannel,
    template: EventTemplates,
    language: Language,
    values: TemplateValues,
  ): Pick<OutgoingMessage, 'subject' | 'body' | 'link'> {
    const mail = writeMail(templates(), template, language, values);
    if (channel === 'email') return mail;
    const body = writeSms(template, language, values);
    return channel === 'sms'
      ? { subject: '', body }
      : { subject: mail.subject, body: values.service ?? '', link: pathOf(values.link) };
  }

  /** One message for each recipient and channel, in the recipient's own language. */
  function writeMessages(
    people: readonly Recipient[],
    { kind, request, template, valuesIn }: MessageContent,
    fields: Pick<OutgoingMessage, 'requestId' | 'notification' | 'delaySeconds'>,
  ): OutgoingMessage[] {
    return people.flatMap((person) => {
      const language = person.language ?? request.language ?? 'ar-EG';
      const values = {
        ...commonValues(person, language, request),
        link: makeLink(request.number),
        site,
        ...valuesIn(language),
      };
      return wantedAddressesOf(person, kind).map((to): OutgoingMessage => ({
        ...to,
        ...fields,
        kind: 'request',
        language,
        userId: person.id,
        ...writeFor(to.channel, template, language, values),
      }));
    });
  }

  return { sanitize, writeMessages };
}
