import type { Role } from '@diwan/contract/wire/call';
import * as calls from '@diwan/contract/requests/requests';
import type {
  RequestAction,
  Workflow,
  WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import { words, type RequestStage, type Sent } from './request-stage.ts';
import type { TestApp } from './test-app.ts';

/** Everybody who can stand before a request: of each role, whose it is and somebody else. */
const cast = {
  owner: 'individual',
  otherClient: 'individual2',
  holder: 'employee',
  otherClerk: 'employee2',
  provider: 'supervisor',
  otherProvider: 'supervisor2',
  admin: 'admin',
  company: 'company',
} as const;
export type CastName = keyof typeof cast;

const roleOf: Record<CastName, Role> = {
  owner: 'Client',
  otherClient: 'Client',
  holder: 'Employee',
  otherClerk: 'Employee',
  provider: 'ServiceProvider',
  otherProvider: 'ServiceProvider',
  admin: 'Admin',
  company: 'CompanyUser',
};
const strangers: readonly CastName[] = ['otherClient', 'otherProvider', 'company'];

/**
 * What a map says of one person, as its text says it: written apart from the code that it judges.
 */
function isMeant(cell: WorkflowTransition, name: CastName): boolean {
  return (
    cell.who.includes(roleOf[name]) &&
    !strangers.includes(name) &&
    (!cell.holderOnly || name === 'holder' || name === 'admin')
  );
}

export interface Cell {
  from: number;
  action: Exclude<RequestAction, 'create' | 'pay'>;
  name: CastName;
  to: number | undefined;
}

const actions = [
  'update',
  'receive',
  'approve',
  'return',
  'submitted',
  'accept',
  'reject',
  'release',
] as const;

/**
 * Every question that can be asked over HTTP: status x action x person, with where it leads;
 * `undefined` where it is refused.
 */
export function cellsOf({ statuses, transitions, start }: Workflow): Cell[] {
  return statuses
    .filter(({ statusId }) => statusId !== start.draft)
    .flatMap(({ statusId: from }) =>
      actions.flatMap((action) =>
        (Object.keys(cast) as CastName[]).map((name) => ({
          from,
          action,
          name,
          to: transitions.find(
            (cell) => cell.action === action && cell.from === from && isMeant(cell, name),
          )?.to,
        })),
      ),
    );
}

const whoMayCall: Record<Cell['action'], 'anyone' | readonly Role[]> = {
  update: calls.updateRequest.who,
  receive: calls.receiveRequest.who,
  approve: calls.approveRequest.who,
  return: calls.returnRequest.who,
  submitted: calls.submittedRequest.who,
  accept: calls.acceptRequest.who,
  reject: calls.rejectRequest.who,
  release: calls.releaseRequest.who,
};

/**
 * How a cell that is closed is refused: whose role may never call hears so, whoever may not know of
 * the request that there is none; the provider may know of it once it came to them.
 */
export function refusalsFor({ action, name }: Pick<Cell, 'action' | 'name'>): readonly string[] {
  if (!whoMayCall[action].includes(roleOf[name])) return ['YouAreUnauthorized'];
  if (strangers.includes(name)) return ['RequestNotFound'];
  return name === 'provider' ? ['ActionNotAllowed', 'RequestNotFound'] : ['ActionNotAllowed'];
}

/**
 * Puts a request into a status as if its life had led there; `employee` holds it. For tests of
 * single cells alone.
 */
export async function place(app: TestApp, requestId: number, statusId: number): Promise<void> {
  const { id } = await app.database
    .selectFrom('users')
    .select('id')
    .where('username', '=', cast.holder)
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('requests')
    .set({ status_id: statusId, holder_id: id, came_to_provider: true })
    .where('id', '=', requestId)
    .execute();
}

/** Asks for an action over HTTP, with all that its payload needs. */
export async function ask(
  app: TestApp,
  stage: RequestStage,
  { action, name }: Pick<Cell, 'action' | 'name'>,
  { requestId, answers, attachmentIds }: Sent,
) {
  const username = cast[name];
  switch (action) {
    case 'receive':
      return app.call(calls.receiveRequest, {
        token: await app.signIn(username),
        params: { requestId },
      });
    case 'update':
      return stage.act(username, calls.updateRequest, { requestId, answers, attachmentIds });
    case 'approve':
      return stage.act(username, calls.approveRequest, { requestId });
    case 'return':
      return stage.act(username, calls.returnRequest, {
        requestId,
        requestHistoryRejectionReasonsList: [1],
        ...words,
      });
    case 'submitted':
      return stage.act(username, calls.submittedRequest, { requestId });
    case 'accept':
      return stage.act(username, calls.acceptRequest, { requestId });
    case 'reject':
      return stage.act(username, calls.rejectRequest, {
        requestId,
        requestHistoryRejectionReasonId: 1,
        ...words,
      });
    case 'release':
      return stage.act(username, calls.releaseRequest, { requestId });
  }
}
