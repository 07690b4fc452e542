import type { Call, Role } from '@diwan/contract/wire/call';
import { languages } from '@diwan/contract/wire/languages';
import {
  acceptRequest,
  approveRequest,
  createRequest,
  receiveRequest,
  rejectRequest,
  releaseRequest,
  returnRequest,
  submittedRequest,
  updateRequest,
} from '@diwan/contract/requests/requests';
import {
  workflow as workflowShape,
  type RequestAction,
  type Workflow,
  type WorkflowFault,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import { isEnd, isOwnersAction, reachFrom, staffRoles } from './workflow-reach.ts';

/** Actions whose payload holds fines and fees. Source: specification §3. */
const charging: readonly RequestAction[] = ['approve', 'accept', 'submitted'];
const longestText = 400;
// What PostgreSQL cannot keep, and what would turn the text around it.
const unreadable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;

const calls: Partial<Record<RequestAction, Call>> = {
  create: createRequest,
  update: updateRequest,
  receive: receiveRequest,
  approve: approveRequest,
  return: returnRequest,
  submitted: submittedRequest,
  accept: acceptRequest,
  reject: rejectRequest,
  release: releaseRequest,
};

type Faults = WorkflowFault[];

const fault = (
  code: WorkflowFault['code'],
  params: WorkflowFault['params'] = {},
): WorkflowFault => ({ code, params });
const place = (from: number | null) => from ?? '—';

function findShapeFaults(document: unknown): Faults {
  const result = workflowShape.safeParse(document);
  if (result.success) return [];
  return result.error.issues.slice(0, 20).map((issue) => {
    const path = issue.path.join('.') || '{}';
    const language = languages.find((each) => each === issue.path.at(-1));
    if (issue.code === 'unrecognized_keys')
      return fault('unknownPart', { path: [...issue.path, issue.keys[0]].join('.') });
    if (language)
      return fault('languageMissing', { path: issue.path.slice(0, -1).join('.'), language });
    return fault(
      issue.code === 'invalid_type' && issue.input === undefined && /undefined/.test(issue.message)
        ? 'missingPart'
        : 'wrongPart',
      { path },
    );
  });
}

function* findRepeated(values: readonly (string | number)[]): Generator<string | number> {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) === index && values.lastIndexOf(value) !== index) yield value;
}

function findPlaceFaults({ name: title, statuses, transitions, start }: Workflow): Faults {
  const ids = new Set(statuses.map(({ statusId }) => statusId));
  const faults: Faults = [
    ...findRepeated(statuses.map(({ statusId }) => statusId)),
    ...findRepeated(statuses.map(({ key }) => key)),
  ].map((value) => fault('statusTwice', { value }));
  const texts = [
    ['name', title] as const,
    ...statuses.flatMap((status, index) =>
      (['name', 'description'] as const).flatMap((part) =>
        languages.map(
          (language) => [`statuses.${index}.${part}.${language}`, status[part][language]] as const,
        ),
      ),
    ),
  ];
  faults.push(
    ...texts
      .filter(([, text]) => unreadable.test(text) || !text.isWellFormed())
      .map(([path]) => fault('wrongPart', { path })),
  );
  for (const { statusId, name, description } of statuses) {
    if (
      [name, description].some((text) =>
        languages.some((language) => text[language].length > longestText),
      )
    )
      faults.push(fault('textTooLong', { status: statusId, maximum: longestText }));
  }
  for (const { action, from, to, toPay } of transitions) {
    const missing = [from, to, toPay].find(
      (statusId) => typeof statusId === 'number' && !ids.has(statusId),
    );
    if (typeof missing === 'number')
      faults.push(fault('statusMissing', { action, from: place(from), to, status: missing }));
  }
  for (const [name, statusId] of Object.entries(start))
    if (!ids.has(statusId)) faults.push(fault('startMissing', { name, status: statusId }));
  return faults;
}

// Nobody could ever use a cell that the call itself does not let through.
function findWhoFaults({ action, who }: WorkflowTransition): Faults {
  if (action === 'pay') return who.some((role) => role !== 'payment') ? [fault('payByOthers')] : [];
  const admitted = calls[action]?.who ?? [];
  return who
    .filter((role) => role === 'payment' || !(admitted as readonly Role[]).includes(role))
    .map((role) => fault('notOpenTo', { action, role }));
}

// A draft is not a request yet: only its owner has it, to write it on or to send it.
function findDraftFaults({ transitions, start }: Workflow): Faults {
  const faults: Faults = [];
  for (const { action, from, to } of transitions) {
    const isDraftStep =
      from !== null &&
      from === start.draft &&
      (action === 'create' ? to !== start.draft : action === 'update' && to === start.draft);
    if (from !== null && from === start.draft && !isDraftStep)
      faults.push(fault('draftMisplaced', { action, from, to }));
    else if (to === start.draft && !isDraftStep)
      faults.push(fault('draftMisplaced', { action, from: place(from), to }));
    else if ((from === null) !== (action === 'create') && !isDraftStep)
      faults.push(fault('createMisplaced', { action, from: place(from) }));
  }
  return faults;
}

// Two cells for one question would leave the answer to chance. `create` alone has two answers:
// `start` decides between them.
function findRivals(transitions: readonly WorkflowTransition[]): Faults {
  const questions = transitions.flatMap(({ action, from, to, who }) =>
    who.map((role) => JSON.stringify([action, place(from), action === 'create' ? to : 0, role])),
  );
  return [...findRepeated(questions)].map((question) => {
    const [action, from, , role] = JSON.parse(String(question)) as [
      string,
      string | number,
      number,
      string,
    ];
    return fault('rivals', { action, from, role });
  });
}

function findWayFaults(workflow: Workflow): Faults {
  const { statuses, transitions, start } = workflow;
  const faults: Faults = [];
  for (const name of ['toPay', 'free'] as const) {
    if (
      !transitions.some(
        ({ action, from, to }) => action === 'create' && from === null && to === start[name],
      )
    )
      faults.push(fault('startNotCreated', { name, status: start[name] }));
  }
  const reached = reachFrom(workflow, [
    start.toPay,
    start.free,
    ...(start.draft === undefined ? [] : [start.draft]),
  ]);
  const ends = statuses.filter(isEnd).map(({ statusId }) => statusId);
  for (const status of statuses) {
    const { statusId, key, tone } = status;
    if (!reached.has(statusId)) faults.push(fault('unreachable', { status: statusId, key }));
    if (isEnd(status)) continue;
    const out = transitions.filter(({ from, to }) => from === statusId && to !== statusId);
    if (out.length === 0) faults.push(fault('deadEnd', { status: statusId, key }));
    else if (!ends.some((end) => reachFrom(workflow, [statusId]).has(end)))
      faults.push(fault('noEnd', { status: statusId, key }));
    if (
      tone === 'waiting' &&
      !transitions.some((cell) => cell.from === statusId && isOwnersAction(cell))
    )
      faults.push(fault('waitsForNobody', { status: statusId, key }));
  }
  return faults;
}

// Whoever is sent to pay must owe something, and whoever owes something must be able to pay it.
function findMoneyFaults({ transitions, start, statuses }: Workflow): Faults {
  const keyOf = new Map(statuses.map(({ statusId, key }) => [statusId, key]));
  const payable = new Set(
    transitions.flatMap(({ action, from }) => (action === 'pay' && from !== null ? [from] : [])),
  );
  const faults: Faults = payable.has(start.toPay)
    ? []
    : [
        fault('chargeNotPayable', {
          action: 'create',
          status: start.toPay,
          key: keyOf.get(start.toPay) ?? '',
        }),
      ];
  if (payable.has(start.free))
    faults.push(
      fault('nothingToPay', {
        action: 'create',
        status: start.free,
        key: keyOf.get(start.free) ?? '',
      }),
    );
  for (const { action, from, to, toPay } of transitions) {
    if (payable.has(to) && action !== 'create')
      faults.push(fault('nothingToPay', { action, status: to, key: keyOf.get(to) ?? '' }));
    if (toPay === undefined) continue;
    if (!charging.includes(action)) faults.push(fault('chargeNotPossible', { action }));
    if (!payable.has(toPay))
      faults.push(
        fault('chargeNotPayable', { action, status: toPay, key: keyOf.get(toPay) ?? '' }),
      );
    if (from !== null && payable.has(from))
      faults.push(fault('chargeWhileOwed', { action, status: from, key: keyOf.get(from) ?? '' }));
  }
  return faults;
}

function findWorkFaults(workflow: Workflow): Faults {
  const { transitions, statuses } = workflow;
  const held = reachFrom(
    workflow,
    transitions.flatMap(({ action, to }) => (action === 'receive' ? [to] : [])),
  );
  const faults = transitions
    .filter(({ holderOnly, from }) => holderOnly && (from === null || !held.has(from)))
    .map(({ action, from }) => fault('holderUnknown', { action, from: place(from) }));
  for (const { statusId, key, countsAs } of statuses) {
    const hasWork = transitions.some(
      ({ from, who }) =>
        from === statusId && who.some((role) => (staffRoles as readonly string[]).includes(role)),
    );
    if (countsAs && !hasWork) faults.push(fault('countsWithoutWork', { status: statusId, key }));
  }
  if (!statuses.some(({ countsAs }) => countsAs === 'new')) faults.push(fault('nothingNew'));
  return faults;
}

/**
 * Everything that is wrong with a document; what is wrong with its shape comes alone. Empty for one
 * that can be used.
 */
export function findWorkflowFaults(document: unknown): WorkflowFault[] {
  const shape = findShapeFaults(document);
  if (shape.length > 0) return shape;
  const workflow = workflowShape.parse(document);
  const places = findPlaceFaults(workflow);
  if (places.length > 0) return places;
  return [
    ...workflow.transitions.flatMap(findWhoFaults),
    ...findDraftFaults(workflow),
    ...findRivals(workflow.transitions),
    ...findWayFaults(workflow),
    ...findMoneyFaults(workflow),
    ...findWorkFaults(workflow),
  ];
}

/**
 * A status keeps its meaning in every document that requests follow: counts and lists add them up
 * by id.
 */
export function findClashes(document: Workflow, others: readonly Workflow[]): WorkflowFault[] {
  const faults = document.statuses.flatMap((status) => {
    const other = others
      .flatMap(({ statuses }) => statuses)
      .find(
        ({ statusId, key, countsAs, tone }) =>
          statusId === status.statusId &&
          (key !== status.key || countsAs !== status.countsAs || isEnd({ tone }) !== isEnd(status)),
      );
    return other
      ? [fault('statusMeansOther', { status: status.statusId, key: status.key, other: other.key })]
      : [];
  });
  return faults;
}

/** A workflow document that cannot be used; the message is one line that says why. */
export class WorkflowError extends Error {
  readonly faults: readonly WorkflowFault[];
  constructor(faults: readonly WorkflowFault[]) {
    super(
      `The workflow cannot be used: ${faults.map(({ code, params }) => [code, ...Object.entries(params).map(([name, value]) => `${name} ${value}`)].join(' ')).join('; ')}`,
    );
    this.faults = faults;
  }
}

/** Reads a workflow document and holds it to its rules. Throws a `WorkflowError`. */
export function checkWorkflow(document: unknown): Workflow {
  const faults = findWorkflowFaults(document);
  if (faults.length > 0) throw new WorkflowError(faults);
  return workflowShape.parse(document);
}
