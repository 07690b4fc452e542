import type { Role } from '@diwan/contract/wire/call';
import {
  requestActions,
  type RequestAction,
  type Workflow,
  type WorkflowStatus,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';

/** Whose a request is and who works on it: what the workflow needs to know of it. */
export interface Involved {
  user_id: string;
  company_id: number | null;
  partner_id: number | null;
  holder_id: string | null;
}

type Acting = Pick<Caller, 'userId' | 'roles' | 'companyId' | 'partnerId'>;

/**
 * Whether a request is the caller's own: a company's belongs to its users, any other to the person
 * who sent it.
 */
export function owns(caller: Acting, request: Involved): boolean {
  return request.company_id === null
    ? request.user_id === caller.userId
    : caller.roles.includes('CompanyUser') && caller.companyId === request.company_id;
}

function standsAs(role: Role, caller: Acting, request: Involved): boolean {
  if (role === 'Client' || role === 'CompanyUser') return owns(caller, request);
  if (role === 'ServiceProvider')
    return caller.partnerId !== null && caller.partnerId === request.partner_id;
  return true;
}

function admits(cell: WorkflowTransition, role: Role, caller: Acting, request: Involved): boolean {
  const mayHold = !cell.holderOnly || role === 'Admin' || request.holder_id === caller.userId;
  return cell.who.includes(role) && mayHold && standsAs(role, caller, request);
}

/**
 * A step that the map grants: where it leads, where instead when it adds something to pay, and in
 * which role the caller takes it.
 */
export interface GrantedStep {
  to: number;
  toPay?: number;
  role: Role;
}

/**
 * Where an action leads from a status and in which role the caller takes it; `undefined` when they
 * may not.
 */
export function findStep(
  workflow: Workflow,
  action: RequestAction,
  statusId: number,
  caller: Acting,
  request: Involved,
): GrantedStep | undefined {
  for (const cell of workflow.transitions) {
    if (cell.action !== action || cell.from !== statusId) continue;
    const role = caller.roles.find((held) => admits(cell, held, caller, request));
    if (role)
      return { to: cell.to, role, ...(cell.toPay === undefined ? {} : { toPay: cell.toPay }) };
  }
  return undefined;
}

/** The status that a payment leads to; `undefined` where nothing is to be paid. */
export function findPaidStatus(workflow: Workflow, statusId: number): number | undefined {
  return workflow.transitions.find((cell) => cell.action === 'pay' && cell.from === statusId)?.to;
}

/**
 * Where a new request begins, with something to pay or without. Throws ActionNotAllowed for a
 * caller who may not create.
 */
export function startStatus(workflow: Workflow, total: number, caller: Acting): number {
  const to = total > 0 ? workflow.start.toPay : workflow.start.free;
  const cell = workflow.transitions.find(
    (candidate) =>
      candidate.action === 'create' &&
      candidate.from === null &&
      candidate.to === to &&
      caller.roles.some((role) => candidate.who.includes(role)),
  );
  if (!cell) throw new Refusal('ActionNotAllowed');
  return to;
}

/** What this caller can do with a request now, `pay` for its owner included. */
export function allowedActions(
  workflow: Workflow,
  statusId: number,
  caller: Acting,
  request: Involved & { total: number },
): RequestAction[] {
  const mayPay =
    request.total > 0 &&
    findPaidStatus(workflow, statusId) !== undefined &&
    owns(caller, request) &&
    caller.roles.some((role) => role === 'Client' || role === 'CompanyUser');
  return requestActions.filter((action) =>
    action === 'pay' ? mayPay : findStep(workflow, action, statusId, caller, request) !== undefined,
  );
}

/** Which actions of this caller may add fines and fees now. */
export function chargingActions(
  workflow: Workflow,
  statusId: number,
  caller: Acting,
  request: Involved,
): RequestAction[] {
  return requestActions.filter(
    (action) => findStep(workflow, action, statusId, caller, request)?.toPay !== undefined,
  );
}

/**
 * The statuses in which a request concerns the service provider, who sees it from then on: those
 * that a provider can take it out of.
 */
export function providerStatuses(workflow: Workflow): number[] {
  return workflow.transitions.flatMap(({ from, who }) =>
    from !== null && who.includes('ServiceProvider') ? [from] : [],
  );
}

export type CountGroup = NonNullable<WorkflowStatus['countsAs']>;

/**
 * In which count a request of this status is: for clerks as the document says; for a service
 * provider what waits to be accepted is new, and what else is theirs to take further is being
 * processed.
 */
export function countGroup(
  workflow: Workflow,
  statusId: number,
  whose: 'staff' | 'provider',
): CountGroup | undefined {
  if (whose === 'staff') return getStatus(workflow, statusId).countsAs;
  const theirs = workflow.transitions.filter(
    ({ from, who }) => from === statusId && who.includes('ServiceProvider'),
  );
  return theirs.some(({ action }) => action === 'accept')
    ? 'new'
    : theirs.length > 0
      ? 'processing'
      : undefined;
}

/**
 * A status of the document by its id; the document was checked, so a request is always in one of
 * them.
 */
export function getStatus(workflow: Workflow, statusId: number): WorkflowStatus {
  const status = workflow.statuses.find((candidate) => candidate.statusId === statusId);
  if (!status) throw new Error(`Workflow ${workflow.name} has no status ${statusId}`);
  return status;
}
