import { hashWorkflow } from '#features/workflow/workflows.actions.ts';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import { requestActions, type RequestAction } from '@diwan/contract/requests/actions';
import * as calls from '@diwan/contract/requests/request-actions';
import type { Workflow, WorkflowTransition } from '@diwan/contract/requests/workflow';
import type { ActingRole, Call } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { TestApp } from '../test-app.ts';
import { messageTexts, type RequestStage, type SentRequest } from './request-stage.ts';

/** The users in relation to a request: for each role, one with access and another one. */
const usernames = {
  owner: 'individual',
  otherClient: 'individual2',
  holder: 'employee',
  otherClerk: 'employee2',
  provider: 'supervisor',
  otherProvider: 'supervisor2',
  admin: 'admin',
  company: 'company',
} as const;
export type ActorName = keyof typeof usernames;

const roleOf: Record<ActorName, ActingRole> = {
  owner: 'Client',
  otherClient: 'Client',
  holder: 'Employee',
  otherClerk: 'Employee',
  provider: 'ServiceProvider',
  otherProvider: 'ServiceProvider',
  admin: 'Admin',
  company: 'CompanyUser',
};
const strangers: readonly ActorName[] = ['otherClient', 'otherProvider', 'company'];

/**
 * Whether a transition allows an actor, by the definition of the workflow. It is written
 * independently of the product code.
 */
function isAllowed(cell: WorkflowTransition, name: ActorName): boolean {
  return (
    cell.who.includes(roleOf[name]) &&
    !strangers.includes(name) &&
    (!cell.holderOnly || name === 'holder' || name === 'admin')
  );
}

export interface Cell {
  from: number;
  action: Exclude<RequestAction, 'create' | 'pay'>;
  name: ActorName;
  to: number | undefined;
}

const actions = requestActions.filter(
  (action): action is Cell['action'] => action !== 'create' && action !== 'pay',
);

/** Where a step leads when nothing is due: past a status for payment. */
const withoutDebt = (
  transitions: Workflow['transitions'],
  to: number | undefined,
): number | undefined =>
  transitions.find(({ action, from }) => action === 'pay' && from === to)?.to ?? to;

/**
 * Every combination that can be tried over HTTP: status x action x actor, with the resulting
 * status; `undefined` where it is refused.
 */
export function listCells({ statuses, transitions, start }: Workflow): Cell[] {
  return statuses
    .filter(({ statusId }) => statusId !== start.draft)
    .flatMap(({ statusId: from }) =>
      actions.flatMap((action) =>
        (Object.keys(usernames) as ActorName[]).map((name) => ({
          from,
          action,
          name,
          to: withoutDebt(
            transitions,
            transitions.find(
              (cell) => cell.action === action && cell.from === from && isAllowed(cell, name),
            )?.to,
          ),
        })),
      ),
    );
}

/**
 * The refusals of a combination that is not allowed: a role that may never call is unauthorized; an
 * actor who may not see the request does not find it; the provider may see it after it was passed
 * to the provider.
 */
export function listExpectedRefusals({
  action,
  name,
}: Pick<Cell, 'action' | 'name'>): readonly string[] {
  if (!actionCalls[action].who.includes(roleOf[name])) return ['YouAreUnauthorized'];
  if (strangers.includes(name)) return ['RequestNotFound'];
  return name === 'provider' ? ['ActionNotAllowed', 'RequestNotFound'] : ['ActionNotAllowed'];
}

/**
 * Sets the status of a request directly and assigns it to `employee`. Only for tests of single
 * cells.
 */
export async function setStatus(app: TestApp, requestId: number, statusId: number): Promise<void> {
  const { id } = await app.database
    .selectFrom('users')
    .select('id')
    .where('username', '=', usernames.holder)
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('requests')
    .set({
      status_id: statusId,
      holder_id: id,
      came_to_provider: true,
      approver_id: null,
      objection_until: dayAfter(todayInDubai(), 1),
    })
    .where('id', '=', requestId)
    .execute();
}

type CellBody = (sent: SentRequest) => object;
const onlyRequest: CellBody = () => ({});

/** What each action sends beside the id of the request. */
const bodies: Record<Exclude<Cell['action'], 'receive'>, CellBody> = {
  update: ({ answers, attachmentIds }) => ({ answers, attachmentIds }),
  approve: onlyRequest,
  return: () => ({ requestHistoryRejectionReasonsList: [1], ...messageTexts }),
  submitted: onlyRequest,
  accept: onlyRequest,
  reject: () => ({ requestHistoryRejectionReasonId: 1, ...messageTexts }),
  release: onlyRequest,
  hold: () => ({ holdUntil: dayAfter(todayInDubai(), 7), ...messageTexts }),
  resume: onlyRequest,
  withdraw: onlyRequest,
  askToWithdraw: () => ({ reason: 'No longer needed' }),
  grantWithdrawal: onlyRequest,
  refuseWithdrawal: () => ({ ...messageTexts }),
  object: () => ({ reason: 'The document was there' }),
  grantObjection: onlyRequest,
  refuseObjection: () => ({ ...messageTexts }),
};

/** Performs an action over HTTP with a complete payload. */
export async function performCell(
  app: TestApp,
  stage: RequestStage,
  { action, name }: Pick<Cell, 'action' | 'name'>,
  sent: SentRequest,
) {
  const { requestId } = sent;
  const username = usernames[name];
  if (action === 'receive') {
    const token = await app.signIn(username);
    return app.call(calls.receiveRequest, { token, params: { requestId } });
  }
  const call: Call & { reply: typeof calls.releaseRequest.reply } = actionCalls[action];
  return stage.performAction(username, call, { requestId, ...bodies[action](sent) });
}

/** Lets a request follow a document, valid or not. */
export async function followDocument(
  app: TestApp,
  requestId: number,
  document: Workflow,
): Promise<void> {
  const { id } = await app.database
    .insertInto('workflows')
    .values({ document: JSON.stringify(document), hash: hashWorkflow(document) })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ hash: hashWorkflow(document) }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('requests')
    .set({ workflow_id: id })
    .where('id', '=', requestId)
    .execute();
}
