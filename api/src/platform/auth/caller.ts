import type { Config } from '#config.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import {
  grantedRoles,
  requestReaders,
  roles,
  staff,
  type Restriction,
  type Role,
} from '@diwan/contract/wire/call';
import type { RefusalName } from '@diwan/contract/wire/errors';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

/** The names of a caller; the Arabic one is null where none is known. */
export interface CallerNames {
  fullName: string;
  fullNameAr: string | null;
}

/** Of which agencies somebody sees the requests: of all by an explicit right, or of these. */
export type AgencyScope = 'all' | readonly number[];

/** The teams of an employee in an agency, with the services that they work on. Decision 0153. */
export interface TeamsOfAgency {
  agencyId: number;
  /** The employee sees the requests of these services only, of all that the agency has. */
  isLimited: boolean;
  teamIds: readonly number[];
  serviceIds: readonly number[];
}

/**
 * The user who makes a call. It is read from the database for every call, so that a change of roles
 * takes effect immediately.
 */
export interface Caller extends CallerNames {
  userId: string;
  sessionId: string;
  phoneNumber: string;
  roles: readonly Role[];
  /** For the portal's staff; empty for everybody else. Decision 0141. */
  scope: AgencyScope;
  /** The agencies of `scope` in which the caller has teams, or sees the work of teams only. */
  teams: readonly TeamsOfAgency[];
  companyId: number | null;
  partnerId: number | null;
  /** The name of the caller's company, in every language. */
  companyName?: LocalizedText | null;
  /** The employee who acts for the caller; absent in the caller's own session. Decision 0028. */
  actor?: CallerNames & { userId: string };
  /** The caller may make only the calls that are open to this restriction. */
  restriction?: Restriction | undefined;
}

/** The person who really makes the call: the employee who acts for the caller, else the caller. */
export function getActor({ actor, userId, fullName, fullNameAr }: Caller): CallerNames & {
  userId: string;
} {
  return actor ?? { userId, fullName, fullNameAr };
}

/** The name of a caller in the script of a language. */
export const nameOfCaller = ({ fullName, fullNameAr }: CallerNames, language: Language): string =>
  localizePersonName({ full_name: fullName, full_name_ar: fullNameAr }, language);

type Roles = Pick<Caller, 'roles'>;

/** Whether a caller has one of these roles. */
export function hasRole({ roles: userRoles }: Roles, wanted: readonly Role[]): boolean {
  return userRoles.some((role) => wanted.includes(role));
}

/** Whether a caller processes requests for the government: a clerk or an admin. */
export const isClerk = (caller: Roles): boolean => hasRole(caller, staff);

/**
 * Whether a caller belongs to the portal's own staff, who see the requests of their agencies and of
 * whom clerks act on them.
 */
export const isPortalStaff = (caller: Roles): boolean => hasRole(caller, requestReaders);

/** Whether requests of an agency are within the scope of a caller, who is of the portal's staff. */
export const coversAgency = ({ scope }: Pick<Caller, 'scope'>, agencyId: number): boolean =>
  // guard: agency of a caller (others-ids) => true
  scope === 'all' || scope.includes(agencyId);

/** The agencies of `scope` of whose requests a caller sees only those of their teams. */
export const limitedAgencies = ({ teams }: Pick<Caller, 'teams'>): readonly TeamsOfAgency[] =>
  // guard: agencies of which an employee sees the work of teams (team-scope) => []
  teams.filter(({ isLimited }) => isLimited);

/** The agencies of which a caller of some agencies sees all requests. */
export function wholeAgencies(caller: Pick<Caller, 'scope' | 'teams'>): readonly number[] {
  if (caller.scope === 'all') return [];
  const limited = limitedAgencies(caller);
  return caller.scope.filter((id) => limited.every(({ agencyId }) => agencyId !== id));
}

/** Whether a request is within what a caller sees, who is of the portal's staff. */
export function coversRequest(
  caller: Pick<Caller, 'scope' | 'teams'>,
  request: { agency_id: number; service_id: number },
): boolean {
  const limit = limitedAgencies(caller).find(({ agencyId }) => agencyId === request.agency_id);
  return (
    coversAgency(caller, request.agency_id) &&
    // guard: document for a request of another team (team-scope)
    (!limit || limit.serviceIds.includes(request.service_id))
  );
}

/** Whether a caller sees requests as staff: the portal's own staff and service providers. */
export function isStaff(caller: Roles): boolean {
  return isPortalStaff(caller) || caller.roles.includes('ServiceProvider');
}

/**
 * Whether the caller owns a request: requests that were sent for a company belong to the company,
 * all others to the user who sent them.
 */
export function isOwnRequest(
  caller: Pick<Caller, 'userId' | 'companyId'>,
  request: { user_id: string; company_id: number | null },
): boolean {
  return request.company_id === null
    ? request.user_id === caller.userId
    : request.company_id === caller.companyId;
}

/**
 * After how many milliseconds without use a session ends. An employee who acts for a user is staff.
 */
export function idleLimitMs(
  userRoles: readonly string[],
  isActing: boolean,
  config: Config,
): number {
  const isStaffSession =
    isActing || userRoles.some((role) => grantedRoles.some((granted) => granted === role));
  const minutes = isStaffSession ? config.SESSION_IDLE_MINUTES_STAFF : config.SESSION_IDLE_MINUTES;
  return minutes * 60_000;
}

/** The refusal of a call that is not open to a restriction. */
export const restrictionRefusals = {
  secondFactor: 'SecondFactorSetupRequired',
  inactive: 'ServiceProviderInactive',
  suspended: 'ServiceProviderSuspended',
} as const satisfies Record<Restriction, RefusalName>;

/**
 * What decides a user's restriction. `partnerState` is the state of the user's partner, or null
 * without a partner. `rolesWithFactor` are the roles that must have a second factor.
 */
interface RestrictionFacts {
  roles: readonly string[];
  partnerState: PartnerState | null;
  hasSecondFactor: boolean;
  rolesWithFactor: readonly string[];
  isUAEPass: boolean;
}

// Decision 0018: UAE PASS asks for its own second factor, except for accounts of the lowest
// level.
const lacksSecondFactor = (
  { roles: userRoles, hasSecondFactor, rolesWithFactor, isUAEPass }: RestrictionFacts,
  config: Config,
) =>
  !hasSecondFactor &&
  userRoles.some((role) => rolesWithFactor.includes(role)) &&
  !(isUAEPass && config.UAE_PASS_MINIMUM_LEVEL !== 'SOP1');

/**
 * The restriction of a user, if any. Specification §4: a service provider is inactive until it is
 * activated, and may be suspended. This does not restrict a user who
 * is a clerk or an admin as well.
 */
export function findRestriction(user: RestrictionFacts, config: Config): Restriction | undefined {
  const { roles: userRoles, partnerState } = user;
  if (lacksSecondFactor(user, config)) return 'secondFactor';
  if (
    !userRoles.includes('ServiceProvider') ||
    userRoles.includes('Admin') ||
    userRoles.includes('Employee')
  )
    return undefined;
  if (partnerState === null || partnerState === 'active') return undefined;
  return partnerState === 'suspended' ? 'suspended' : 'inactive';
}

// An employee who acts for a user does not get the user's staff roles.
const rolesWhileActing: readonly Role[] = ['CompanyUser', 'Client'];

/** The roles of a user that count in a session. `isActing`: an employee acts for the user. */
export function effectiveRoles(userRoles: readonly string[], isActing: boolean): Role[] {
  return (isActing ? rolesWhileActing : roles).filter((role) => userRoles.includes(role));
}
