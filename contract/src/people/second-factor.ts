import { z } from 'zod';
import { administrators, auditReaders, defineCall, grantedRoles, signedIn } from '../wire/call.ts';

/** The roles for which a second factor can be required. */
export const factorRoles = [...grantedRoles, 'CompanyUser'] as const;
export type FactorRole = (typeof factorRoles)[number];

/**
 * The number of recovery codes in a set, and the digits of each; they are shown in groups of four.
 */
export const recoveryCodeCount = 10;
export const recoveryCodeDigits = 12;

/**
 * A code of the app (6 digits) or a recovery code (12 digits), in any digit set, with or without
 * spaces.
 */
export const factorCode = z.string().trim().min(1).max(40);
const password = z.string().max(200);

/**
 * The caller's second factor. `isRequired`: by their role. `mustSetUp`: all other calls are refused
 * until it is set up. `asksPassword`: the set-up requires the password, because this session is no
 * longer fresh. `since` is ISO 8601 in UTC.
 */
export const secondFactor = z.object({
  isSet: z.boolean(),
  isRequired: z.boolean(),
  mustSetUp: z.boolean(),
  asksPassword: z.boolean(),
  since: z.string().optional(),
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactor>;

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const getSecondFactor = defineCall({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/api/User/GetSecondFactor',
  who: signedIn,
  openTo: ['secondFactor'],
  summary: 'Whether the caller has a second factor, and must have one',
  reply: secondFactor,
  refusals: [],
});

/**
 * `secret` in base32, `uri` of the form otpauth://totp/…, as authenticator apps read it. `code` is
 * that of the current second factor, if there is one.
 */
export const beginSecondFactor = defineCall({
  name: 'beginSecondFactor',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/BeginSecondFactor',
  who: signedIn,
  openTo: ['secondFactor'],
  summary:
    'Begin to set up an authenticator app; the current one stays active until the new one is confirmed',
  body: z.object({ password: password.optional(), code: factorCode.optional() }),
  reply: z.object({ secret: z.string(), uri: z.string() }),
  refusals: ['IncorrectPassword', 'SecondFactorRequired', 'SecondFactorWrong', 'TooManyRequests'],
});

/** Only this reply shows the recovery codes. Every other session of the user ends. */
export const confirmSecondFactor = defineCall({
  name: 'confirmSecondFactor',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/ConfirmSecondFactor',
  who: signedIn,
  openTo: ['secondFactor'],
  summary: 'Confirm the authenticator app by one of its codes',
  body: z.object({ code: factorCode }),
  reply: recoveryCodes,
  refusals: ['SecondFactorNotBegun', 'SecondFactorWrong'],
});

/** An account without a password omits it. */
export const removeSecondFactor = defineCall({
  name: 'removeSecondFactor',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/RemoveSecondFactor',
  who: signedIn,
  summary: 'Remove the second factor, where no role of the caller requires it',
  body: z.object({ password: password.optional(), code: factorCode }),
  reply: z.object({ removed: z.boolean() }),
  refusals: [
    'SecondFactorRequiredByRole',
    'IncorrectPassword',
    'SecondFactorWrong',
    'TooManyRequests',
  ],
});

export const newRecoveryCodes = defineCall({
  name: 'newRecoveryCodes',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/NewRecoveryCodes',
  who: signedIn,
  summary: 'Replace the recovery codes',
  body: z.object({ code: factorCode }),
  reply: recoveryCodes,
  refusals: ['SecondFactorWrong', 'TooManyRequests'],
});

/** Refused for the caller's own second factor: `RemoveSecondFactor` is the call for that. */
export const resetSecondFactor = defineCall({
  name: 'resetSecondFactor',
  method: 'POST',
  path: '/api/User/ResetSecondFactor',
  who: administrators,
  summary: 'Remove the lost second factor of a user and end their sessions',
  body: z.object({ userId: z.uuid() }),
  reply: z.object({ reset: z.boolean() }),
  refusals: ['NotFound', 'YouAreUnauthorized'],
});

/**
 * The roles that require a second factor; `standing` counts the users of each role, and those with
 * a second factor.
 */
export const secondFactorPolicy = z.object({
  roles: z.array(z.enum(factorRoles)),
  standing: z.array(z.object({ role: z.enum(factorRoles), people: z.int(), withFactor: z.int() })),
});
export type SecondFactorPolicy = z.infer<typeof secondFactorPolicy>;

export const getSecondFactorPolicy = defineCall({
  name: 'getSecondFactorPolicy',
  method: 'GET',
  path: '/api/User/SecondFactorPolicy',
  who: auditReaders,
  summary: 'The roles that must have a second factor, and how many users have one',
  reply: secondFactorPolicy,
  refusals: [],
});

export const changeSecondFactorPolicy = defineCall({
  name: 'changeSecondFactorPolicy',
  method: 'POST',
  path: '/api/User/SecondFactorPolicy',
  who: administrators,
  summary: 'Set the roles that must have a second factor',
  body: z.object({ roles: z.array(z.enum(factorRoles)).max(factorRoles.length) }),
  reply: secondFactorPolicy,
  refusals: [],
});
