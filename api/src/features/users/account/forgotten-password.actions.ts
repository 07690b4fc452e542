import { randomUUID } from 'node:crypto';
import type { Language } from '@diwan/contract/wire/languages';
import { newPasswordIssues, readAddress, readUsername } from '@diwan/contract/people/new-account';
import { recordAudit } from '../../../platform/auth/audit.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import { tell, type AccountContext, type Recipient } from '../notifications/account-mail.ts';
import { findAccounts, setPasswordHash, type AccountName } from '../model/accounts.store.ts';
import { unlinkIfByPassword } from '../model/identities.store.ts';
import { endOwnSessions } from '../sign-in/own-sessions.store.ts';
import { tellOwner } from '../notifications/tell-owner.ts';
import { hashPassword } from '../users.actions.ts';

type Account = Awaited<ReturnType<typeof findAccounts>>[number];

function nameOf(typed: string): AccountName {
  const email = readAddress('email', typed);
  if (email !== undefined) return { email };
  const phoneNumber = readAddress('sms', typed);
  return phoneNumber === undefined ? { username: readUsername(typed) } : { phoneNumber };
}

/**
 * The proved address of an account, the one that was asked for where one was; `undefined` without
 * any.
 */
function recipientOf(
  account: Account,
  name: AccountName,
  language: Language,
): Recipient | undefined {
  if (!('phoneNumber' in name) && account.email_verified_at && account.email)
    return { channel: 'email', address: account.email, language };
  return account.phone_verified_at && account.phone_number
    ? { channel: 'sms', address: account.phone_number, language }
    : undefined;
}

async function deliver(
  context: AccountContext,
  name: AccountName,
  language: Language,
): Promise<void> {
  const accounts = await findAccounts(context.database, name);
  const own = accounts.filter((account) => account.password_hash !== null);
  const account = own[0] ?? accounts[0];
  const to = account && recipientOf(account, name, language);
  if (!account || !to) return;
  const isOne = own.length === 1;
  const code = context.codes.make();
  // What holds no code is put under the same limits by one that nobody is told, and that belongs to
  // no account.
  if (!(await context.codes.renew('password', isOne ? account.id : `message ${to.address}`, code)))
    return;
  if (isOne) await tell(context, to, 'passwordCode', { code, username: account.username });
  else if (own.length === 0) await tell(context, to, 'onlyUAEPass');
  else
    await tell(context, to, 'severalAccounts', {
      username: own.map(({ username }) => username).join('\n'),
    });
}

/**
 * Sends a code to the owner of an account. Nobody learns whether there is one, also not by how long
 * it takes: the answer comes first.
 */
export function sendPasswordCode(context: AccountContext, typed: string, language: Language): void {
  void deliver(context, nameOf(typed), language).catch(context.report);
}

export interface PasswordReset {
  account: string;
  code: string;
  newPassword: string;
  confirmNewPassword: string;
}

function checkPassword(
  { newPassword, confirmNewPassword }: PasswordReset,
  ownWords: readonly string[],
): void {
  const issues = newPasswordIssues(newPassword, confirmNewPassword, ownWords).map((issue) => ({
    ...issue,
    field: issue.field === 'password' ? 'newPassword' : 'confirmNewPassword',
  }));
  if (issues.length > 0) throw new ValidationRefusal(issues);
}

/**
 * Sets a new password by a code, ends every session of its owner, and what a password alone has
 * linked.
 */
export async function resetPassword(
  context: AccountContext,
  reset: PasswordReset,
  caller: { address: string; language: Language },
): Promise<void> {
  checkPassword(reset, []);
  const name = nameOf(reset.account);
  const own = (await findAccounts(context.database, name)).filter(
    (account) => account.password_hash !== null,
  );
  const account = own.length === 1 ? own[0] : undefined;
  const right = await context.codes.spend('password', account?.id ?? randomUUID(), reset.code);
  if (!account || !right) {
    // Written for no account too, or the time of the answer would tell.
    await recordAudit(context.database, {
      kind: 'passwordResetFailed',
      userId: account?.id,
      address: caller.address,
    });
    throw new Refusal('VerificationCodeWrong');
  }
  // The names are judged last: before the code was right they would tell whose account it is.
  try {
    checkPassword(reset, [account.username, ...account.full_name.split(/\s+/)]);
  } catch (error) {
    await right.giveBack();
    throw error;
  }
  const hash = await hashPassword(reset.newPassword);
  const to = recipientOf(account, name, caller.language);
  await context.database.transaction().execute(async (transaction) => {
    await right.consume(transaction);
    if (!(await setPasswordHash(transaction, account.id, hash)))
      throw new Refusal('VerificationCodeWrong');
    await recordAudit(transaction, {
      kind: 'passwordReset',
      userId: account.id,
      address: caller.address,
    });
    // Whoever had the old password may have linked an identity of their own.
    if (await unlinkIfByPassword(transaction, account.id))
      await recordAudit(transaction, {
        kind: 'accountUnlinked',
        userId: account.id,
        address: caller.address,
        reason: 'passwordReset',
      });
    await endOwnSessions(transaction, account.id, {
      reason: 'passwordReset',
      address: caller.address,
    });
    if (to)
      await tellOwner(context, transaction, account.id, 'passwordChanged', caller.language, to);
  });
  context.outbox.wake();
}
