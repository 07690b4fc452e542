import { createHash } from 'node:crypto';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { isSameSecret } from '#platform/core/same-secret.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { checkNewAccount, type AccountDetails } from '@diwan/contract/people/new-account';
import { createUser } from '../model/create-user.actions.ts';
import { deleteSecret, hasAdmin, makeAdmin } from './setup.store.ts';

const secretName = 'setup-code';
// Without letters and digits that look alike.
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const codeLength = 16;

// Sixteen letters have 78 bits.
function makeCode(secret: string): string {
  const letters = [...createHash('sha512').update(secret).digest()].map(
    (byte) => alphabet[byte % alphabet.length],
  );
  return letters
    .slice(0, codeLength)
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');
}

/** Whether two codes are equal, in a time that reveals nothing; spaces, dashes and case do not matter. */
function isSameCode(given: string, expected: string): boolean {
  const plain = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return isSameSecret(plain(given), plain(expected));
}

/** The code of all processes on this database; `undefined` once there is an administrator. */
export async function findSetupCode(database: Database | Transaction): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined;
  return makeCode(await getOrCreateSecret(database, secretName));
}

/** Whether the portal still needs its first administrator. */
export const isSetupOpen = async (database: Database): Promise<boolean> =>
  !(await hasAdmin(database));

/**
 * Creates an administrator and returns the user's id; the setup is closed from then on. Throws
 * UsernameTaken, or a ValidationRefusal.
 */
export async function createAdmin(
  transaction: Transaction,
  details: AccountDetails,
): Promise<string> {
  const { values, issues } = checkNewAccount(details);
  if (issues.length > 0) throw new ValidationRefusal(issues);
  const passwordHash = await hashPassword(details.password);
  const userId = await createUser(transaction, {
    ...values,
    passwordHash,
    // Nothing was sent to the addresses that were typed.
    verifiedChannel: undefined,
  });
  await makeAdmin(transaction, userId);
  await deleteSecret(transaction, secretName);
  return userId;
}

/**
 * Creates the first administrator with the code that the server printed, once. Throws SetupClosed,
 * SetupCodeWrong, UsernameTaken, or a ValidationRefusal.
 */
export async function setUpPortal(
  database: Database,
  { code, ...details }: AccountDetails & { code: string },
): Promise<string> {
  return inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'setup of the portal');
    const expected = await findSetupCode(transaction);
    if (expected === undefined) throw new Refusal('SetupClosed');
    if (!isSameCode(code, expected)) throw new Refusal('SetupCodeWrong');
    return createAdmin(transaction, details);
  });
}
