import { readWorkingTimes } from '#features/calendars/calendars.actions.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import {
  nameForStaff,
  workflow as workflowShape,
  type ActorKind,
  type Workflow,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import {
  maximumNamedRequests,
  maximumTriedRequests,
  type simulateWorkflow as simulateCall,
} from '@diwan/contract/requests/workflows';
import { actingRoles, type ReplyOf } from '@diwan/contract/wire/call';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { parseJson, type WorkflowsContext } from './activate-workflow.actions.ts';
import * as store from './simulate-workflow.store.ts';
import { findPaidStatus, isEnd } from './workflow-rules.actions.ts';

type Simulation = ReplyOf<typeof simulateCall>;
type Trouble = Simulation['otherEnd'];
type Step = store.PathRow['steps'][number];

// The roles behind the recorded kind of an actor. The day of a hold ends it, in whatever roles users
// may end it earlier.
const rolesOfActor: Record<ActorKind, WorkflowTransition['who']> = {
  applicant: ['Client', 'CompanyUser'],
  employee: ['Employee', 'Admin'],
  serviceProvider: ['ServiceProvider'],
  payment: ['payment'],
  schedule: [...actingRoles],
};

const isBy = ({ who }: WorkflowTransition, actor: ActorKind) =>
  who.some((role) => rolesOfActor[actor].includes(role));

/** A charge whose payment leads elsewhere in the document than the action that charged. */
interface PaidElsewhere {
  action: string;
  to: number;
  paid: number;
}

type Replayed = { paidElsewhere: readonly PaidElsewhere[] } & (
  | { status: number }
  | { stoppedAt: Step; status: number | null }
);

// The first status of a request that was recorded in the status `to`.
const firstStatus = ({ start }: Workflow, to: number, isPaid: boolean): number =>
  [start.toPay, start.free].includes(to) ? to : isPaid ? start.toPay : start.free;

// Whether a recorded step was a charge, or led to the status for payment.
const isToPay = (
  transition: WorkflowTransition,
  { isCharged, to }: Step,
): transition is WorkflowTransition & { toPay: number } =>
  transition.toPay !== undefined && (isCharged || transition.toPay === to);

/**
 * Where the steps lead, or the first step that the document does not allow. A step in which an
 * action added fees leads to the payment where the document lets it, and the payment leads to where
 * that action would have led.
 */
function replay(document: Workflow, steps: readonly Step[]): Replayed {
  const { transitions } = document;
  const isPaid = steps.some(({ action }) => action === 'pay');
  const paidElsewhere: PaidElsewhere[] = [];
  let status: number | null = null;
  let target: number | undefined;
  for (const step of steps) {
    const { action, actor, to } = step;
    if (action === 'reassign' || action === 'reschedule' || action === 'transfer') continue;
    const isOpen = (transition: WorkflowTransition) =>
      transition.action === action && transition.from === status && isBy(transition, actor);
    if (action === 'create' && status === null) {
      const first = firstStatus(document, to, isPaid);
      if (!transitions.some((each) => isOpen(each) && each.to === first))
        return { stoppedAt: step, status, paidElsewhere };
      status = first;
      continue;
    }
    const transition = transitions.find(isOpen);
    if (!transition) return { stoppedAt: step, status, paidElsewhere };
    if (isToPay(transition, step)) {
      target = transition.to;
      const paid = findPaidStatus(document, transition.toPay);
      if (paid !== undefined && paid !== target) paidElsewhere.push({ action, to: target, paid });
      status = transition.toPay;
      continue;
    }
    status = action === 'pay' ? (target ?? transition.to) : transition.to;
    target = undefined;
  }
  return { status: status ?? 0, paidElsewhere };
}

const add = (one: Trouble | undefined, other: Trouble): Trouble => ({
  requests: (one?.requests ?? 0) + other.requests,
  examples: [...(one?.examples ?? []), ...other.examples].slice(0, maximumNamedRequests),
});

function hasAction(document: Workflow, { status_id: from, has_partner }: store.StandingRow) {
  return document.transitions.some(
    (transition) =>
      transition.from === from &&
      transition.who.some((role) => role !== 'ServiceProvider' || has_partner),
  );
}

/** The requests that stayed in a status beyond its limit, by status; the most requests first. */
async function findOverdue(
  database: Database,
  sample: { scope: number | null; maximum: number; examples: number },
  document: Workflow,
): Promise<(Trouble & { statusId: number })[]> {
  const limits = document.statuses.flatMap(({ statusId, workingDays }) =>
    workingDays === undefined ? [] : [{ statusId, workingDays }],
  );
  const stays = await store.selectLongStays(database, sample, limits);
  const timeOf = await readWorkingTimes(
    database,
    stays.map(({ calendarId }) => calendarId),
  );
  return limits
    .map(({ statusId, workingDays }) => {
      const late = stays.filter(
        (stay) =>
          stay.statusId === statusId &&
          dayInDubai(stay.until) > timeOf(stay.calendarId).dueDay(stay.at, workingDays),
      );
      const numbers = [...new Set(late.map(({ number }) => number))].toSorted();
      return { statusId, requests: numbers.length, examples: numbers.slice(0, sample.examples) };
    })
    .filter(({ requests }) => requests > 0)
    .toSorted((one, other) => other.requests - one.requests || one.statusId - other.statusId);
}

/**
 * Tries a document on the open and past requests of a scope. It reads, and changes nothing. Throws
 * WorkflowNotUsable for a text that has not the shape of a workflow, and ServiceNotFound.
 */
export async function simulateWorkflow(
  { database, catalogue, workflow }: WorkflowsContext,
  { text, serviceId }: { text: string; serviceId?: number | undefined },
  language: Language,
): Promise<Simulation> {
  if (serviceId !== undefined) catalogue.getService(serviceId);
  const { data: document } = workflowShape.safeParse(parseJson(text));
  if (!document) throw new Refusal('WorkflowNotUsable');
  const scope = serviceId ?? null;
  const sample = {
    scope,
    maximum: maximumTriedRequests,
    examples: maximumNamedRequests,
  };
  const [standing, paths, overdue, lacking] = await Promise.all([
    store.selectStanding(database, scope, workflow.openStatuses(), maximumNamedRequests),
    store.selectPaths(database, sample),
    findOverdue(database, sample, document),
    store.selectLacking(
      database,
      sample,
      document.transitions.flatMap(({ action, from, requires = [] }) =>
        from === null ? [] : requires.map((input) => ({ action, from, input })),
      ),
    ),
  ]);
  const statuses = [document, ...workflow.known()].flatMap((each) => each.statuses);
  const nameOf = (statusId: number | null) => {
    const status = statuses.find((each) => each.statusId === statusId);
    return status ? localize(nameForStaff(status), language) : '';
  };
  const byStatus = (rows: readonly store.StandingRow[]) => {
    const troubles = new Map<number, Trouble>();
    for (const row of rows) troubles.set(row.status_id, add(troubles.get(row.status_id), row));
    return [...troubles].map(([statusId, trouble]) => ({
      statusId,
      statusName: nameOf(statusId),
      ...trouble,
    }));
  };
  const inDocument = new Map(document.statuses.map((status) => [status.statusId, status]));
  const isMissing = ({ status_id }: store.StandingRow) => !inDocument.has(status_id);
  const isStuck = (row: store.StandingRow) => {
    const status = inDocument.get(row.status_id);
    return status !== undefined && !isEnd(status) && !hasAction(document, row);
  };

  const stopped = new Map<string, Simulation['stopped'][number]>();
  const paidElsewhere = new Map<string, Simulation['paidElsewhere'][number]>();
  let [tried, passed] = [0, 0];
  let otherEnd: Trouble = { requests: 0, examples: [] };
  for (const path of paths) {
    tried += path.requests;
    const result = replay(document, path.steps);
    const charges = new Map(result.paidElsewhere.map((each) => [JSON.stringify(each), each]));
    for (const [key, { action, to, paid }] of charges)
      paidElsewhere.set(key, {
        action,
        statusName: nameOf(to),
        paidStatusName: nameOf(paid),
        ...add(paidElsewhere.get(key), path),
      });
    if ('stoppedAt' in result) {
      const { action } = result.stoppedAt;
      const key = JSON.stringify([action, result.status]);
      stopped.set(key, {
        action,
        from: result.status,
        statusName: nameOf(result.status),
        ...add(stopped.get(key), path),
      });
      continue;
    }
    const tone = inDocument.get(result.status)?.tone;
    const end = tone !== undefined && isEnd({ tone }) ? tone : null;
    if (end === path.end) passed += path.requests;
    else otherEnd = add(otherEnd, path);
  }
  return {
    openRequests: standing.reduce((sum, { requests }) => sum + requests, 0),
    statusMissing: byStatus(standing.filter(isMissing)),
    noAction: byStatus(standing.filter(isStuck)),
    tried,
    passed,
    stopped: [...stopped.values()].toSorted((one, other) => other.requests - one.requests),
    otherEnd,
    paidElsewhere: [...paidElsewhere.values()].toSorted(
      (one, other) => other.requests - one.requests,
    ),
    overdue: overdue.map(({ statusId, ...trouble }) => ({
      statusId,
      statusName: nameOf(statusId),
      ...trouble,
    })),
    lacking: lacking.map(({ from, ...trouble }) => ({ statusName: nameOf(from), ...trouble })),
  };
}
