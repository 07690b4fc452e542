import { z } from 'zod';
import { editedText } from '../catalogue/groups.ts';
import { companyDetails } from '../forms/parties.ts';
import { administrators, auditReaders, defineCall, signedIn } from '../wire/call.ts';
import { recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
import { languages, localizedText } from '../wire/languages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** A company in the list of an admin; `name` is in the caller's language. */
export const companySummary = z.object({
  id: z.int(),
  name: z.string(),
  licenceNumber: z.string().optional(),
  isSuspended: z.boolean(),
  usersCount: z.int(),
  requestsCount: z.int(),
});
export type CompanySummary = z.infer<typeof companySummary>;

/** The states of a company, and the orders of their list; names are those in the caller's language. */
export const companyStates = ['active', 'suspended'] as const;
export const companyOrders = ['name', 'nameDescending', 'newest'] as const;

export const getAllCompanies = defineCall({
  name: 'getAllCompanies',
  method: 'GET',
  path: '/api/Company/GetAllCompanies',
  who: auditReaders,
  summary: 'Companies by name or licence, with the number of their users and requests',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    State: z.enum(companyStates).optional(),
    Order: z.enum(companyOrders).default('name'),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(companySummary),
  refusals: [],
});

const companyId = recordId;
const companyVersion = recordVersion;

/** The users of a company that its record holds, managers first; the list of users has all. */
export const maximumListedCompanyUsers = 100;

/**
 * A company for an admin; `name` is in the caller's language, times are ISO 8601 in UTC. `version`
 * is sent back with a change. `openRequestsCount` counts requests that are not ended.
 */
export const companyRecord = companySummary.extend({
  names: localizedText,
  details: companyDetails,
  version: z.int(),
  createdAt: z.string(),
  suspendedAt: z.string().optional(),
  suspensionReason: z.string().optional(),
  openRequestsCount: z.int(),
  users: z
    .array(
      z.object({
        userId: z.uuid(),
        fullName: z.string(),
        email: z.string(),
        isManager: z.boolean(),
        isSuspended: z.boolean(),
        lastSignInAt: z.string().optional(),
      }),
    )
    .max(maximumListedCompanyUsers),
});
export type CompanyRecord = z.infer<typeof companyRecord>;

const adminCall = { method: 'POST', who: administrators, reply: companyRecord } as const;

/** Our own calls: the specification names the page of companies, not its calls. */
export const getCompanyById = defineCall({
  name: 'getCompanyById',
  method: 'GET',
  path: '/api/Company/GetCompanyById',
  who: auditReaders,
  summary: 'One company with its licence, users and numbers of requests',
  query: z.object({ CompanyId: recordIdInAddress }),
  reply: companyRecord,
  refusals: ['NotFound'],
});

/** A detail that is missing stays as it is; an empty one is removed. */
export const updateCompany = defineCall({
  ...adminCall,
  name: 'updateCompany',
  path: '/api/Company/UpdateCompany',
  summary: 'Change the names of a company and what invoices say about it',
  body: companyDetails
    .partial()
    .extend({ companyId, version: companyVersion, name: editedText(200) }),
  refusals: ['NotFound', 'RecordHasChanged', 'LicenceNumberInUse'],
});

/** Requests of the company stay as they are, and staff continue with them. */
export const suspendCompany = defineCall({
  ...adminCall,
  name: 'suspendCompany',
  path: '/api/Company/SuspendCompany',
  summary: 'Suspend a company: its users cannot sign in, their sessions and connections end',
  body: z.object({
    companyId,
    version: companyVersion,
    reason: z.string().trim().min(1).max(500),
  }),
  refusals: ['NotFound', 'RecordHasChanged'],
});

export const restoreCompany = defineCall({
  ...adminCall,
  name: 'restoreCompany',
  path: '/api/Company/RestoreCompany',
  summary: 'End the suspension of a company',
  body: z.object({ companyId, version: companyVersion }),
  refusals: ['NotFound', 'RecordHasChanged'],
});

/** The number of days until an invitation expires. */
export const invitationDays = 7;

/**
 * A user of a company, for the other users of that company. `lastSignInAt` is ISO 8601 in UTC;
 * missing for users who never signed in.
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

/** `isSent` is false when the mail could not be handed over. */
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
 * The users of the caller's company, managers first; open invitations are for managers only. Times
 * are ISO 8601 in UTC.
 */
export const companyUsers = z.object({
  companyName: z.string(),
  /** What invoices say about the company. `version` is sent back with a change. */
  details: companyDetails,
  version: z.int(),
  isManager: z.boolean(),
  users: z.array(companyUser),
  invitations: z.array(companyInvitation),
});
export type CompanyUsers = z.infer<typeof companyUsers>;

const managerCall = { method: 'POST', who: ['CompanyUser'], reply: companyUsers } as const;

/** Our own calls: the specification has company users but does not show how they join. */
export const getCompanyUsers = defineCall({
  name: 'getCompanyUsers',
  method: 'GET',
  path: '/api/Company/GetCompanyUsers',
  who: ['CompanyUser'],
  summary: 'The users of the own company',
  reply: companyUsers,
  refusals: [],
});

export const saveCompanyDetails = defineCall({
  ...managerCall,
  name: 'saveCompanyDetails',
  path: '/api/Company/SaveCompanyDetails',
  summary: 'Change what invoices say about the own company; managers only',
  body: companyDetails.extend({ version: companyVersion }),
  refusals: ['YouAreUnauthorized', 'RecordHasChanged', 'LicenceNumberInUse'],
});

export const inviteCompanyUser = defineCall({
  ...managerCall,
  name: 'inviteCompanyUser',
  path: '/api/Company/InviteCompanyUser',
  summary: 'Invite a user into the own company by e-mail; managers only',
  body: z.object({ email: z.string().trim().max(254), language: z.enum(languages).optional() }),
  refusals: ['YouAreUnauthorized', 'AlreadyInCompany', 'TooManyRequests', 'MailUnreachable'],
});

export const resendCompanyInvitation = defineCall({
  ...managerCall,
  name: 'resendCompanyInvitation',
  path: '/api/Company/ResendCompanyInvitation',
  summary: 'Send an invitation again with a new link; the old link becomes invalid',
  body: z.object({ invitationId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'TooManyRequests', 'MailUnreachable'],
});

export const cancelCompanyInvitation = defineCall({
  ...managerCall,
  name: 'cancelCompanyInvitation',
  path: '/api/Company/CancelCompanyInvitation',
  summary: 'Cancel an invitation',
  body: z.object({ invitationId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound'],
});

export const removeCompanyUser = defineCall({
  ...managerCall,
  name: 'removeCompanyUser',
  path: '/api/Company/RemoveCompanyUser',
  summary: 'Remove a user from the own company immediately; their requests for the company stay',
  body: z.object({ userId: z.uuid() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'CompanyNeedsManager'],
});

export const setCompanyManager = defineCall({
  ...managerCall,
  name: 'setCompanyManager',
  path: '/api/Company/SetCompanyManager',
  summary: 'Grant or revoke the role of manager; one manager always remains',
  body: z.object({ userId: z.uuid(), isManager: z.boolean() }),
  refusals: ['YouAreUnauthorized', 'NotFound', 'CompanyNeedsManager'],
});

const token = z.string().min(1).max(200);

/** The body carries the token, so that logs of addresses do not hold it. */
export const readCompanyInvitation = defineCall({
  name: 'readCompanyInvitation',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Company/ReadCompanyInvitation',
  who: 'anyone',
  summary: 'The company and address of an invitation, by its link',
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
  repeats: 'unstored',
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

/** The link verifies the e-mail address. `phoneNumber` in any spelling of a UAE mobile. */
export const joinCompany = defineCall({
  name: 'joinCompany',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Company/JoinCompany',
  who: 'anyone',
  summary: 'Join a company with a new account; the reply is its session token',
  body: z.object({
    token,
    username: z.string().trim().max(200),
    fullName: z.string().trim().max(200),
    phoneNumber: z.string().trim().max(40),
    password: z.string().max(200),
    confirmPassword: z.string().max(200),
  }),
  reply: z.object({ token: z.string() }),
  refusals: ['InvitationNotValid', 'UsernameTaken', 'TooManyRequests'],
});
