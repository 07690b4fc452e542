import type { Channel } from '@diwan/contract/people/accounts';
import type { Language } from '@diwan/contract/wire/languages';
import { recordAudit } from '../../../platform/auth/audit.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { tell, type AccountContext } from '../notifications/account-mail.ts';
import { findAccounts, isAddressTaken, replaceAddress } from '../model/accounts.store.ts';
import { proveOwnPassword } from '../sign-in/own-password.actions.ts';
import { addressOf } from './register.actions.ts';
import { tellOwner } from '../notifications/tell-owner.ts';
import type { TryLimits } from '../sign-in/try-limits.ts';
import { getUser } from '../model/users.store.ts';

// A code that came to an address is worth something in the account only that asked for it.
const keyOf = (caller: Caller, address: string) => `${caller.userId} ${address}`;

async function deliver(
  context: AccountContext,
  caller: Caller,
  channel: Channel,
  address: string,
  language: Language,
): Promise<void> {
  const code = context.codes.make();
  const owners = await findAccounts(
    context.database,
    channel === 'email' ? { email: address } : { phoneNumber: address },
  );
  // The first keeps many accounts together from writing to one address all day; nobody is told its
  // code.
  if (
    !(await context.codes.renew('contact', address, context.codes.make())) ||
    !(await context.codes.renew('contact', keyOf(caller, address), code))
  )
    return;
  if (owners.some(({ id }) => id !== caller.userId))
    await tell(context, { channel, address, language }, 'addressInUse');
  else await tell(context, { channel, address, language }, 'contactCode', { code });
}

/**
 * Sends a code to an address that the caller wants as theirs. Whose it is now, only its owner is
 * told.
 */
export function sendContactCode(
  context: AccountContext,
  caller: Caller,
  channel: Channel,
  typed: string,
  language: Language,
): void {
  void deliver(context, caller, channel, addressOf(channel, typed), language).catch(context.report);
}

/**
 * Puts a proved address in place of the old one, which is told. It opens a forgotten account, so
 * whoever has a password says it.
 */
export async function changeContact(
  context: AccountContext & { limits: TryLimits },
  caller: Caller,
  change: { channel: Channel; address: string; code: string; password?: string | undefined },
  from: { address: string; language: Language },
): Promise<void> {
  const { channel } = change;
  const address = addressOf(channel, change.address);
  const { password_hash: hash } = await getUser(context.database, caller.userId);
  await proveOwnPassword(context.limits, caller, hash, change.password);
  const right = await context.codes.spend('contact', keyOf(caller, address), change.code);
  if (!right) throw new Refusal('VerificationCodeWrong');
  await context.database.transaction().execute(async (transaction) => {
    await right.consume(transaction);
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
      await tellOwner(context, transaction, caller.userId, 'contactChanged', from.language, {
        channel,
        address: old,
      });
  });
  context.outbox.wake();
}
