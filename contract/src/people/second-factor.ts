import { z } from 'zod';
import { defineCall, roles, signedIn } from '../wire/call.ts';

/** The roles of which a second factor can be required. */
export const factorRoles = [
  'Admin',
  'Employee',
  'ServiceProvider',
  'CompanyUser',
] as const satisfies readonly (typeof roles)[number][];
export type FactorRole = (typeof factorRoles)[number];

/** How many recovery codes a set has, and the digits of each; they are shown in groups of four. */
export const recoveryCodeCount = 10;
export const recoveryCodeDigits = 12;

/** A code of the app (6 digits) or a recovery code (12), in any digits, with spaces or not. */
export const factorCode = z.string().trim().min(1).max(40);
const password = z.string().max(200);

/**
 * The caller's second factor. `isRequired`: by their role. `mustSetUp`: they can do nothing else
 * until they have one. `asksPassword`: to begin, the password
 * is wanted, because this session is no longer fresh. Time is ISO 8601 in UTC.
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
 * of the factor that there is.
 */
export const beginSecondFactor = defineCall({
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/api/User/BeginSecondFactor',
  who: signedIn,
  openTo: ['secondFactor'],
  summary:
    'Begin to set up an authenticator app; one that is set up already stays until the new one is confirmed',
  body: z.object({ password: password.optional(), code: factorCode.optional() }),
  reply: z.object({ secret: z.string(), uri: z.string() }),
  refusals: ['IncorrectPassword', 'SecondFactorRequired', 'SecondFactorWrong', 'TooManyRequests'],
});

/**
 * The reply is the only time that recovery codes are told. Every other session of the person ends.
 */
export const confirmSecondFactor = defineCall({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/User/ConfirmSecondFactor',
  who: signedIn,
  openTo: ['secondFactor'],
  summary: 'Set the authenticator app up by a code of it',
  body: z.object({ code: factorCode }),
  reply: recoveryCodes,
  refusals: ['SecondFactorNotBegun', 'SecondFactorWrong'],
});

/** An account without a password leaves it empty. */
export const removeSecondFactor = defineCall({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/api/User/RemoveSecondFactor',
  who: signedIn,
  summary: 'Do without the second factor, where no role of the caller requires it',
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
  path: '/api/User/NewRecoveryCodes',
  who: signedIn,
  summary: 'Other recovery codes in place of those that there are',
  body: z.object({ code: factorCode }),
  reply: recoveryCodes,
  refusals: ['SecondFactorWrong', 'TooManyRequests'],
});

/** Not the own one: whoever can sign in does without it by `RemoveSecondFactor`. */
export const resetSecondFactor = defineCall({
  name: 'resetSecondFactor',
  method: 'POST',
  path: '/api/User/ResetSecondFactor',
  who: ['Admin'],
  summary: 'Take a lost second factor off somebody and end their sessions',
  body: z.object({ userId: z.uuid() }),
  reply: z.object({ reset: z.boolean() }),
  refusals: ['NotFound', 'YouAreUnauthorized'],
});

/** How many people hold each role, and how many of them have a second factor. */
export const secondFactorPolicy = z.object({
  roles: z.array(z.enum(factorRoles)),
  standing: z.array(z.object({ role: z.enum(factorRoles), people: z.int(), withFactor: z.int() })),
});
export type SecondFactorPolicy = z.infer<typeof secondFactorPolicy>;

export const getSecondFactorPolicy = defineCall({
  name: 'getSecondFactorPolicy',
  method: 'GET',
  path: '/api/User/SecondFactorPolicy',
  who: ['Admin'],
  summary: 'The roles that must have a second factor, and who has one',
  reply: secondFactorPolicy,
  refusals: [],
});

export const changeSecondFactorPolicy = defineCall({
  name: 'changeSecondFactorPolicy',
  method: 'POST',
  path: '/api/User/SecondFactorPolicy',
  who: ['Admin'],
  summary: 'Decide which roles must have a second factor, from now on',
  body: z.object({ roles: z.array(z.enum(factorRoles)).max(factorRoles.length) }),
  reply: secondFactorPolicy,
  refusals: [],
});
