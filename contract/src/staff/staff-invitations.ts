import { z } from 'zod';
import { agencyAdministrators, agencyAuditors, defineCall, signedIn } from '../wire/call.ts';
import { languages } from '../wire/languages.ts';
import { chosenPosition, position } from './user-administration.ts';

/**
 * What an invitation waits for: a second admin, that it is sent again because the mail could not be
 * handed over, or the invited person.
 */
export const staffInvitationStates = ['unconfirmed', 'notSent', 'sent', 'expired'] as const;

/** An open invitation. `expiresAt` is missing until it is sent. Times are ISO 8601 in UTC. */
export const staffInvitation = position.extend({
  invitationId: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  state: z.enum(staffInvitationStates),
});
export type StaffInvitation = z.infer<typeof staffInvitation>;

const openInvitations = z.array(staffInvitation);
const invitationId = z.uuid();

export const getStaffInvitations = defineCall({
  name: 'getStaffInvitations',
  method: 'GET',
  path: '/api/User/GetStaffInvitations',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'The open invitations of staff, the newest first',
  reply: openInvitations,
  refusals: [],
});

/** `language` is that of the mail. A new invitation replaces an open one for the address. */
export const inviteStaff = defineCall({
  name: 'inviteStaff',
  method: 'POST',
  path: '/api/User/InviteStaff',
  who: agencyAdministrators,
  byAgency: { agency: 'agencyIds' },
  summary: 'Invite an employee, an admin or a service provider user by mail',
  body: z.object({
    email: z.string().max(300),
    fullName: z.string().max(200),
    language: z.enum(languages).optional(),
    ...chosenPosition,
  }),
  reply: openInvitations,
  refusals: ['AddressHasAccount', 'MailUnreachable'],
});

export const resendStaffInvitation = defineCall({
  name: 'resendStaffInvitation',
  method: 'POST',
  path: '/api/User/ResendStaffInvitation',
  who: agencyAdministrators,
  byAgency: { invitation: 'invitationId' },
  summary: 'Send an invitation again with a new link; the earlier link ends',
  body: z.object({ invitationId }),
  reply: openInvitations,
  refusals: ['NotFound', 'ChangeIsPending', 'MailUnreachable'],
});

export const cancelStaffInvitation = defineCall({
  name: 'cancelStaffInvitation',
  method: 'POST',
  path: '/api/User/CancelStaffInvitation',
  who: agencyAdministrators,
  byAgency: { invitation: 'invitationId' },
  summary: 'Cancel an invitation; its link ends',
  body: z.object({ invitationId }),
  reply: openInvitations,
  refusals: ['NotFound'],
});

const token = z.string().min(1).max(200);

/** A token that is unknown, used, cancelled or expired gets the same refusal. */
export const readStaffInvitation = defineCall({
  name: 'readStaffInvitation',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/User/ReadStaffInvitation',
  who: 'anyone',
  summary: 'What an invitation link invites to',
  body: z.object({ token }),
  reply: position.extend({
    email: z.string(),
    fullName: z.string(),
    invitedBy: z.string(),
    expiresAt: z.string(),
  }),
  refusals: ['InvitationNotValid', 'TooManyRequests'],
});

/** For an account that is signed in, such as by UAE PASS; it gets the invited address. */
export const acceptStaffInvitation = defineCall({
  name: 'acceptStaffInvitation',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/AcceptStaffInvitation',
  who: signedIn,
  summary: 'Accept an invitation of staff with the account that is signed in',
  body: z.object({ token }),
  reply: z.object({ accepted: z.boolean() }),
  refusals: ['InvitationNotValid', 'AccountCannotAcceptInvitation'],
});

/** The link verifies the e-mail address. `phoneNumber` in any spelling of a UAE mobile. */
export const joinStaff = defineCall({
  name: 'joinStaff',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/JoinStaff',
  who: 'anyone',
  summary: 'Accept an invitation of staff with a new account; the reply is its session token',
  body: z.object({
    token,
    username: z.string().max(200),
    fullName: z.string().max(200),
    phoneNumber: z.string().max(40),
    password: z.string().max(200),
    confirmPassword: z.string().max(200),
  }),
  reply: z.object({ token: z.string() }),
  refusals: ['InvitationNotValid', 'UsernameTaken', 'TooManyRequests'],
});
