import { z } from 'zod';
import { defineCall, restrictions, roles, signedIn } from '../wire/call.ts';
import { languages, readLanguage } from '../wire/languages.ts';
import { factorCode } from './second-factor.ts';

/** The claims of a session token. Source: specification §3. `role` is a single value or a list. */
export const sessionClaims = z.object({
  ssid: z.string(),
  displayName: z.string(),
  fullName: z.string(),
  /** The name in Arabic letters, from UAE PASS. */
  fullNameAr: z.string().optional(),
  role: z.union([z.enum(roles), z.array(z.enum(roles))]).optional(),
  partnerId: z.int().optional(),
  companyId: z.int().optional(),
  phoneNumber: z.string().optional(),
  email: z.string().optional(),
  isServiceProvider: z.boolean(),
  /** Signed in by UAE PASS. */
  isUAEPass: z.boolean().optional(),
  /** The language that a supervisor chose, on any browser. */
  language: z.enum(languages).optional(),
  /**
   * Why the user may open only the page that explains the restriction, at the time when the token
   * was made.
   */
  restriction: z.enum(restrictions).optional(),
  /**
   * The employee who acts for the user in this session (RFC 8693), until `actUntil`, in seconds
   * since 1970.
   */
  act: z.object({ sub: z.string(), name: z.string() }).optional(),
  actUntil: z.int().optional(),
  exp: z.int(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

/** Others use the computer too: the server does not mark its browser as known. Decision 0135. */
export const isSharedComputer = z.boolean().optional();

/**
 * `SecondFactorRequired` follows a correct password only; the browser then calls again with `code`.
 */
export const login = defineCall({
  name: 'login',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/Login',
  who: 'anyone',
  summary: 'Sign in with username and password',
  body: z.object({
    username: z.string().trim().min(1).max(200),
    password: z.string().min(1).max(200),
    code: factorCode.optional(),
    isSharedComputer,
  }),
  reply: z.object({ token: z.string() }),
  refusals: [
    'WrongUsernameOrPassword',
    'SecondFactorRequired',
    'SecondFactorWrong',
    'AccountSuspended',
    'CompanySuspended',
    'TooManyRequests',
  ],
});

export const refreshToken = defineCall({
  name: 'refreshToken',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/refreshToken',
  who: 'anyone',
  summary: 'Exchange the old token, expired or not, for a new one',
  body: z.object({ token: z.string().min(1).max(4000) }),
  reply: z.string(),
  refusals: ['SessionEnded', 'TooManyRequests'],
});

export const logout = defineCall({
  name: 'logout',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/Logout',
  who: 'anyone',
  summary: 'End the session of the token; no effect without one',
  reply: z.object({ ended: z.boolean() }),
  refusals: [],
});

/** Whether people can sign in with UAE PASS here. Source: specification §7. */
export const checkUAEPassEnabled = defineCall({
  name: 'checkUAEPassEnabled',
  method: 'GET',
  path: '/api/User/CheckUAEPassEnabled',
  who: 'anyone',
  summary: 'Whether UAE PASS is set up',
  reply: z.object({ isEnabled: z.boolean() }),
  refusals: [],
});

/**
 * A link, not a fetch: binds the sign-in to this browser and redirects to UAE PASS with redirect
 * uri, acr value and ui_locales.
 */
export const beginUAEPass = defineCall({
  name: 'beginUAEPass',
  method: 'GET',
  path: '/api/User/BeginUAEPass',
  who: 'anyone',
  summary: 'Redirect the browser to UAE PASS',
  query: z.object({ ui_locales: z.enum(['ar', 'en']).default('ar') }),
  reply: 'redirect',
  refusals: ['NotFound', 'TooManyRequests'],
});

/** The spelling is the specification's. A code is accepted once, in the browser that began. */
export const uaePassIntegration = defineCall({
  name: 'uaePassIntegration',
  method: 'GET',
  path: '/api/User/UeaPassInegration',
  who: 'anyone',
  summary: 'Exchange the code that UAE PASS sent back for a session token',
  query: z.object({ code: z.string().min(1).max(2000), state: z.string().min(1).max(2000) }),
  reply: z.object({ token: z.string() }),
  refusals: [
    'IdentityNotConfirmed',
    'IdentityNotVerified',
    'LinkConfirmationRequired',
    'AccountSuspended',
    'CompanySuspended',
    'IdentityProviderUnreachable',
    'TooManyRequests',
  ],
});

/**
 * `IncorrectPassword` is shown under the old password (specification §8); problems of the new
 * password are named by field.
 */
export const changeUserPassword = defineCall({
  name: 'changeUserPassword',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/ChangeUserPassword',
  who: signedIn,
  summary: 'Change the own password; every other session of the user ends',
  body: z.object({
    oldPassword: z.string().max(200),
    newPassword: z.string().max(200),
    confirmNewPassword: z.string().max(200),
  }),
  reply: z.object({ changed: z.boolean() }),
  refusals: ['IncorrectPassword', 'TooManyRequests'],
});

const named = z.object({ id: z.int(), name: z.string() });

/**
 * The caller's profile. `company` and `partner` are named in the caller's language; `hasPassword`
 * is false for users who sign in with UAE PASS only; an address is verified after a code or UAE
 * PASS has confirmed it.
 */
export const profile = z.object({
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  roles: z.array(z.enum(roles)),
  company: named.optional(),
  partner: named.optional(),
  /** For the portal's staff: whose requests they see, of all agencies or of these. */
  allAgencies: z.boolean().optional(),
  agencies: z.array(named).optional(),
  /** For employees: whether they have the urgent right (decision 0154). */
  readsUrgently: z.boolean().optional(),
  /** The agencies of which they see the work of their teams only, and these teams. Decision 0153. */
  limitedAgencyIds: z.array(z.int()).optional(),
  teams: z.array(named).optional(),
  hasPassword: z.boolean(),
  hasUAEPass: z.boolean(),
  isEmailVerified: z.boolean(),
  isPhoneVerified: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

export const getProfile = defineCall({
  name: 'getProfile',
  method: 'GET',
  path: '/api/User/GetProfile',
  who: signedIn,
  summary: 'The own profile',
  reply: profile,
  refusals: [],
});

/**
 * `Language` is a tag or the stored value `Urdu`; `SupervisorId` is the caller's own `ssid`.
 * Source: specification §3, §7.
 */
export const changeSupervisorLanguage = defineCall({
  name: 'changeSupervisorLanguage',
  method: 'POST',
  path: '/api/Language/ChangeSupervisorLanguage',
  who: ['ServiceProvider'],
  summary: 'Store the language of a supervisor',
  body: z.object({
    SupervisorId: z.uuid(),
    Language: z.enum([...languages, 'Urdu']).transform(readLanguage),
  }),
  reply: z.object({ changed: z.boolean() }),
  refusals: [],
});
