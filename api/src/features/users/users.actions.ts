import { randomUUID } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { recordAudit } from '#platform/auth/audit.store.ts';
import { isPortalStaff, limitedAgencies, type Caller } from '#platform/auth/caller.ts';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { deleteOldCodes } from '#platform/auth/verification-codes.store.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { PersonFacts } from '@diwan/contract/catalogue/eligibility';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import type { Profile } from '@diwan/contract/people/users';
import type { Language } from '@diwan/contract/wire/languages';
import {
  findIdentityColumns,
  findUserByUsername,
  getUser,
  updateLanguage,
} from './model/users.store.ts';
import {
  requireSecondFactor,
  type SecondFactorContext,
} from './second-factor/second-factor.actions.ts';
import { deleteOldLoginAttempts } from './sign-in/login-throttle.store.ts';
import type { Origin } from './sign-in/login-throttle.ts';
import { deleteOldIdentityAttempts } from './uae-pass/identity-attempts.store.ts';
import { deleteOldLinks } from './uae-pass/identity-links.store.ts';

/** The credentials of a sign-in; `code` is of the second factor. */
export interface Credentials {
  username: string;
  password: string;
  code?: string | undefined;
}

export type SignIn = (
  given: Credentials,
  origin: Origin,
) => Promise<{ token: string; device: string }>;

/** The id of the user with a username, in the form of `normalizeUsername`. */
export const findUserId = async (
  database: Database,
  username: string,
): Promise<string | undefined> => (await findUserByUsername(database, username))?.id;

/**
 * Opens the sign-in. An unknown username and a wrong password get the same error after the same
 * work and the same waits. Only a correct password learns that a code is missing or wrong.
 */
export async function openSignIn(context: SecondFactorContext): Promise<SignIn> {
  const { database, sessions, throttle: limits } = context;
  const decoyHash = await hashPassword(randomUUID());
  return async ({ username: typed, password, code }, origin) => {
    const username = normalizeUsername(typed);
    let userId: string | undefined;
    const user = await limits.tryPassword(username, origin, async () => {
      const found = await findUserByUsername(database, username);
      userId = found?.id;
      const isRight = await verify(found?.password_hash ?? decoyHash, password);
      if (found?.password_hash && isRight) {
        const person = { id: found.id, username, passwordHash: found.password_hash };
        // Inside of the attempt, so that a missing or wrong code counts as a failure and does not
        // reset the count.
        // guard: second factor at sign-in (second-factor)
        await requireSecondFactor(context, person, code, origin);
        return person;
      }
      return undefined;
    });
    if (!user) {
      // After the attempt, which stays counted when this fails.
      await recordAudit(database, { kind: 'signInFailed', userId, address: origin.address });
      throw new Refusal('WrongUsernameOrPassword');
    }
    return {
      token: await sessions.create(user.id, {
        address: origin.address,
        agent: origin.agent,
        passwordHash: user.passwordHash,
      }),
      device: limits.createDeviceToken(username),
    };
  };
}

/** The profile of the caller, with company and partner in the caller's language. */
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
    ...(isPortalStaff(caller)
      ? {
          allAgencies: user.all_agencies,
          agencies: user.agencies.map(({ id, name }) => ({ id, name: localize(name, language) })),
          readsUrgently: user.reads_urgently,
          limitedAgencyIds: limitedAgencies(caller).map(({ agencyId }) => agencyId),
          teams: user.teams,
        }
      : {}),
  };
}

/**
 * The known facts about a person: the kind of account, and what UAE PASS or a verified Emirates ID
 * says.
 */
export async function getIdentityProfile(
  database: Database | Transaction,
  caller: Caller,
): Promise<PersonFacts> {
  const isCompany = caller.roles.includes('CompanyUser') && caller.companyId !== null;
  const row = await findIdentityColumns(database, caller.userId);
  // An Emirates ID is 784, then the year of birth.
  const birthYear = /^784-?(\d{4})/.exec(row?.emirates_id ?? '')?.[1];
  return {
    account: isCompany ? 'company' : 'individual',
    nationality: row?.nationality ?? undefined,
    birthYear: birthYear === undefined ? undefined : Number(birthYear),
    hasTradeLicence: isCompany && row?.licence_number ? true : undefined,
  };
}

/**
 * Stores the language of a supervisor, which the next token carries. Throws YouAreUnauthorized for
 * another user's.
 */
export async function changeSupervisorLanguage(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  supervisorId: string,
  language: Language,
): Promise<void> {
  // guard: language of another supervisor (supervisor-language)
  if (supervisorId !== caller.userId) throw new Refusal('YouAreUnauthorized');
  await updateLanguage(database, caller.userId, language);
}

/** Deletes old sign-in attempts, pending identity links and verification codes. */
export async function deleteOldIdentityData(database: Database): Promise<void> {
  await deleteOldIdentityAttempts(database);
  await deleteOldLoginAttempts(database);
  await deleteOldLinks(database);
  await deleteOldCodes(database);
}
