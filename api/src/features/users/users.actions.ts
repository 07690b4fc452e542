import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { Language } from '@diwan/contract/wire/languages';
import type { Profile } from '@diwan/contract/people/users';
import { recordAudit } from '../../platform/auth/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import { deleteOldCodes } from '../../platform/auth/verification-codes.store.ts';
import { deleteOldAttempts } from './uae-pass/identity-attempts.store.ts';
import { deleteOldLinks } from './uae-pass/identity-links.store.ts';
import { demandCode, type SecondFactorContext } from './second-factor/second-factor.actions.ts';
import type { Origin } from './sign-in/try-limits.ts';
import { deleteOldTries } from './sign-in/try-limits.store.ts';
import { findUserByUsername, getUser } from './model/users.store.ts';

// argon2id with the costs that OWASP's password storage cheat sheet asks for at least; memory in
// KiB. The algorithm is the library's default.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash that is kept of a password, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/** What somebody says to prove that an account is theirs; `code` is of the second factor. */
export interface Credentials {
  username: string;
  password: string;
  code?: string | undefined;
}

export type SignIn = (
  given: Credentials,
  origin: Origin,
) => Promise<{ token: string; device: string }>;

/**
 * Makes the sign-in of a house. It gives a token, or refuses an unknown name and a wrong password
 * alike: same words, same work, same waits. Only
 * the right password hears that a code is missing or wrong.
 */
export async function openSignIn(context: SecondFactorContext): Promise<SignIn> {
  const { database, sessions, limits } = context;
  const nobodysHash = await hashPassword(randomUUID());
  return async ({ username: typed, password, code }, origin) => {
    const username = typed.trim().toLowerCase();
    const user = await limits.tryPassword(username, origin, async () => {
      const found = await findUserByUsername(database, username);
      const isRight = await verify(found?.password_hash ?? nobodysHash, password);
      if (found?.password_hash && isRight) {
        const person = { id: found.id, username, passwordHash: found.password_hash };
        // In here, so that a code that is missing or wrong counts as a try and clears none.
        await demandCode(context, person, code, origin);
        return person;
      }
      await recordAudit(database, {
        kind: 'signInFailed',
        userId: found?.id,
        address: origin.address,
      });
      return undefined;
    });
    if (!user) throw new Refusal('WrongUsernameOrPassword');
    return {
      token: await sessions.begin(user.id, {
        address: origin.address,
        agent: origin.agent,
        passwordHash: user.passwordHash,
      }),
      device: limits.deviceOf(username),
    };
  };
}

/** Who the caller is, with company and partner in the caller's language. */
export async function readProfile(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<Profile> {
  const user = await getUser(database, caller.userId);
  return {
    username: user.username,
    fullName: user.full_name,
    email: user.email,
    phoneNumber: user.phone_number,
    roles: [...caller.roles],
    hasPassword: user.password_hash !== null,
    hasUAEPass: user.uaepass_id !== null,
    isEmailVerified: user.email_verified_at !== null,
    isPhoneVerified: user.phone_verified_at !== null,
    ...(user.company_id && user.company_name
      ? { company: { id: user.company_id, name: localize(user.company_name, language) } }
      : {}),
    ...(user.partner_id && user.partner_name
      ? { partner: { id: user.partner_id, name: localize(user.partner_name, language) } }
      : {}),
  };
}

/** Throws away what sign-ins under way and counted tries leave behind. */
export async function deleteOldIdentityData(database: Database): Promise<void> {
  await deleteOldAttempts(database);
  await deleteOldTries(database);
  await deleteOldLinks(database);
  await deleteOldCodes(database);
}
