import type { Transaction } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type { Language } from '@diwan/contract/wire/languages';
import { getOwner } from '../model/accounts.store.ts';
import { writeAccountMessage, type Recipient, type SecurityEvent } from './account-messages.ts';

/**
 * Notifies the owner of an account of a change of its security, in the transaction of the change.
 * The message goes to `to`, else to the verified e-mail address, else by SMS to the verified mobile
 * number; an owner without a verified address gets none. `language` applies where the owner has
 * chosen none. Call `outbox.wake` after the commit.
 */
export async function notifyOwner(
  context: Pick<AppContext, 'publicUrl'>,
  transaction: Transaction,
  {
    userId,
    event,
    language,
    to,
  }: {
    userId: string;
    event: SecurityEvent;
    language: Language;
    to?: Pick<Recipient, 'channel' | 'address'> | undefined;
  },
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
  const recipient = to ?? email ?? phone;
  if (!recipient) return;
  const { channel, address } = recipient;
  const ownLanguage = owner.language ?? language;
  const { subject, body } = writeAccountMessage(
    context,
    { channel, language: ownLanguage },
    event,
    // An owner without a password has never seen the generated username.
    { username: owner.password_hash === null ? owner.email : owner.username },
  );
  await enqueueMessages(transaction, {
    kind: 'security',
    channel,
    recipient: address,
    language: ownLanguage,
    subject,
    body,
    userId,
  });
}
