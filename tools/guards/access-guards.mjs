// Who may come in: file references, callers, sessions, codes, passwords, acting for a person.
import { at } from './guard.mjs';

const http = at('platform/http');
const auth = at('platform/auth');
const users = at('features/users');
const requests = at('features/requests');

const sessionTest = 'platform/auth/sessions';
const codesTest = 'features/users/account/register';
const actingTest = 'features/users/acting/acting';
const identityTest = 'features/users/uae-pass/uae-pass';
const linkTest = 'features/users/uae-pass/link-account';
const factorTest = 'features/users/second-factor/second-factor';
const referencesTest = 'platform/auth/signed-references';

export const accessGuards = [
  // The signature was noticed by no test in the review of 2026-11-22: it comes first.
  auth(
    'signature of a file reference',
    'signed-references.ts',
    referencesTest,
    '|| !timingSafeEqual(given, expected)',
  ),
  auth(
    'owner of a file reference',
    'signed-references.ts',
    referencesTest,
    'owner === userId && until',
    'until',
  ),
  auth(
    'expiry of a file reference',
    'signed-references.ts',
    referencesTest,
    '&& until * 1000 > Date.now()',
  ),
  auth(
    'signature of an encrypted token',
    'encrypted-token.ts',
    'platform/auth/encrypted-token',
    'decipher.final(),',
  ),

  // Callers
  http(
    'role of the caller',
    'serve.ts',
    'features/users/admin/user-lists',
    `if (!caller.roles.some((role) => call.who.includes(role)))
      throw new Refusal('YouAreUnauthorized');`,
  ),
  http(
    'restriction of the caller',
    'serve.ts',
    factorTest,
    'if (restriction && !openTo?.includes(restriction)) return restrictionRefusals[restriction];',
  ),
  http(
    'calls while acting for a person',
    'serve.ts',
    actingTest,
    "return actor && !callsWhileActing.has(name) ? 'NotWhileActing' : undefined;",
    'return undefined;',
  ),
  http(
    'limit of calls a minute',
    'serve.ts',
    'features/users/users',
    'if (!perMinute) return',
    'return',
  ),

  http(
    'token of the metrics',
    'metrics.ts',
    'platform/http/metrics',
    'if (token !== undefined && !isBearer(token, request.headers.authorization))',
    'if (false)',
  ),
  http(
    'metrics for strangers',
    'metrics.ts',
    'platform/http/metrics',
    'if (token !== undefined || !isExposed(config)) server.get',
    'server.get',
  ),

  // Sessions
  auth(
    'suspended account at sign-in',
    'sessions.ts',
    identityTest,
    'if (!user || user.suspended_at) return undefined;',
    'if (!user) return undefined;',
  ),
  auth(
    'password that changed during the sign-in',
    'sessions.ts',
    sessionTest,
    `if (passwordHash !== undefined && user.password_hash !== passwordHash)
      throw new Refusal('WrongUsernameOrPassword');`,
  ),
  auth(
    'identity that changed during the sign-in',
    'sessions.ts',
    [sessionTest, linkTest],
    `if (identity !== undefined && user.uaepass_id !== identity)
      throw new Refusal('IdentityNotConfirmed');`,
  ),
  auth(
    'ended session',
    'find-caller.ts',
    sessionTest,
    ".where('sessions.ended_at', 'is', null) .where('users.suspended_at', 'is', null)",
    ".where('users.suspended_at', 'is', null)",
  ),
  auth(
    'age of a session',
    'session-use.ts',
    sessionTest,
    'session.created_at.getTime() + config.SESSION_SECONDS * 1000 > Date.now() &&',
  ),
  auth(
    'end of acting',
    'session-use.ts',
    actingTest,
    '&& (session.acts_until?.getTime() ?? Infinity) > Date.now()',
  ),
  auth(
    'idle session',
    'find-caller.ts',
    'platform/auth/idle-sessions',
    'if (isIdle(context, { usedAt: row.used_at, roles: row.roles, isActing })) return undefined;',
  ),
  auth(
    'role of the employee who acts',
    'find-caller.ts',
    actingTest,
    "&& (row.actorRoles ?? []).some((role) => role === 'Employee' || role === 'Admin')",
  ),
  auth(
    'own session of the employee who acts',
    'find-caller.ts',
    actingTest,
    'row.ownEndedAt === null &&',
  ),
  auth(
    'account of the employee who acts',
    'find-caller.ts',
    actingTest,
    'row.actorSuspendedAt === null &&',
  ),
  auth(
    'second use of a token',
    'session-use.ts',
    sessionTest,
    'session.previous_token_id === claims.jti && session.rotated_at.getTime() + reuseGraceMs > Date.now()',
    'true',
  ),

  // Codes
  auth(
    'comparison of a code',
    'verification-codes.ts',
    codesTest,
    'timingSafeEqual(Buffer.from(expected), Buffer.from(given))',
    'true',
  ),
  auth(
    'attempts of a code',
    'verification-codes.store.ts',
    codesTest,
    ".where('attempts', '<', maximumAttempts)",
  ),
  auth(
    'expiry of a code',
    'verification-codes.store.ts',
    [codesTest, 'features/requests/lists/inquire'],
    ".where('expires_at', '>', now) .where('attempts', '<', maximumAttempts)",
    ".where('attempts', '<', maximumAttempts)",
  ),
  auth(
    'codes of an address in a day',
    'verification-codes.store.ts',
    'platform/auth/verification-codes',
    "eb.or([isNewDay, eb('verification_codes.sent', '<', maximumPerDay)])",
    'eb.or([isNewDay, eb.not(isNewDay)])',
  ),
  auth(
    'codes of a network in a day',
    'verification-codes.ts',
    ['features/users/account/forgotten-password', codesTest],
    "if (count > perDayAndNetwork) throw new Refusal('TooManyRequests', { retryAfter: 3600 });",
  ),
  requests(
    'code of a visitor who inquires by mobile number',
    'lists/inquire.actions.ts',
    'features/requests/lists/inquire',
    "if (!(await codes.check('inquiry', phoneNumber, code, now()))) throw new Refusal('VerificationCodeWrong');",
  ),

  // Passwords, second factor, UAE PASS
  users(
    'wait after wrong passwords',
    'sign-in/login-throttle.ts',
    'features/users/sign-in/login-throttle',
    'if (number !== false) return number;',
    'return Number(number);',
  ),
  users(
    'signature of a known browser',
    'sign-in/login-throttle.ts',
    'features/users/sign-in/login-throttle',
    'id && given.length === expected.length && timingSafeEqual(given, expected)',
    'id',
  ),
  users(
    'password of a signed-in person',
    'sign-in/reauthenticate.actions.ts',
    ['features/users/account/own-account', factorTest],
    "if (!isRight) throw new Refusal('IncorrectPassword');",
  ),
  users(
    'second factor at sign-in',
    'users.actions.ts',
    factorTest,
    'await requireSecondFactor(context, person, code, origin);',
  ),
  users(
    'second use of a second factor',
    'second-factor/second-factor.store.ts',
    factorTest,
    ".where('last_step', '<', step) .executeTakeFirstOrThrow(); return numUpdatedRows > 0n; } /** * Consumes",
    '.executeTakeFirstOrThrow(); return numUpdatedRows > 0n; } /** * Consumes',
  ),
  users(
    'second use of a recovery code',
    'second-factor/second-factor.store.ts',
    factorTest,
    ".where('code_hash', 'in', hashes) .where('used_at', 'is', null)",
    ".where('code_hash', 'in', hashes)",
  ),
  users(
    'second factor that the role requires',
    'second-factor/second-factor.actions.ts',
    factorTest,
    "if (await isRequiredOf(context, caller)) throw new Refusal('SecondFactorRequiredByRole');",
  ),
  users(
    'own second factor of an admin',
    'second-factor/second-factor-policy.actions.ts',
    factorTest,
    "if (userId === caller.userId) throw new Refusal('YouAreUnauthorized');",
  ),
  users(
    'browser that began a sign-in',
    'uae-pass/identity-attempts.store.ts',
    identityTest,
    'and browser_hash = ${hashOf(browser)}',
  ),
  users(
    'age of a sign-in',
    'uae-pass/identity-attempts.store.ts',
    identityTest,
    'and created_at > now() - make_interval(mins => ${attemptMinutes})',
  ),
  users(
    'identity that has an owner',
    'uae-pass/link-account.actions.ts',
    linkTest,
    "if (owner) throw new Refusal('IdentityNotConfirmed');",
  ),
  users(
    'restriction of a linked account',
    'uae-pass/link-account.actions.ts',
    linkTest,
    "if (!caller || caller.restriction) throw new Refusal('LinkNotPossible');",
    "if (!caller) throw new Refusal('LinkNotPossible');",
  ),
  users(
    'other identity of a linked account',
    'uae-pass/link-account.actions.ts',
    linkTest,
    'account.uaepass_id || (account.emirates_id && account.emirates_id !== identity.emiratesId)',
    'false',
  ),
  users(
    'language of another supervisor',
    'users.actions.ts',
    'features/users/account/supervisor-language',
    "if (supervisorId !== caller.userId) throw new Refusal('YouAreUnauthorized');",
  ),

  // Acting for a person
  users(
    'acting for staff',
    'acting/acting.actions.ts',
    actingTest,
    "|| person.roles.some((role) => role !== 'CompanyUser' && role !== 'Client')",
  ),
  users(
    'acting for a suspended account',
    'acting/acting.store.ts',
    actingTest,
    ".where('suspended_at', 'is', null) .where(({ or, eb, and }) =>",
    '.where(({ or, eb, and }) =>',
  ),
];
