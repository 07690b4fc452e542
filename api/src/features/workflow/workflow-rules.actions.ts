import { isOwnRequest, type Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import {
  getAction,
  requestActions,
  type ActionInput,
  type RequestAction,
} from '@diwan/contract/requests/actions';
import {
  isEndTone,
  type Workflow,
  type WorkflowStatus,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import { actingRoles, type ActingRole } from '@diwan/contract/wire/call';
import { todayInDubai } from '@diwan/contract/wire/days';

/** The user, company, partner and holder of a request, and who decided on it last. */
interface RequestParties {
  user_id: string;
  company_id: number | null;
  partner_id: number | null;
  holder_id: string | null;
  approver_id: string | null;
  /** The last day, in Asia/Dubai, on which its owner may object to the latest decision. */
  objection_until: string | null;
}

/** A request as the workflow knows it. */
export interface RequestInStatus extends RequestParties {
  status_id: number;
}

type ActionCaller = Pick<Caller, 'userId' | 'roles' | 'companyId' | 'partnerId'>;

/** Whether a status ends a request. */
export const isEnd = ({ tone }: Pick<WorkflowStatus, 'tone'>): boolean => isEndTone(tone);

/** Whether a request can ever be acted on in this way. */
export const hasAction = ({ transitions }: Workflow, action: RequestAction): boolean =>
  transitions.some((transition) => transition.action === action);

// The requests of a company are open to its current users only.
function canActAsOwner(caller: ActionCaller, request: RequestParties): boolean {
  return (
    isOwnRequest(caller, request) &&
    (request.company_id === null || caller.roles.includes('CompanyUser'))
  );
}

function canActAs(role: ActingRole, caller: ActionCaller, request: RequestParties): boolean {
  if (role === 'Client' || role === 'CompanyUser') return canActAsOwner(caller, request);
  if (role === 'ServiceProvider')
    return caller.partnerId !== null && caller.partnerId === request.partner_id;
  return true;
}

// The last day ends at midnight in Asia/Dubai.
const mayObject = ({ objection_until: until }: RequestParties): boolean =>
  until !== null && todayInDubai() <= until;

function isOpenTo(
  { action, who, holderOnly, anotherApprover }: WorkflowTransition,
  role: ActingRole,
  caller: ActionCaller,
  request: RequestParties,
): boolean {
  const isHolder = !holderOnly || role === 'Admin' || request.holder_id === caller.userId;
  return (
    // guard: role of a transition (workflow-transitions, hostile-actions)
    who.includes(role) &&
    // guard: holder of a request (workflow-transitions, hostile-actions)
    isHolder &&
    // guard: last day of an objection (workflow-rules, objections)
    (!getAction(action).objects || mayObject(request)) &&
    // guard: approver of the step before (workflow-rules, another-approver)
    !(anotherApprover && request.approver_id === caller.userId) &&
    canActAs(role, caller, request)
  );
}

/** A transition that is open to the caller. */
export interface AllowedStep {
  to: number;
  /** The next status when the action charges something. */
  toPay?: number;
  /** The role in which the caller acts. */
  role: ActingRole;
  /** The inputs without which the action is refused. */
  requires?: readonly ActionInput[];
}

const transitionsOfWorkflows = new WeakMap<Workflow, Map<number | null, WorkflowTransition[]>>();

// The transitions from a status, in the order of the document. A list asks for them for each row.
function transitionsFrom(workflow: Workflow, statusId: number): readonly WorkflowTransition[] {
  let byStatus = transitionsOfWorkflows.get(workflow);
  if (!byStatus) {
    byStatus = new Map();
    for (const transition of workflow.transitions) {
      const known = byStatus.get(transition.from);
      if (known) known.push(transition);
      else byStatus.set(transition.from, [transition]);
    }
    transitionsOfWorkflows.set(workflow, byStatus);
  }
  return byStatus.get(statusId) ?? [];
}

/** The role in which the caller may take a transition now; `undefined` when there is none. */
const roleFor = (
  transition: WorkflowTransition,
  caller: ActionCaller,
  request: RequestInStatus,
): ActingRole | undefined =>
  actingRoles.find(
    (role) => caller.roles.includes(role) && isOpenTo(transition, role, caller, request),
  );

/** The transition of an action that is open to the caller now; `undefined` when there is none. */
export function findStep(
  workflow: Workflow,
  action: RequestAction,
  caller: ActionCaller,
  request: RequestInStatus,
): AllowedStep | undefined {
  for (const transition of transitionsFrom(workflow, request.status_id)) {
    if (transition.action !== action) continue;
    const role = roleFor(transition, caller, request);
    const { to, toPay, requires } = transition;
    if (role)
      return {
        to,
        role,
        ...(toPay === undefined ? {} : { toPay }),
        ...(requires ? { requires } : {}),
      };
  }
  return undefined;
}

/** Whether a status is one in which requests are on hold, and their clock stands still. */
export const isOnHold = (
  { transitions }: Pick<Workflow, 'transitions'>,
  statusId: number,
): boolean => transitions.some(({ action, to }) => getAction(action).beginsHold && to === statusId);

/** The step that ends a hold in this status; a validated document has one. */
export function findHoldEnd(
  workflow: Workflow,
  statusId: number,
): Pick<WorkflowTransition, 'action' | 'to'> | undefined {
  const end = transitionsFrom(workflow, statusId).find(({ action }) => getAction(action).endsHold);
  return end && { action: end.action, to: end.to };
}

/** The step that puts a request in this status back into the queue; undefined where there is none. */
export function findRelease(
  workflow: Workflow,
  statusId: number,
): { action: 'release'; to: number } | undefined {
  const step = transitionsFrom(workflow, statusId).find(({ action }) => action === 'release');
  return step && { action: 'release', to: step.to };
}

/**
 * The status after a payment; `undefined` when nothing can be paid in this status. `target`: where
 * the action that charged leads; without one the document says it.
 */
export function findPaidStatus(
  workflow: Workflow,
  statusId: number,
  target: number | null = null,
): number | undefined {
  const pay = transitionsFrom(workflow, statusId).find(({ action }) => action === 'pay');
  // guard: target of a charge (workflow-charges) => pay?.to
  return pay && (target ?? pay.to);
}

/**
 * The first status of a new request, by whether it has something to pay. `total` in fils. Throws
 * ActionNotAllowed when the caller may not create requests.
 */
export function startStatus(workflow: Workflow, total: number, caller: ActionCaller): number {
  const first = total > 0 ? workflow.start.toPay : workflow.start.free;
  const isAllowed = workflow.transitions.some(
    ({ action, from, to, who }) =>
      action === 'create' &&
      from === null &&
      to === first &&
      actingRoles.some((role) => caller.roles.includes(role) && who.includes(role)),
  );
  if (!isAllowed) throw new Refusal('ActionNotAllowed');
  return first;
}

/** The actions that are open to the caller now, `pay` for the owner included. */
export function allowedActions(
  workflow: Workflow,
  caller: ActionCaller,
  request: RequestInStatus & { total: number },
): RequestAction[] {
  const mayPay =
    request.total > 0 &&
    findPaidStatus(workflow, request.status_id) !== undefined &&
    canActAsOwner(caller, request) &&
    caller.roles.some((role) => role === 'Client' || role === 'CompanyUser');
  const open = transitionsFrom(workflow, request.status_id).filter(
    (transition) => roleFor(transition, caller, request) !== undefined,
  );
  return requestActions.filter((action) =>
    action === 'pay' ? mayPay : open.some((transition) => transition.action === action),
  );
}

/** The last day on which the owner may object to the latest decision, while the workflow lets them. */
export function findObjectionDay(workflow: Workflow, request: RequestInStatus): string | null {
  const isOpen =
    mayObject(request) &&
    transitionsFrom(workflow, request.status_id).some(({ action }) => getAction(action).objects);
  return isOpen ? request.objection_until : null;
}

/** Whether an action is closed to the caller only because they approved the request before. */
export function needsAnotherApprover(
  workflow: Workflow,
  caller: ActionCaller,
  request: RequestInStatus,
): boolean {
  const byAnother = { ...request, approver_id: null };
  return (
    request.approver_id === caller.userId &&
    transitionsFrom(workflow, request.status_id).some(
      (transition) =>
        !roleFor(transition, caller, request) && roleFor(transition, caller, byAnother),
    )
  );
}

/** The actions of the caller that may add fines and fees now. */
export function chargingActions(
  workflow: Workflow,
  caller: ActionCaller,
  request: RequestInStatus,
): RequestAction[] {
  return requestActions.filter(
    (action) => findStep(workflow, action, caller, request)?.toPay !== undefined,
  );
}

/** What the workflow requires of the actions that are open to the caller now. */
export function requiredInputs(
  workflow: Workflow,
  caller: ActionCaller,
  request: RequestInStatus,
): Partial<Record<RequestAction, ActionInput[]>> {
  return Object.fromEntries(
    requestActions.flatMap((action) => {
      const requires = findStep(workflow, action, caller, request)?.requires ?? [];
      return requires.length > 0 ? [[action, [...requires]]] : [];
    }),
  );
}

/**
 * The statuses from which a service provider has an action. A provider sees a request after it has
 * reached one of them.
 */
export function providerStatuses(workflow: Workflow): number[] {
  return workflow.transitions.flatMap(({ from, who }) =>
    from !== null && who.includes('ServiceProvider') ? [from] : [],
  );
}

export type CountGroup = NonNullable<WorkflowStatus['countsAs']>;

/**
 * The count that a status belongs to. For the portal's staff the document says it. For service
 * providers, statuses with the action `accept` are new, and their other statuses are processing.
 */
export function countGroup(
  workflow: Workflow,
  statusId: number,
  audience: 'staff' | 'provider',
): CountGroup | undefined {
  if (audience === 'staff') return getStatus(workflow, statusId).countsAs;
  const transitions = workflow.transitions.filter(
    ({ from, who }) => from === statusId && who.includes('ServiceProvider'),
  );
  if (transitions.some(({ action }) => action === 'accept')) return 'new';
  return transitions.length > 0 ? 'processing' : undefined;
}

/** A status by its id. Throws for an unknown id, which a validated document cannot have. */
export function getStatus(workflow: Workflow, statusId: number): WorkflowStatus {
  const status = workflow.statuses.find((candidate) => candidate.statusId === statusId);
  if (!status) throw new Error(`Workflow ${workflow.name} has no status ${statusId}`);
  return status;
}
