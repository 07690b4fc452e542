import type { Language } from '@diwan/contract/wire/languages';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import { enqueueMessages } from '../../../platform/messages/message-outbox.ts';
import { fillAccountMessage, type Recipient } from './account-mail.ts';
import type { AccountMessageName } from './account-messages.ts';
import { getOwner } from '../model/accounts.store.ts';

type Told = Extract<
  AccountMessageName,
  | 'passwordChanged'
  | 'contactChanged'
  | 'ownPasswordChanged'
  | 'identityLinked'
  | 'secondFactorSet'
  | 'secondFactorRemoved'
  | 'secondFactorReset'
  | 'recoveryCodesRenewed'
>;

/**
 * Tells the owner of an account of a change of its security, in the transaction of the change: by
 * mail where the address is proved, else by SMS, or at the address
 * that is given. `language` is used where the owner has chosen none. Nobody is told who has no
 * proved address. Call `outbox.wake` after the commit.
 */
export async function tellOwner(
  { publicUrl }: Pick<AppContext, 'publicUrl'>,
  transaction: Transaction,
  userId: string,
  name: Told,
  language: Language,
  at?: Pick<Recipient, 'channel' | 'address'>,
): Promise<void> {
  const owner = await getOwner(transaction, userId);
  const email =
    owner.email_verified_at && owner.email
      ? { channel: 'email' as const, address: owner.email }
      : undefined;
  const phone =
    owner.phone_verified_at && owner.phone_number
      ? { channel: 'sms' as const, address: owner.phone_number }
      : undefined;
  const to = at ?? email ?? phone;
  if (!to) return;
  const own = owner.language ?? language;
  // Who has no password did not choose the username, and never saw it.
  const { subject, body } = fillAccountMessage({ publicUrl }, { ...to, language: own }, name, {
    username: owner.password_hash === null ? owner.email : owner.username,
  });
  await enqueueMessages(transaction, {
    kind: 'security',
    channel: to.channel,
    recipient: to.address,
    language: own,
    subject,
    body,
    userId,
  });
}
