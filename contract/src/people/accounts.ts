import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { channel } from '../wire/channels.ts';
import { isSharedComputer } from './users.ts';

/** The seconds between two codes to the same address. */
export const codeGapSeconds = 60;

const address = z.string().max(300);
const code = z.string().min(1).max(40);
const password = z.string().max(200);

/**
 * The reply is the same for every address; only the message reveals whether an account exists.
 * `contact` is for an address that a signed-in user adds to the account.
 */
export const sendVerificationCode = defineCall({
  name: 'sendVerificationCode',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/SendVerificationCode',
  who: 'anyone',
  summary: 'Send a code of six digits to an e-mail address or a mobile number',
  body: z.object({ channel, address, purpose: z.enum(['register', 'contact']) }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['YouHaveToLoginFirst', 'TooManyRequests'],
});

/**
 * One language of the company's name is enough. `emiratesId` is not a proof of identity: decision
 * 0016.
 */
export const createUser = defineCall({
  name: 'createUser',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/CreateUser',
  who: 'anyone',
  summary:
    'Register an individual, or a company with its first user, after a code; the reply is a session token',
  body: z.object({
    username: z.string().max(200),
    password,
    confirmPassword: password,
    fullName: z.string().max(1000),
    email: address,
    phoneNumber: z.string().max(100),
    emiratesId: z.string().max(100).optional(),
    verification: z.object({ channel, code }),
    company: z
      .object({
        nameAr: z.string().max(1000).optional(),
        nameEn: z.string().max(1000).optional(),
        nameUr: z.string().max(1000).optional(),
        licenceNumber: z.string().max(200),
      })
      .optional(),
  }),
  reply: z.object({ token: z.string() }),
  refusals: ['VerificationCodeWrong', 'UsernameTaken', 'CompanyLicenceInUse', 'TooManyRequests'],
});

/**
 * `account` is a username, an e-mail address or a mobile number. The reply is the same for every
 * input.
 */
export const forgotPassword = defineCall({
  name: 'forgotPassword',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/ForgotPassword',
  who: 'anyone',
  summary: 'Send a code to the owner of an account with a forgotten password',
  body: z.object({ account: z.string().min(1).max(300) }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['TooManyRequests'],
});

export const resetPassword = defineCall({
  name: 'resetPassword',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/ResetPassword',
  who: 'anyone',
  summary: 'Set a new password by a code; every session of the user ends',
  body: z.object({
    account: z.string().min(1).max(300),
    code,
    newPassword: password,
    confirmNewPassword: password,
  }),
  reply: z.object({ changed: z.boolean() }),
  refusals: ['VerificationCodeWrong', 'TooManyRequests'],
});

/**
 * For the browser in which `UeaPassInegration` answered `LinkConfirmationRequired`; a cookie holds
 * the ticket. `code` is the second factor's.
 */
export const linkUAEPass = defineCall({
  name: 'linkUAEPass',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/LinkUAEPass',
  who: 'anyone',
  summary: 'Link UAE PASS to the account of a username and password, and sign in',
  body: z.object({
    username: z.string().trim().min(1).max(200),
    password: z.string().min(1).max(200),
    code: z.string().max(40).optional(),
    isSharedComputer,
  }),
  reply: z.object({ token: z.string() }),
  refusals: [
    'LinkNotPossible',
    'IdentityNotConfirmed',
    'WrongUsernameOrPassword',
    'AccountSuspended',
    'CompanySuspended',
    'SecondFactorRequired',
    'SecondFactorWrong',
    'TooManyRequests',
  ],
});

export const declineUAEPassLink = defineCall({
  name: 'declineUAEPassLink',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/DeclineUAEPassLink',
  who: 'anyone',
  summary: 'Sign in with UAE PASS as a new account instead',
  reply: z.object({ token: z.string() }),
  refusals: ['IdentityNotConfirmed', 'AccountSuspended', 'CompanySuspended', 'TooManyRequests'],
});

/**
 * `password` is required for accounts that have one, because a verified address can reset a
 * forgotten password.
 */
export const changeContact = defineCall({
  name: 'changeContact',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/ChangeContact',
  who: signedIn,
  summary:
    'Change the own e-mail address or mobile number, by the code that was sent to the new one',
  body: z.object({ channel, address, code, password: password.optional() }),
  reply: z.object({ changed: z.boolean() }),
  refusals: ['IncorrectPassword', 'VerificationCodeWrong', 'TooManyRequests'],
});

/**
 * `browser` and `system` are names such as `Chrome` and `Android`; absent where the browser does
 * not send them. Times are ISO 8601 in UTC. `actorName` is the employee who acts for the user,
 * until `actsUntil`.
 */
export const ownSession = z.object({
  sessionId: z.uuid(),
  browser: z.string().optional(),
  system: z.string().optional(),
  isUAEPass: z.boolean(),
  isCurrent: z.boolean(),
  startedAt: z.string(),
  lastSeenAt: z.string(),
  actorName: z.string().optional(),
  actsUntil: z.string().optional(),
});
export type OwnSession = z.infer<typeof ownSession>;

export const getSessions = defineCall({
  name: 'getSessions',
  method: 'GET',
  path: '/api/User/GetSessions',
  who: signedIn,
  summary: 'Where the caller is signed in, the latest first',
  reply: z.array(ownSession),
  refusals: [],
});

export const endSessions = defineCall({
  name: 'endSessions',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/EndSessions',
  who: signedIn,
  summary: 'End one session of the caller, or without an id all of them, this one too',
  body: z.object({ sessionId: z.uuid().optional() }),
  reply: z.object({ ended: z.int() }),
  refusals: ['NotFound'],
});
