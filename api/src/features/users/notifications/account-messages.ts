import type { VerificationCodes } from '#platform/auth/verification-codes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { MailGateway } from '#platform/messages/mail.ts';
import type { SmsGateway } from '#platform/messages/sms.ts';
import type { Channel } from '@diwan/contract/wire/channels';
import type { Language } from '@diwan/contract/wire/languages';

/**
 * The dependencies of account actions. `report` receives errors that occur after the reply was
 * sent.
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

/** The address and language of a message. */
export interface Recipient {
  channel: Channel;
  address: string;
  language: Language;
}

/** A change of the security of an account. */
export type SecurityEvent =
  | 'passwordChanged'
  | 'contactChanged'
  | 'ownPasswordChanged'
  | 'identityLinked'
  | 'secondFactorSet'
  | 'secondFactorRemoved'
  | 'secondFactorReset'
  | 'recoveryCodesRenewed'
  | 'accountSuspended'
  | 'accountRestored';

type AccountMessage =
  | SecurityEvent
  | 'registerCode'
  | 'addressInUse'
  | 'passwordCode'
  | 'passwordCodeByAdmin'
  | 'onlyUAEPass'
  | 'severalAccounts'
  | 'contactCode';

// Each message has a `subject` and a `text` for mail, and a `short` text for SMS.
const t = createTranslator('account-messages');

/** Writes a message for the channel of its recipient. */
export function writeAccountMessage(
  { publicUrl }: Pick<AppContext, 'publicUrl'>,
  { channel, language }: Pick<Recipient, 'channel' | 'language'>,
  message: AccountMessage,
  values: { code?: string; username?: string } = {},
): { subject: string; body: string } {
  const all = {
    ...values,
    login: `${publicUrl}/account/login`,
    // The page opens at its second step, where the code is entered.
    forgotten: `${publicUrl}/account/forgot-password#${values.username ?? ''}`,
  };
  return channel === 'sms'
    ? { subject: '', body: t(`${message}.short`, language, all) }
    : {
        subject: t(`${message}.subject`, language, all),
        body: t(`${message}.text`, language, all),
      };
}

/**
 * Sends a message immediately and not by the outbox: a code is useless later and must not be
 * stored.
 */
export async function sendAccountMessage(
  context: AccountContext,
  to: Recipient,
  message: AccountMessage,
  values: { code?: string; username?: string } = {},
): Promise<void> {
  const { subject, body } = writeAccountMessage(context, to, message, values);
  if (to.channel === 'sms') await context.sms.send(to.address, body);
  else await context.mail.send({ to: to.address, language: to.language, subject, text: body });
}
