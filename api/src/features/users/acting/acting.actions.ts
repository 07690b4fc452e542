import type { Channel } from '@diwan/contract/people/accounts';
import type { FoundPerson } from '@diwan/contract/people/acting';
import type { Language } from '@diwan/contract/wire/languages';
import { readAddress, readUsername } from '@diwan/contract/people/new-account';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import type { MailGateway } from '../../../platform/messages/mail.ts';
import { enqueueMessages } from '../../../platform/messages/message-outbox.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import type { SmsGateway } from '../../../platform/messages/sms.ts';
import type { VerificationCodes } from '../../../platform/auth/verification-codes.ts';
import { actingMessage } from '../notifications/acting-messages.ts';
import { endActingSession, findByCounterName, type CounterPerson } from './acting.store.ts';

/** What acting for others stands on. */
export interface ActingContext extends Pick<
  AppContext,
  'database' | 'sessions' | 'config' | 'publicUrl' | 'outbox'
> {
  codes: VerificationCodes;
  mail: MailGateway;
  sms: SmsGateway;
}

/** Where the employee calls from, and in which language. */
export interface Counter {
  address: string;
  language: Language;
  agent?: string | undefined;
}

const latin = (text: string) =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/** What somebody at a counter says of themselves, whole. */
function nameOf(typed: string) {
  const digits = latin(typed).replace(/[\s-]/g, '');
  if (/^784\d{12}$/.test(digits))
    return { emiratesId: digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4') };
  return {
    username: readUsername(typed),
    email: readAddress('email', typed),
    phoneNumber: readAddress('sms', typed),
  };
}

// Nobody acts for themselves, nor with the rights of other staff.
async function getPerson(
  { database }: Pick<ActingContext, 'database'>,
  caller: Caller,
  typed: string,
): Promise<CounterPerson> {
  const found = await findByCounterName(database, nameOf(typed));
  const [person] = found;
  if (
    found.length !== 1 ||
    !person ||
    person.id === caller.userId ||
    person.roles.some((role) => role !== 'CompanyUser' && role !== 'Client')
  )
    throw new Refusal('PersonNotFound');
  if (!person.email_verified_at && !person.phone_verified_at) throw new Refusal('PersonNotFound');
  return person;
}

const addressOf = (person: CounterPerson, channel: Channel): string => {
  const address =
    channel === 'email'
      ? person.email_verified_at && person.email
      : person.phone_verified_at && person.phone_number;
  if (!address) throw new Refusal('PersonNotFound');
  return address;
};

// The first letter of each part, the end of a number, the beginning and the domain of an address:
// enough to tell, too little to learn.
const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => `${[...part][0] ?? ''}***`)
    .join(' ');
const hintOf = (channel: Channel, address: string) =>
  channel === 'sms' ? `••• ${address.slice(-3)}` : address.replace(/^(.).*(@.*)$/, '$1•••$2');

export async function findPerson(
  context: ActingContext,
  caller: Caller,
  typed: string,
): Promise<FoundPerson> {
  const person = await getPerson(context, caller, typed);
  const ways = (['sms', 'email'] as const).filter((channel) =>
    channel === 'email'
      ? person.email_verified_at && person.email
      : person.phone_verified_at && person.phone_number,
  );
  return {
    fullName: initials(person.full_name),
    ways: ways.map((channel) => ({ channel, hint: hintOf(channel, addressOf(person, channel)) })),
  };
}

// A code that one employee asked for is worth nothing to another.
const keyOf = (caller: Caller, person: CounterPerson) => `${caller.userId} ${person.id}`;

/**
 * Sends the person a code, which says who asks and what for. `false` where one was sent less than a
 * minute ago or those of the day are.
 */
export async function sendActingCode(
  context: ActingContext,
  caller: Caller,
  asked: { name: string; channel: Channel },
  from: Counter,
): Promise<boolean> {
  const person = await getPerson(context, caller, asked.name);
  const address = addressOf(person, asked.channel);
  const code = context.codes.make();
  if (
    !(await context.codes.renew('counter', `to ${person.id}`, context.codes.make())) ||
    !(await context.codes.renew('counter', keyOf(caller, person), code))
  )
    return false;
  const language = person.language ?? from.language;
  const { subject, text, short } = actingMessage('code', language, {
    employee: caller.fullName,
    minutes: context.config.ACTING_MINUTES,
    code,
    profile: `${context.publicUrl}/account/profile`,
  });
  await recordAudit(context.database, {
    kind: 'actingCodeSent',
    userId: person.id,
    address: from.address,
    by: caller.fullName,
  });
  if (asked.channel === 'sms') await context.sms.send(address, short);
  else await context.mail.send({ to: address, language, subject, text });
  return true;
}

/**
 * Opens a session of the person for the employee, by the person's code; the person is told in every
 * way that is proved. The reply is its token.
 */
export async function beginActing(
  context: ActingContext,
  caller: Caller,
  asked: { name: string; channel: Channel; code: string },
  from: Counter,
): Promise<string> {
  const person = await getPerson(context, caller, asked.name);
  const right = await context.codes.spend('counter', keyOf(caller, person), asked.code);
  if (!right) {
    await recordAudit(context.database, {
      kind: 'actingRefused',
      userId: person.id,
      address: from.address,
      by: caller.fullName,
    });
    throw new Refusal('VerificationCodeWrong');
  }
  const language = person.language ?? from.language;
  const told = actingMessage('began', language, {
    employee: caller.fullName,
    minutes: context.config.ACTING_MINUTES,
    profile: `${context.publicUrl}/account/profile`,
  });
  const ways = (['sms', 'email'] as const).flatMap((channel) => {
    const recipient =
      channel === 'email'
        ? person.email_verified_at && person.email
        : person.phone_verified_at && person.phone_number;
    return recipient
      ? [
          {
            kind: 'security' as const,
            channel,
            recipient,
            language,
            subject: channel === 'email' ? told.subject : '',
            body: channel === 'email' ? told.text : told.short,
            userId: person.id,
          },
        ]
      : [];
  });
  const makeToken = await context.database.transaction().execute(async (transaction) => {
    await right.consume(transaction);
    await enqueueMessages(transaction, ...ways);
    return context.sessions.beginFor(transaction, caller, person.id, {
      address: from.address,
      agent: from.agent,
    });
  });
  context.outbox.wake();
  return makeToken();
}

/** Ends the session that the caller holds for another. */
export async function endActing(
  context: Pick<ActingContext, 'database'>,
  caller: Caller,
  address: string,
): Promise<boolean> {
  const { actor } = caller;
  return (
    actor !== undefined &&
    context.database
      .transaction()
      .execute((transaction) =>
        endActingSession(transaction, caller.sessionId, actor.fullName, address),
      )
  );
}
