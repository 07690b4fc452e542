import { z } from 'zod';
import { defineCall, roles, signedIn } from './call.ts';

/** The claims of a session token. Source: specification §3. `role` is a single value or a list. */
export const sessionClaims = z.object({
  ssid: z.string(),
  displayName: z.string(),
  fullName: z.string(),
  role: z.union([z.enum(roles), z.array(z.enum(roles))]).optional(),
  partnerId: z.int().optional(),
  companyId: z.int().optional(),
  phoneNumber: z.string().optional(),
  email: z.string().optional(),
  isServiceProvider: z.boolean(),
  /** Signed in by UAE PASS. */
  isUAEPass: z.boolean().optional(),
  exp: z.int(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

export const login = defineCall({
  name: 'login', method: 'POST', path: '/api/User/Login', who: 'anyone',
  summary: 'Sign in with username and password',
  body: z.object({ username: z.string().trim().min(1).max(200), password: z.string().min(1).max(200) }),
  reply: z.object({ token: z.string() }),
  refusals: ['WrongUsernameOrPassword', 'TooManyRequests'],
});

export const refreshToken = defineCall({
  name: 'refreshToken', method: 'POST', path: '/api/User/refreshToken', who: 'anyone',
  summary: 'Exchange the old token, expired or not, for a new one',
  body: z.object({ token: z.string().min(1).max(4000) }),
  reply: z.string(),
  refusals: ['SessionEnded', 'TooManyRequests'],
});

export const logout = defineCall({
  name: 'logout', method: 'POST', path: '/api/User/Logout', who: 'anyone',
  summary: 'End the session of the token that is sent; nothing happens when there is none',
  reply: z.object({ ended: z.boolean() }),
  refusals: [],
});

/** Whether people can sign in with UAE PASS here. Source: specification §7. */
export const checkUAEPassEnabled = defineCall({
  name: 'checkUAEPassEnabled', method: 'GET', path: '/api/User/CheckUAEPassEnabled', who: 'anyone',
  summary: 'Whether UAE PASS is set up', reply: z.object({ isEnabled: z.boolean() }), refusals: [],
});

/** A link of the browser, not a fetch: it binds the sign-in to this browser and leads to UAE PASS with redirect uri, acr value and ui_locales. */
export const beginUAEPass = defineCall({
  name: 'beginUAEPass', method: 'GET', path: '/api/User/BeginUAEPass', who: 'anyone',
  summary: 'Lead the browser to UAE PASS', query: z.object({ ui_locales: z.enum(['ar', 'en']).default('ar') }), reply: 'redirect', refusals: ['TooManyRequests'],
});

/** The spelling is the specification's. Takes a code once, in the browser that began. */
export const uaePassIntegration = defineCall({
  name: 'uaePassIntegration', method: 'GET', path: '/api/User/UeaPassInegration', who: 'anyone',
  summary: 'Exchange the code that UAE PASS sent back for a session token',
  query: z.object({ code: z.string().min(1).max(2000), state: z.string().min(1).max(2000) }),
  reply: z.object({ token: z.string() }), refusals: ['IdentityNotConfirmed', 'IdentityNotVerified', 'IdentityProviderUnreachable', 'TooManyRequests'],
});

/** `IncorrectPassword` belongs under the old password (specification §8); what is wrong with the new one comes by field. */
export const changeUserPassword = defineCall({
  name: 'changeUserPassword', method: 'POST', path: '/api/User/ChangeUserPassword', who: signedIn,
  summary: 'Change the own password; every other session of the person ends',
  body: z.object({ oldPassword: z.string().max(200), newPassword: z.string().max(200), confirmNewPassword: z.string().max(200) }),
  reply: z.object({ changed: z.boolean() }), refusals: ['IncorrectPassword', 'TooManyRequests'],
});

const named = z.object({ id: z.int(), name: z.string() });

/** Who the caller is. `company` and `partner` are named in the caller's language; `hasPassword` is false for who signs in with UAE PASS only. */
export const profile = z.object({
  username: z.string(), fullName: z.string(), email: z.string(), phoneNumber: z.string(), roles: z.array(z.enum(roles)),
  company: named.optional(), partner: named.optional(), hasPassword: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

export const getProfile = defineCall({
  name: 'getProfile', method: 'GET', path: '/api/User/GetProfile', who: signedIn,
  summary: 'The own profile', reply: profile, refusals: [],
});
