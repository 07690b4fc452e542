import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { languages } from '../wire/languages.ts';

/** How long an invitation is open. */
export const invitationDays = 7;

/**
 * A user of a company as the others of it see them. `lastSignInAt` is ISO 8601 in UTC; missing for
 * who never signed in.
 */
export const companyUser = z.object({
  userId: z.uuid(),
  fullName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  isManager: z.boolean(),
  isMe: z.boolean(),
  lastSignInAt: z.string().optional(),
});
export type CompanyUser = z.infer<typeof companyUser>;

/** `isSent` is false for one whose mail could not be handed over. */
export const companyInvitation = z.object({
  invitationId: z.uuid(),
  email: z.string(),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  isExpired: z.boolean(),
  isSent: z.boolean(),
});
export type CompanyInvitation = z.infer<typeof companyInvitation>;

/**
 * The people of the caller's company, managers first; open invitations are for managers. Times are
 * ISO 8601 in UTC.
 */
export const companyUsers = z.object({
  companyName: z.string(),
  isManager: z.boolean(),
  users: z.array(companyUser),
  invitations: z.array(companyInvitation),
});
export type CompanyUsers = z.infer<typeof companyUsers>;

const forManagers = { method: 'POST', who: ['CompanyUser'], reply: companyUsers } as const;

/** Our own calls: the specification knows company users, not how they become it. */
export const getCompanyUsers = defineCall({
  name: 'getCompanyUsers',
  method: 'GET',
  path: '/api/Company/GetCompanyUsers',
  who: ['CompanyUser'],
  summary: 'The users of the own company',
  reply: companyUsers,
  refusals: [],
});

export const inviteCompanyUser = defineCall({
  ...forManagers,
  name: 'inviteCompanyUser',
  path: '/api/Company/InviteCompanyUser',
  summary: 'Invite somebody into the own company by e-mail; managers only',
  body: z.object({ email: z.string().trim().max(254), language: z.enum(languages).optional() }),
  refusals: ['YouAreUnauthorized', 'AlreadyInCompany', 'TooManyRequests', 'MailUnreachable'],
});

export const resendCompanyInvitation = defineCall({
  ...forManagers,
  name: 'resendCompanyInvitation',
  path: '/api/Company/ResendCompanyInvitation',
  summary: 'Send an invitation again with a new link; the old link is worth nothing then',
  body: z.object({ invitationId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'TooManyRequests', 'MailUnreachable'],
});

export const cancelCompanyInvitation = defineCall({
  ...forManagers,
  name: 'cancelCompanyInvitation',
  path: '/api/Company/CancelCompanyInvitation',
  summary: 'Take an invitation back',
  body: z.object({ invitationId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound'],
});

export const removeCompanyUser = defineCall({
  ...forManagers,
  name: 'removeCompanyUser',
  path: '/api/Company/RemoveCompanyUser',
  summary: 'Take somebody out of the own company at once; what they sent for it stays with it',
  body: z.object({ userId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'CompanyNeedsManager'],
});

export const setCompanyManager = defineCall({
  ...forManagers,
  name: 'setCompanyManager',
  path: '/api/Company/SetCompanyManager',
  summary: 'Make a user of the own company its manager, or no longer; one always stays',
  body: z.object({ userId: z.uuid(), isManager: z.boolean() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'CompanyNeedsManager'],
});

const token = z.string().min(1).max(200);

/** The token travels in a body, so that it stands in no log of addresses. */
export const readCompanyInvitation = defineCall({
  name: 'readCompanyInvitation',
  method: 'POST',
  path: '/api/Company/ReadCompanyInvitation',
  who: 'anyone',
  summary: 'What an invitation is for, for whoever has its link',
  body: z.object({ token }),
  reply: z.object({
    companyName: z.string(),
    invitedBy: z.string(),
    email: z.string(),
    expiresAt: z.string(),
  }),
  refusals: ['InvitationNotValid', 'TooManyRequests'],
});

export const acceptCompanyInvitation = defineCall({
  name: 'acceptCompanyInvitation',
  method: 'POST',
  path: '/api/Company/AcceptCompanyInvitation',
  who: signedIn,
  summary:
    'Join a company with the account that is signed in, whose e-mail address must be the invited one',
  body: z.object({ token }),
  reply: z.object({ companyName: z.string() }),
  refusals: [
    'InvitationNotValid',
    'InvitationForAnotherAddress',
    'AlreadyInCompany',
    'AccountCannotJoinCompany',
  ],
});

/** The link proves the e-mail address. `phoneNumber` in any way a UAE mobile is written. */
export const joinCompany = defineCall({
  name: 'joinCompany',
  method: 'POST',
  path: '/api/Company/JoinCompany',
  who: 'anyone',
  summary: 'Join a company with a new account; the reply is its session token',
  body: z.object({
    token,
    username: z.string().trim().max(200),
    fullName: z.string().trim().max(200),
    phoneNumber: z.string().trim().max(40),
    newPassword: z.string().max(200),
    confirmNewPassword: z.string().max(200),
  }),
  reply: z.object({ token: z.string() }),
  refusals: ['InvitationNotValid', 'UsernameTaken', 'TooManyRequests'],
});
