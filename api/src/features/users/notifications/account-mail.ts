import type { Channel } from '@diwan/contract/people/accounts';
import type { Language } from '@diwan/contract/wire/languages';
import type { AppContext } from '../../../platform/http/context.ts';
import { fillPlaces } from '../../../platform/core/message-fill.ts';
import type { MailGateway } from '../../../platform/messages/mail.ts';
import type { SmsGateway } from '../../../platform/messages/sms.ts';
import type { VerificationCodes } from '../../../platform/auth/verification-codes.ts';
import { accountMessage, type AccountMessageName } from './account-messages.ts';

/**
 * What accounts need: the house, codes, and how people are reached. `report` hears of what went
 * wrong after the answer was given.
 */
export interface AccountContext extends Pick<
  AppContext,
  'database' | 'sessions' | 'config' | 'publicUrl' | 'outbox'
> {
  codes: VerificationCodes;
  mail: MailGateway;
  sms: SmsGateway;
  report: (error: unknown) => void;
}

/** Where a message goes and in which language. */
export interface Recipient {
  channel: Channel;
  address: string;
  language: Language;
}

type Figures = { code?: string; username?: string };

/** One of the messages of accounts in the form of its way. */
export function fillAccountMessage(
  { publicUrl }: Pick<AppContext, 'publicUrl'>,
  { channel, language }: Recipient,
  name: AccountMessageName,
  figures: Figures,
): { subject: string; body: string } {
  const { subject, text, short } = accountMessage(name);
  const all = { ...figures, login: `${publicUrl}/account/login` };
  return channel === 'sms'
    ? { subject: '', body: fillPlaces(short[language], all) }
    : { subject: fillPlaces(subject[language], all), body: fillPlaces(text[language], all) };
}

/**
 * Sends one of the messages of accounts at once: one with a code is worth nothing later, and is
 * written down nowhere.
 */
export async function tell(
  context: AccountContext,
  to: Recipient,
  name: AccountMessageName,
  figures: Figures = {},
): Promise<void> {
  const { subject, body } = fillAccountMessage(context, to, name, figures);
  if (to.channel === 'sms') await context.sms.send(to.address, body);
  else await context.mail.send({ to: to.address, language: to.language, subject, text: body });
}
