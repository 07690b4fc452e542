import {
  isPortalStaff,
  limitedAgencies,
  wholeAgencies,
  type Caller,
} from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import type { CountedOf } from './request-counts.store.ts';
import { readRequestNumber } from './request-number.ts';
import {
  findIdByNumber,
  findIdByReference,
  findVisible,
  hasReachedPartner,
  conditionOf,
  isAnyTrue,
  isOfTeams,
  visibleToEveryone,
  isOfCompany,
  isOpenedUrgently,
  isPersonal,
  lockVisible,
  urgentlyOpenUntil,
  type RequestRow,
  type Visibility,
  type VisibilityCondition,
  type VisibleRequest,
} from './requests.store.ts';

/** The requests that a person sent as an individual, not for a company. */
export function personalRequestsOf(caller: Pick<Caller, 'userId'>): VisibilityCondition {
  return isPersonal(caller.userId);
}

const ofWholeAgencies = (agencyIds: readonly number[]): Visibility[] =>
  agencyIds.length > 0 ? [{ agencyIds }] : [];

// Decision 0153.
const ofTeams = (caller: Pick<Caller, 'teams'>): VisibilityCondition[] =>
  limitedAgencies(caller).map(({ agencyId, serviceIds }) => isOfTeams(agencyId, serviceIds));

const requestsOf = (caller: Pick<Caller, 'scope' | 'teams'>): Visibility[] =>
  caller.scope === 'all'
    ? [visibleToEveryone]
    : [...ofWholeAgencies(wholeAgencies(caller)), ...ofTeams(caller)];

/**
 * The rule of who may see which request, as conditions on `requests` of which one must hold: the
 * portal's staff see the requests of their agencies, or of an agency those of their teams, and no
 * others (but not who only edits its content), a person their own, company users those of their
 * company, a service provider those of their partner that have reached the provider at least once.
 * Each condition is answered by its own index. No two conditions hold for the same request.
 */
export function visibilityConditions(caller: Caller): Visibility[] {
  if (isPortalStaff(caller)) return requestsOf(caller);
  const conditions: VisibilityCondition[] = [];
  if (caller.roles.includes('Client') || caller.roles.includes('CompanyUser'))
    conditions.push(personalRequestsOf(caller));
  if (caller.roles.includes('CompanyUser') && caller.companyId !== null)
    conditions.push(isOfCompany(caller.companyId));
  if (caller.roles.includes('ServiceProvider') && caller.partnerId !== null)
    conditions.push(hasReachedPartner(caller.partnerId, [...conditions]));
  return conditions;
}

/** Like `visibilityConditions`, in one condition. */
export function visibleTo(caller: Caller): VisibilityCondition {
  return isAnyTrue(visibilityConditions(caller).map(conditionOf));
}

const mayOpenUrgently = ({ roles, sessionId }: Caller) =>
  roles.includes('Employee') && sessionId !== '';

/** Until when the caller may read a request that is not in their scope; null for one that is. */
export const readableUntil = (caller: Caller): Sql<Date | null> | undefined =>
  mayOpenUrgently(caller) ? urgentlyOpenUntil(caller.sessionId, visibleTo(caller)) : undefined;

/**
 * The requests of which the caller may open one by its number or id: those of `visibilityConditions`, and
 * one that an employee has opened by the urgent right. It is for calls that read one request and change
 * nothing.
 */
export function readableBy(caller: Caller): VisibilityCondition {
  const conditions = visibilityConditions(caller).map(conditionOf);
  return mayOpenUrgently(caller)
    ? isAnyTrue([...conditions, isOpenedUrgently(caller.sessionId)])
    : isAnyTrue(conditions);
}

/**
 * The requests whose figures a caller sees: those of `visibleTo`, and who administers agencies all of these
 * agencies, also those of other teams, without seeing the requests. Decision 0150.
 */
export function figuredFor(caller: Caller): VisibilityCondition {
  if (!caller.roles.includes('AgencyAdmin')) return visibleTo(caller);
  return isAnyTrue(requestsOf({ scope: caller.scope, teams: [] }).map(conditionOf));
}

/**
 * The requests that a caller of the staff counts: those of `visibilityConditions`, and of a service
 * provider all that their partner has. A supervisor without a partner counts nothing: the counts of
 * partner 0 are those of requests without a partner.
 */
export function countedFor(caller: Caller): CountedOf {
  if (!isPortalStaff(caller)) return { partnerId: caller.partnerId ?? -1 };
  return caller.scope === 'all'
    ? {}
    : { agencyIds: wholeAgencies(caller), ofTeams: ofTeams(caller) };
}

/** Whether the caller may read a request now. */
export async function mayView(
  { database }: { database: Database },
  caller: Caller,
  requestId: number,
): Promise<boolean> {
  return (await findVisible(database, requestId, readableBy(caller))) !== undefined;
}

/** Throws RequestNotFound for a request that the caller may not read now. */
export async function requireReadable(
  database: Database,
  caller: Caller,
  requestId: number,
): Promise<void> {
  if (!(await mayView({ database }, caller, requestId))) throw new Refusal('RequestNotFound');
}

/**
 * A request that the caller may see. Throws RequestNotFound, also when the request exists and the
 * caller may not see it.
 */
export async function getVisibleRequest(
  database: Database,
  caller: Caller,
  requestId: number,
): Promise<VisibleRequest> {
  const row = await findVisible(database, requestId, visibleTo(caller));
  if (!row) throw new Refusal('RequestNotFound');
  return row;
}

/** Like `getVisibleRequest`, and locks the request until the transaction ends. */
export async function lockVisibleRequest(
  transaction: Transaction,
  caller: Caller,
  requestId: number,
): Promise<RequestRow> {
  const row = await lockVisible(transaction, requestId, visibleTo(caller));
  if (!row) throw new Refusal('RequestNotFound');
  return row;
}

/**
 * The id of the request with this number, in any spelling that people use. Throws RequestNotFound
 * when the text is not a request number, or no such request fits the condition.
 */
export async function getIdByNumber(
  database: Database,
  text: string,
  visible: VisibilityCondition,
): Promise<number> {
  const number = readRequestNumber(text);
  const id = number === undefined ? undefined : await findIdByNumber(database, number, visible);
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}

/**
 * The id of the request that a payment belongs to, by the payment's merchant reference. Throws
 * RequestNotFound, also when the caller may not see the request.
 */
export async function getIdByMerchantReference(
  database: Database,
  caller: Caller,
  merchantReference: string,
): Promise<number> {
  const id = await findIdByReference(database, merchantReference.trim(), visibleTo(caller));
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}
