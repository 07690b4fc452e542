import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { readRequestNumber } from './request-number.ts';
import {
  findIdByNumber,
  findIdByReference,
  findVisible,
  hasReachedPartner,
  isAnyTrue,
  visibleToEveryone,
  isOfCompany,
  isPersonal,
  lockVisible,
  type RequestRow,
  type VisibilityCondition,
  type VisibleRequest,
} from './requests.store.ts';

/** The requests that a person sent as an individual, not for a company. */
export function personalRequestsOf(caller: Pick<Caller, 'userId'>): VisibilityCondition {
  return isPersonal(caller.userId);
}

/**
 * The rule of who may see which request, as conditions on `requests` of which one must hold: the
 * portal's staff see all requests (but not who only edits its content), a person their own, company
 * users those of their company, a service provider those of their partner that have reached the
 * provider at least once. Each condition is answered by its own index. No two conditions hold for
 * the same request.
 */
export function visibilityConditions(caller: Caller): VisibilityCondition[] {
  if (isPortalStaff(caller)) return [visibleToEveryone];
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
  return isAnyTrue(visibilityConditions(caller));
}

/** Whether the caller may see a request now. */
export async function mayView(
  { database }: { database: Database },
  caller: Caller,
  requestId: number,
): Promise<boolean> {
  return (await findVisible(database, requestId, visibleTo(caller))) !== undefined;
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
