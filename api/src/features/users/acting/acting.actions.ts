import { recordAudit } from '#platform/auth/audit.store.ts';
import { nameOfCaller, type Caller } from '#platform/auth/caller.ts';
import { endSessions } from '#platform/auth/sessions/sessions.store.ts';
import type { VerificationCodes } from '#platform/auth/verification-codes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { sanitizePersonName } from '#platform/core/message-template.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { MailGateway } from '#platform/messages/mail.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type { SmsGateway } from '#platform/messages/sms.ts';
import type { FoundPerson } from '@diwan/contract/people/acting';
import {
  findContactAddress,
  findEmiratesId,
  normalizeUsername,
} from '@diwan/contract/people/new-account';
import type { Channel } from '@diwan/contract/wire/channels';
import type { Language } from '@diwan/contract/wire/languages';
import { findPeopleByIdentifier, type CounterPerson } from './acting.store.ts';

/** The dependencies of acting for others. */
export interface ActingContext extends Pick<
  AppContext,
  'database' | 'sessions' | 'config' | 'publicUrl' | 'outbox'
> {
  codes: VerificationCodes;
  mail: MailGateway;
  sms: SmsGateway;
}

/** The network address, browser and language of the employee. */
interface ActingOrigin {
  address: string;
  language: Language;
  agent?: string | undefined;
}

const t = createTranslator('account-messages');

// Only a complete identifier finds a person.
function parseIdentifier(typed: string) {
  const emiratesId = findEmiratesId(typed);
  if (emiratesId !== undefined) return { emiratesId };
  return {
    username: normalizeUsername(typed),
    email: findContactAddress('email', typed),
    phoneNumber: findContactAddress('sms', typed),
  };
}

// An employee cannot act for themselves or for other staff.
async function getPerson(
  { database }: Pick<ActingContext, 'database'>,
  caller: Caller,
  typed: string,
): Promise<CounterPerson> {
  const found = await findPeopleByIdentifier(database, parseIdentifier(typed));
  const [person] = found;
  if (
    found.length !== 1 ||
    !person ||
    person.id === caller.userId ||
    // guard: acting for staff
    person.roles.some((role) => role !== 'CompanyUser' && role !== 'Client')
  )
    throw new Refusal('PersonNotFound');
  if (!person.email_verified_at && !person.phone_verified_at) throw new Refusal('PersonNotFound');
  return person;
}

function verifiedAddresses(person: CounterPerson): { channel: Channel; address: string }[] {
  return [
    ...(person.phone_verified_at && person.phone_number
      ? [{ channel: 'sms' as const, address: person.phone_number }]
      : []),
    ...(person.email_verified_at && person.email
      ? [{ channel: 'email' as const, address: person.email }]
      : []),
  ];
}

// The first letter of each part of a name.
const maskName = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => `${[...part][0] ?? ''}***`)
    .join(' ');
// The end of a number, or the first letter and the domain of an e-mail address.
const maskAddress = (channel: Channel, address: string) =>
  channel === 'sms' ? `••• ${address.slice(-3)}` : address.replace(/^(.).*(@.*)$/, '$1•••$2');

export async function findPerson(
  context: ActingContext,
  caller: Caller,
  typed: string,
  language: Language,
): Promise<FoundPerson> {
  const person = await getPerson(context, caller, typed);
  return {
    fullName: maskName(localizePersonName(person, language)),
    ways: verifiedAddresses(person).map(({ channel, address }) => ({
      channel,
      hint: maskAddress(channel, address),
    })),
  };
}

/** Minutes with the plural form of the language, in the digits of all texts. */
export const writeMinutes = (minutes: number, language: Language): string =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  }).format(minutes);

function writeMessage(
  { config, publicUrl }: ActingContext,
  caller: Caller,
  message: 'actingCode' | 'actingBegan',
  { channel, language, code }: { channel: Channel; language: Language; code?: string },
): { subject: string; body: string } {
  const values = {
    employee: sanitizePersonName(nameOfCaller(caller, language)),
    duration: writeMinutes(config.ACTING_MINUTES, language),
    code,
    profile: `${publicUrl}/account/profile`,
  };
  return channel === 'sms'
    ? { subject: '', body: t(`${message}.short`, language, values) }
    : {
        subject: t(`${message}.subject`, language, values),
        body: t(`${message}.text`, language, values),
      };
}

// A code that one employee asked for is not valid for another.
const codeKey = (caller: Caller, person: CounterPerson) => `${caller.userId} ${person.id}`;

/**
 * Sends the person a code with the name of the employee and the purpose. Returns `false` when a
 * code was sent less than a minute ago or the daily limit is reached.
 */
export async function sendActingCode(
  context: ActingContext,
  caller: Caller,
  asked: { name: string; channel: Channel },
  from: ActingOrigin,
): Promise<boolean> {
  const { codes } = context;
  const { channel } = asked;
  const person = await getPerson(context, caller, asked.name);
  const recipient = verifiedAddresses(person).find((each) => each.channel === channel);
  if (!recipient) throw new Refusal('PersonNotFound');
  const code = codes.generate();
  if (
    !(await codes.issue('counter', `to ${person.id}`, codes.generate())) ||
    !(await codes.issue('counter', codeKey(caller, person), code))
  )
    return false;
  const language = person.language ?? from.language;
  const { subject, body } = writeMessage(context, caller, 'actingCode', {
    channel,
    language,
    code,
  });
  await recordAudit(context.database, {
    kind: 'actingCodeSent',
    userId: person.id,
    address: from.address,
    by: caller,
  });
  if (channel === 'sms') await context.sms.send(recipient.address, body);
  else await context.mail.send({ to: recipient.address, language, subject, text: body });
  return true;
}

/**
 * Opens a session of the person for the employee by the person's code, and notifies the person at
 * every verified address. Returns the token of the session.
 */
export async function beginActing(
  context: ActingContext,
  caller: Caller,
  asked: { name: string; channel: Channel; code: string },
  from: ActingOrigin,
): Promise<string> {
  const person = await getPerson(context, caller, asked.name);
  const verified = await context.codes.verify('counter', codeKey(caller, person), asked.code);
  if (!verified) {
    await recordAudit(context.database, {
      kind: 'actingRefused',
      userId: person.id,
      address: from.address,
      by: caller,
    });
    throw new Refusal('VerificationCodeWrong');
  }
  const language = person.language ?? from.language;
  const messages = verifiedAddresses(person).map(({ channel, address }) => ({
    kind: 'security' as const,
    channel,
    recipient: address,
    language,
    ...writeMessage(context, caller, 'actingBegan', { channel, language }),
    userId: person.id,
  }));
  const makeToken = await inTransaction(context.database, async (transaction) => {
    await verified.consume(transaction);
    await enqueueMessages(transaction, ...messages);
    return context.sessions.createActingSession(transaction, caller, person.id, {
      address: from.address,
      agent: from.agent,
    });
  });
  context.outbox.wake();
  return makeToken();
}

/** Ends the caller's acting session. Returns whether it was one. */
export async function endActing(
  context: Pick<ActingContext, 'database'>,
  caller: Caller,
  address: string,
): Promise<boolean> {
  const { actor, userId, sessionId } = caller;
  if (!actor) return false;
  return inTransaction(context.database, async (transaction) => {
    const [ended] = await endSessions(transaction, userId, { only: sessionId });
    if (ended !== undefined)
      await recordAudit(transaction, {
        kind: 'actingEnded',
        userId,
        sessionId,
        address,
        by: actor,
      });
    return ended !== undefined;
  });
}
