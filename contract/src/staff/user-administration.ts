import { z } from 'zod';
import { ownSession } from '../people/accounts.ts';
import {
  administrators,
  agencyAdministrators,
  agencyAuditors,
  auditReaders,
  defineCall,
  grantedRoles,
  roles,
} from '../wire/call.ts';
import { recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

const named = z.object({ id: z.int(), name: z.string() });

/**
 * Whose requests an account of the portal's staff sees: of all agencies, or of these. All others, who
 * see requests by other rights or none, have no agencies.
 */
const agenciesSeen = { allAgencies: z.boolean(), agencies: z.array(named) };

/**
 * A user in the list of an admin, without secrets. `company` and `partner` are named in the
 * caller's language; times are ISO 8601 in UTC. `lastSignInAt` is missing for users who never
 * signed in.
 */
export const userSummary = z.object({
  id: z.uuid(),
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  roles: z.array(z.enum(roles)),
  company: named.optional(),
  partner: named.optional(),
  ...agenciesSeen,
  createdAt: z.string(),
  lastSignInAt: z.string().optional(),
  isSuspended: z.boolean(),
  hasSecondFactor: z.boolean(),
  hasPassword: z.boolean(),
});
export type UserSummary = z.infer<typeof userSummary>;

/** Whether an account may sign in. */
export const userStates = ['active', 'suspended'] as const;
/** When a user last signed in, in days before now. */
export const lastSignIns = ['never', 'last7Days', 'last30Days', 'notIn90Days'] as const;
export type LastSignIn = (typeof lastSignIns)[number];
/** Employees and others of the portal's staff who see all agencies, and those who see none. */
export const agencyReaches = ['all', 'none'] as const;
export type AgencyReach = (typeof agencyReaches)[number];
/** The orders of the list of users. The last two begin with the latest sign-in and with none. */
export const userOrders = ['newest', 'name', 'lastSignIn', 'longestAbsent'] as const;
export type UserOrder = (typeof userOrders)[number];

/** The list ends after this number of users; more are found by filters. */
export const maximumListedUsers = 10_000;

/**
 * Our own: the specification names the page, not the call. `totalCount` is exact up to 10 000;
 * `isTotalAtLeast` says that there are more, which no page shows.
 */
export const getAllUsers = defineCall({
  name: 'getAllUsers',
  method: 'GET',
  path: '/api/User/GetAllUsers',
  who: agencyAuditors,
  byAgency: 'reply',
  summary:
    'Users by text, role, state, company, service provider, agency, second factor and last sign-in',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    Role: z.enum(roles).optional(),
    State: z.enum(userStates).optional(),
    PartnerId: recordIdInAddress.optional(),
    CompanyId: recordIdInAddress.optional(),
    AgencyId: recordIdInAddress.optional(),
    Agencies: z.enum(agencyReaches).optional(),
    SecondFactor: z.enum(['set', 'notSet']).optional(),
    LastSignIn: z.enum(lastSignIns).optional(),
    Order: z.enum(userOrders).default('newest'),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(userSummary).extend({ isTotalAtLeast: z.boolean().optional() }),
  refusals: [],
});

/** The agencies that an employee has at most, short of all. */
const mostAgencies = 200;

/** What an admin can do with an account at this moment. */
export const userActions = [
  'changeRoles',
  'suspend',
  'restore',
  'resetSecondFactor',
  'sendPasswordCode',
  'endSessions',
] as const;
export type UserAction = (typeof userActions)[number];

/**
 * Roles of an account, the service provider that it works for, the agencies that it sees, and whether it
 * has the urgent right.
 */
export const position = z.object({
  roles: z.array(z.enum(roles)),
  partner: named.optional(),
  ...agenciesSeen,
  readsUrgently: z.boolean().optional(),
});
export type Position = z.infer<typeof position>;

/**
 * One account for an admin. `version` is sent back with a change. `heldRequestsCount` counts the
 * open requests that the user holds. `teams` are those of an employee in each of `agencies`, and
 * `limitedAgencyIds` the agencies of which they see the work of their teams only (decision 0153).
 * `pendingRoles` wait for the confirmation of another admin.
 */
export const userRecord = userSummary.extend({
  version: z.int(),
  hasUAEPass: z.boolean(),
  isEmailVerified: z.boolean(),
  isPhoneVerified: z.boolean(),
  isCompanyManager: z.boolean(),
  readsUrgently: z.boolean(),
  suspendedAt: z.string().optional(),
  suspensionReason: z.string().optional(),
  heldRequestsCount: z.int(),
  teams: z.array(named.extend({ agencyId: z.int() })),
  limitedAgencyIds: z.array(z.int()),
  /** The agencies that have no other administrator who can sign in. */
  onlyAdministratorOf: z.array(z.object({ id: z.int(), name: z.string() })),
  pendingRoles: position.extend({ askedBy: z.string(), askedAt: z.string() }).optional(),
  allowedActions: z.array(z.enum(userActions)),
});
export type UserRecord = z.infer<typeof userRecord>;

const userId = z.uuid();
const version = recordVersion;

export const getUserById = defineCall({
  name: 'getUserById',
  method: 'GET',
  path: '/api/User/GetUserById',
  who: agencyAuditors,
  byAgency: { staff: 'UserId' },
  summary: 'One account, with what the caller can do with it',
  query: z.object({ UserId: userId }),
  reply: userRecord,
  refusals: ['NotFound'],
});

export const getUserSessions = defineCall({
  name: 'getUserSessions',
  method: 'GET',
  path: '/api/User/GetUserSessions',
  who: auditReaders,
  summary: 'Where a user is signed in, the latest first',
  query: z.object({ UserId: userId }),
  reply: z.array(ownSession),
  refusals: ['NotFound'],
});

/** Takes effect immediately: the next call of the user is refused, and live connections close. */
export const endUserSessions = defineCall({
  name: 'endUserSessions',
  method: 'POST',
  path: '/api/User/EndUserSessions',
  who: administrators,
  summary: 'End one session of a user, or without an id all of them',
  body: z.object({ userId, sessionId: z.uuid().optional() }),
  reply: z.object({ ended: z.int() }),
  refusals: ['NotFound'],
});

export const suspendUser = defineCall({
  name: 'suspendUser',
  method: 'POST',
  path: '/api/User/SuspendUser',
  who: agencyAdministrators,
  byAgency: { staff: 'userId' },
  summary: 'Suspend an account: it cannot sign in, and its sessions and connections end',
  body: z.object({ userId, version, reason: z.string().trim().min(1).max(500) }),
  reply: userRecord,
  refusals: [
    'NotFound',
    'RecordHasChanged',
    'NotOnOwnAccount',
    'LastAdministrator',
    'TwoAdministratorsNeeded',
  ],
});

export const restoreUser = defineCall({
  name: 'restoreUser',
  method: 'POST',
  path: '/api/User/RestoreUser',
  who: agencyAdministrators,
  byAgency: { staff: 'userId' },
  summary: 'End the suspension of an account',
  body: z.object({ userId, version }),
  reply: userRecord,
  refusals: ['NotFound', 'RecordHasChanged'],
});

/**
 * The roles that an admin gives. A service provider user needs `partnerId` and has no other role. An
 * employee sees the requests of all agencies by `allAgencies`, else of those in `agencyIds`; where
 * neither is given the account keeps what it sees. The roles that concern the whole portal see all
 * agencies. Decision 0141.
 */
export const chosenPosition = {
  roles: z.array(z.enum(grantedRoles)).max(grantedRoles.length),
  partnerId: recordId.optional(),
  allAgencies: z.boolean().optional(),
  agencyIds: z.array(recordId).max(mostAgencies).optional(),
};

/**
 * The roles replace those that the user has. Only an administrator of the portal gives or takes the
 * urgent right of an employee; without `readsUrgently` it stays. Where the setting says so, the reply has them as
 * `pendingRoles` until another admin confirms them.
 */
export const changeUserRoles = defineCall({
  name: 'changeUserRoles',
  method: 'POST',
  path: '/api/User/ChangeUserRoles',
  who: agencyAdministrators,
  byAgency: { staff: 'userId', agency: 'agencyIds' },
  summary: 'Set the roles of an account, its service provider, and the agencies that it sees',
  body: z.object({ userId, version, ...chosenPosition, readsUrgently: z.boolean().optional() }),
  reply: userRecord,
  refusals: [
    'NotFound',
    'RecordHasChanged',
    'LastAdministrator',
    'TwoAdministratorsNeeded',
    'ChangeIsPending',
    'AccountCannotHaveRoles',
    'ProviderNeedsSupervisor',
  ],
});

/** The code is that of a forgotten password; the user enters it on the page for that. */
export const sendPasswordCode = defineCall({
  name: 'sendPasswordCode',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/SendPasswordCode',
  who: administrators,
  summary: 'Send a user the code to choose a new password, to the verified address',
  body: z.object({ userId }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['NotFound', 'PasswordCodeNotPossible', 'TooManyRequests', 'MailUnreachable'],
});
