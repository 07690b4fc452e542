import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { Channel } from '@diwan/contract/wire/channels';
import type { Language } from '@diwan/contract/wire/languages';
import { findAccounts, isAddressTaken, replaceAddress } from '../model/accounts.store.ts';
import { getUser } from '../model/users.store.ts';
import {
  sendAccountMessage,
  type AccountContext,
  type Recipient,
} from '../notifications/account-messages.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import type { LoginThrottle } from '../sign-in/login-throttle.ts';
import { reauthenticate } from '../sign-in/reauthenticate.actions.ts';
import { parseAddress } from './register.actions.ts';

// A code for an address is valid only for the account that asked for it.
const keyOf = (caller: Caller, address: string) => `${caller.userId} ${address}`;

async function deliverCode(context: AccountContext, caller: Caller, to: Recipient): Promise<void> {
  const { channel, address } = to;
  const code = context.codes.generate();
  const owners = await findAccounts(
    context.database,
    channel === 'email' ? { email: address } : { phoneNumber: address },
  );
  // The first code is never sent. It limits how often several accounts together can write to one
  // address.
  if (
    !(await context.codes.issue('contact', address, context.codes.generate())) ||
    !(await context.codes.issue('contact', keyOf(caller, address), code))
  )
    return;
  if (owners.some(({ id }) => id !== caller.userId))
    await sendAccountMessage(context, to, 'addressInUse');
  else await sendAccountMessage(context, to, 'contactCode', { code });
}

/**
 * Sends a code to an address that the caller wants to use. Where the address belongs to another
 * account, only the owner of that account learns it, by a message.
 */
export function sendContactCode(
  context: AccountContext,
  caller: Caller,
  { channel, typed, language }: { channel: Channel; typed: string; language: Language },
): void {
  const to = { channel, address: parseAddress(channel, typed), language };
  void deliverCode(context, caller, to).catch(context.report);
}

/**
 * Replaces an address of the caller by a verified one, and notifies the old address. An address can
 * reset a forgotten password, so an account with a password must confirm it.
 */
export async function changeContact(
  context: AccountContext & { throttle: LoginThrottle },
  caller: Caller,
  change: { channel: Channel; address: string; code: string; password?: string | undefined },
  from: { address: string; language: Language },
): Promise<void> {
  const { channel } = change;
  const address = parseAddress(channel, change.address);
  const { password_hash: hash } = await getUser(context.database, caller.userId);
  await reauthenticate(context.throttle, caller, hash, change.password);
  const verified = await context.codes.verify('contact', keyOf(caller, address), change.code);
  if (!verified) throw new Refusal('VerificationCodeWrong');
  await inTransaction(context.database, async (transaction) => {
    await verified.consume(transaction);
    if (await isAddressTaken(transaction, channel, address, caller.userId))
      throw new Refusal('VerificationCodeWrong');
    await recordAudit(transaction, {
      kind: 'contactChanged',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address: from.address,
      reason: channel,
    });
    const before = await replaceAddress(transaction, caller.userId, channel, address);
    const old =
      channel === 'email'
        ? before.email_verified_at && before.email
        : before.phone_verified_at && before.phone_number;
    if (old && old.toLowerCase() !== address)
      await notifyOwner(context, transaction, {
        userId: caller.userId,
        event: 'contactChanged',
        language: from.language,
        to: {
          channel,
          address: old,
        },
      });
  });
  context.outbox.wake();
}
