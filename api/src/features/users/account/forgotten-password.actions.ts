import { randomUUID } from 'node:crypto';
import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { codeGapSeconds } from '@diwan/contract/people/accounts';
import {
  findNewPasswordIssues,
  findContactAddress,
  normalizeUsername,
} from '@diwan/contract/people/new-account';
import type { Language } from '@diwan/contract/wire/languages';
import { findAccounts, setPasswordHash, type AccountIdentifier } from '../model/accounts.store.ts';
import { unlinkIfLinkedByPassword } from '../model/identities.store.ts';
import {
  sendAccountMessage,
  type AccountContext,
  type Recipient,
} from '../notifications/account-messages.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import { endOwnSessions } from '../sign-in/own-sessions.store.ts';

type Account = Awaited<ReturnType<typeof findAccounts>>[number];

function parseIdentifier(typed: string): AccountIdentifier {
  const email = findContactAddress('email', typed);
  if (email !== undefined) return { email };
  const phoneNumber = findContactAddress('sms', typed);
  return phoneNumber === undefined ? { username: normalizeUsername(typed) } : { phoneNumber };
}

/** The verified address that the caller named, else the verified mobile number, if any. */
function recipientOf(
  account: Account,
  name: AccountIdentifier,
  language: Language,
): Recipient | undefined {
  if (!('phoneNumber' in name) && account.email_verified_at && account.email)
    return { channel: 'email', address: account.email, language };
  return account.phone_verified_at && account.phone_number
    ? { channel: 'sms', address: account.phone_number, language }
    : undefined;
}

async function deliverCode(
  context: AccountContext,
  name: AccountIdentifier,
  language: Language,
): Promise<void> {
  const accounts = await findAccounts(context.database, name);
  const own = accounts.filter((account) => account.password_hash !== null);
  const account = own[0] ?? accounts[0];
  const to = account && recipientOf(account, name, language);
  if (!account || !to) return;
  const isOne = own.length === 1;
  const code = context.codes.generate();
  // A message without a code counts against the same limits: its code belongs to no account and is
  // never sent.
  if (!(await context.codes.issue('password', isOne ? account.id : `message ${to.address}`, code)))
    return;
  if (isOne)
    await sendAccountMessage(context, to, 'passwordCode', { code, username: account.username });
  else if (own.length === 0) await sendAccountMessage(context, to, 'onlyUAEPass');
  else
    await sendAccountMessage(context, to, 'severalAccounts', {
      username: own.map(({ username }) => username).join('\n'),
    });
}

/**
 * Sends a code to the owner of an account. The reply comes first, so neither its content nor its
 * time shows whether there is an account.
 */
export function sendPasswordCode(context: AccountContext, typed: string, language: Language): void {
  void deliverCode(context, parseIdentifier(typed), language).catch(context.report);
}

/**
 * Sends an account the code of a forgotten password for an admin, in the owner's language. Throws
 * PasswordCodeNotPossible for an account without a password or a verified address, TooManyRequests
 * and MailUnreachable.
 */
export async function sendPasswordCodeOf(
  context: AccountContext,
  account: Account & { language: Language | null },
): Promise<void> {
  const to = recipientOf(account, { username: account.username }, account.language ?? 'ar-EG');
  if (!account.password_hash || !to) throw new Refusal('PasswordCodeNotPossible');
  const code = context.codes.generate();
  if (!(await context.codes.issue('password', account.id, code)))
    throw new Refusal('TooManyRequests', { retryAfter: codeGapSeconds });
  await sendAccountMessage(context, to, 'passwordCodeByAdmin', {
    code,
    username: account.username,
  }).catch((error: unknown) => {
    context.report(error);
    throw new Refusal('MailUnreachable');
  });
}

interface PasswordReset {
  account: string;
  code: string;
  newPassword: string;
  confirmNewPassword: string;
}

function checkPassword(
  { newPassword, confirmNewPassword }: PasswordReset,
  ownWords: readonly string[],
): void {
  const issues = findNewPasswordIssues(newPassword, confirmNewPassword, ownWords).map((issue) => ({
    ...issue,
    field: issue.field === 'password' ? 'newPassword' : 'confirmNewPassword',
  }));
  if (issues.length > 0) throw new ValidationRefusal(issues);
}

/**
 * Sets a new password by a code, ends every session of the owner, and unlinks a UAE PASS identity
 * that was linked with a password alone.
 */
export async function resetPassword(
  context: AccountContext,
  reset: PasswordReset,
  caller: { address: string; language: Language },
): Promise<void> {
  checkPassword(reset, []);
  const name = parseIdentifier(reset.account);
  const own = (await findAccounts(context.database, name)).filter(
    (account) => account.password_hash !== null,
  );
  const account = own.length === 1 ? own[0] : undefined;
  const verified = await context.codes.verify('password', account?.id ?? randomUUID(), reset.code);
  if (!account || !verified) {
    // Also without an account: otherwise the time of the reply would show whether there is one.
    await recordAudit(context.database, {
      kind: 'passwordResetFailed',
      userId: account?.id,
      address: caller.address,
    });
    throw new Refusal('VerificationCodeWrong');
  }
  // The names are checked last: before the code is verified they would show whose account it is.
  try {
    checkPassword(reset, [account.username, ...account.full_name.split(/\s+/)]);
  } catch (error) {
    await verified.restoreAttempts();
    throw error;
  }
  const hash = await hashPassword(reset.newPassword);
  const to = recipientOf(account, name, caller.language);
  await inTransaction(context.database, async (transaction) => {
    await verified.consume(transaction);
    if (!(await setPasswordHash(transaction, account.id, hash)))
      throw new Refusal('VerificationCodeWrong');
    await recordAudit(transaction, {
      kind: 'passwordReset',
      userId: account.id,
      address: caller.address,
    });
    // A person who knew the old password may have linked their own identity.
    if (await unlinkIfLinkedByPassword(transaction, account.id))
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
      await notifyOwner(context, transaction, {
        userId: account.id,
        event: 'passwordChanged',
        language: caller.language,
        to,
      });
  });
  context.outbox.wake();
  await announceAccessChange(context.database, account.id);
}
