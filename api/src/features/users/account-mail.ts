import type { Channel } from '@diwan/contract/accounts';
import type { Language } from '@diwan/contract/languages';
import type { House } from '../../platform/house.ts';
import type { MailGateway } from '../../platform/mail.ts';
import type { SmsGateway } from '../../platform/sms.ts';
import type { VerificationCodes } from '../../platform/verification-codes.ts';
import { accountMessage, type AccountMessageName } from './account-messages.ts';

/** What accounts need: the house, codes, and how people are reached. `report` hears of what went wrong after the answer was given. */
export interface AccountHouse extends Pick<House, 'database' | 'sessions' | 'config' | 'publicUrl'> {
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

/** Sends one of the messages of accounts. */
export async function tell(house: AccountHouse, to: Recipient, name: AccountMessageName, figures: { code?: string; username?: string } = {}): Promise<void> {
  const { subject, text, short } = accountMessage(name);
  const all: Record<string, string> = { ...figures, login: `${house.publicUrl}/account/login` };
  const fill = (words: string) => words.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => all[key] ?? whole);
  if (to.channel === 'sms') await house.sms.send(to.address, fill(short[to.language]));
  else await house.mail.send({ to: to.address, language: to.language, subject: fill(subject[to.language]), text: fill(text[to.language]) });
}
