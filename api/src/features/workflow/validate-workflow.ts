import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import {
  workflow as workflowShape,
  type Workflow,
  type WorkflowProblem,
  type WorkflowStatus,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import { languages } from '@diwan/contract/wire/languages';
import { isEnd, isOnHold } from './workflow-rules.actions.ts';

const staffRoles: readonly string[] = ['Admin', 'Employee', 'ServiceProvider'];
const maximumText = 400;
// Characters that PostgreSQL cannot store, and those that change the direction of the text around.
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;

const problem = (
  code: WorkflowProblem['code'],
  params: WorkflowProblem['params'] = {},
): WorkflowProblem => ({ code, params });
const fromText = (from: number | null) => from ?? '—';

function findShapeProblems(document: unknown): WorkflowProblem[] {
  const result = workflowShape.safeParse(document);
  if (result.success) return [];
  return result.error.issues.slice(0, 20).map((issue) => {
    const path = issue.path.join('.') || '{}';
    const language = languages.find((each) => each === issue.path.at(-1));
    if (issue.code === 'unrecognized_keys')
      return problem('unknownPart', { path: [...issue.path, issue.keys[0]].join('.') });
    if (language)
      return problem('languageMissing', { path: issue.path.slice(0, -1).join('.'), language });
    const isMissing =
      issue.code === 'invalid_type' && issue.input === undefined && /undefined/.test(issue.message);
    return problem(isMissing ? 'missingPart' : 'wrongPart', { path });
  });
}

function* findDuplicates(values: readonly (string | number)[]): Generator<string | number> {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) === index && values.lastIndexOf(value) !== index) yield value;
}

function findTextProblems({ name: title, statuses, transitions }: Workflow): WorkflowProblem[] {
  const texts = [
    ['name', title] as const,
    ...statuses.flatMap((status, index) =>
      (['name', 'staffName', 'description'] as const).flatMap((part) =>
        Object.entries(status[part] ?? {}).map(
          ([language, text]) => [`statuses.${index}.${part}.${language}`, text] as const,
        ),
      ),
    ),
    ...transitions.flatMap(({ message }, index) =>
      Object.entries(message ?? {}).map(
        ([language, text]) => [`transitions.${index}.message.${language}`, text] as const,
      ),
    ),
  ];
  const tooLongMessages = transitions.flatMap(({ message }, index) =>
    Object.values(message ?? {}).some((text) => text.length > maximumText)
      ? [problem('wrongPart', { path: `transitions.${index}.message` })]
      : [],
  );
  const unreadable = texts.filter(
    ([, text]) => forbiddenCharacters.test(text) || !text.isWellFormed(),
  );
  const tooLong = statuses.filter(({ name, staffName, description }) =>
    [name, staffName, description].some((text) =>
      Object.values(text ?? {}).some((part) => part.length > maximumText),
    ),
  );
  return [
    ...unreadable.map(([path]) => problem('wrongPart', { path })),
    ...tooLongMessages,
    ...tooLong.map(({ statusId }) =>
      problem('textTooLong', { status: statusId, maximum: maximumText }),
    ),
  ];
}

function findStatusProblems(workflow: Workflow): WorkflowProblem[] {
  const { statuses, transitions, start } = workflow;
  const ids = new Set(statuses.map(({ statusId }) => statusId));
  const duplicates = [
    ...findDuplicates(statuses.map(({ statusId }) => statusId)),
    ...findDuplicates(statuses.map(({ key }) => key)),
  ];
  const problems = [
    ...duplicates.map((value) => problem('statusTwice', { value })),
    ...findTextProblems(workflow),
  ];
  for (const { action, from, to, toPay } of transitions) {
    const missing = [from, to, toPay].find(
      (statusId) => typeof statusId === 'number' && !ids.has(statusId),
    );
    if (typeof missing === 'number')
      problems.push(
        problem('statusMissing', { action, from: fromText(from), to, status: missing }),
      );
  }
  for (const [name, statusId] of Object.entries(start))
    if (!ids.has(statusId)) problems.push(problem('startMissing', { name, status: statusId }));
  return problems;
}

// A transition for a role to which the call of its action is not open can never be used.
function findRoleProblems({ action, who }: WorkflowTransition): WorkflowProblem[] {
  if (action === 'pay')
    return who.some((role) => role !== 'payment') ? [problem('payByOthers')] : [];
  const { roles } = getAction(action);
  return who
    .filter((role) => role === 'payment' || !roles.includes(role))
    .map((role) => problem('notOpenTo', { action, role }));
}

// A draft is not a request yet. Only its owner can change it or send it.
function findDraftProblems({ transitions, start }: Workflow): WorkflowProblem[] {
  return transitions.flatMap(({ action, from, to }) => {
    const isFromDraft = from !== null && from === start.draft;
    const isDraftStep =
      isFromDraft &&
      (action === 'create' ? to !== start.draft : action === 'update' && to === start.draft);
    if (isDraftStep) return [];
    if (isFromDraft || to === start.draft)
      return [problem('draftMisplaced', { action, from: fromText(from), to })];
    return (from === null) === (action === 'create')
      ? []
      : [problem('createMisplaced', { action, from: fromText(from) })];
  });
}

// One role may have only one transition for an action from a status. `create` may have two, since
// `start` decides between them.
function findAmbiguousTransitions(transitions: readonly WorkflowTransition[]): WorkflowProblem[] {
  const keys = transitions.flatMap(({ action, from, to, who }) =>
    who.map((role) => JSON.stringify([action, fromText(from), action === 'create' ? to : 0, role])),
  );
  return [...findDuplicates(keys)].map((key) => {
    const [action, from, , role] = JSON.parse(String(key)) as [
      string,
      string | number,
      number,
      string,
    ];
    return problem('rivals', { action, from, role });
  });
}

/** The statuses that can follow these, themselves included. */
function findReachable(
  { transitions }: Pick<Workflow, 'transitions'>,
  statusIds: readonly number[],
): Set<number> {
  const reached = new Set(statusIds);
  for (const statusId of reached) {
    for (const { from, to, toPay } of transitions) {
      if (from !== statusId) continue;
      reached.add(to);
      if (toPay !== undefined) reached.add(toPay);
    }
  }
  return reached;
}

// The report of the payment provider counts as the applicant's action.
const isApplicantAction = ({ who }: WorkflowTransition) =>
  who.some((role) => role === 'Client' || role === 'CompanyUser' || role === 'payment');

function findEndProblems(
  workflow: Workflow,
  status: WorkflowStatus,
  ends: readonly number[],
): WorkflowProblem[] {
  if (isEnd(status)) return [];
  const { statusId, key, tone } = status;
  const transitions = workflow.transitions.filter(({ action }) => !getAction(action).isVoluntary);
  const fromHere = transitions.filter(({ from }) => from === statusId);
  const problems: WorkflowProblem[] = [];
  if (!fromHere.some(({ to }) => to !== statusId))
    problems.push(problem('deadEnd', { status: statusId, key }));
  else if (!ends.some((end) => findReachable({ transitions }, [statusId]).has(end)))
    problems.push(problem('noEnd', { status: statusId, key }));
  if (tone === 'waiting' && !fromHere.some(isApplicantAction))
    problems.push(problem('waitsForNobody', { status: statusId, key }));
  return problems;
}

function findPathProblems(workflow: Workflow): WorkflowProblem[] {
  const { statuses, transitions, start } = workflow;
  const notCreated = (['toPay', 'free'] as const).filter(
    (name) =>
      !transitions.some(
        ({ action, from, to }) => action === 'create' && from === null && to === start[name],
      ),
  );
  const reached = findReachable(workflow, [
    start.toPay,
    start.free,
    ...(start.draft === undefined ? [] : [start.draft]),
  ]);
  const ends = statuses.filter(isEnd).map(({ statusId }) => statusId);
  return [
    ...notCreated.map((name) => problem('startNotCreated', { name, status: start[name] })),
    ...statuses.flatMap((status) => [
      ...(reached.has(status.statusId)
        ? []
        : [problem('unreachable', { status: status.statusId, key: status.key })]),
      ...findEndProblems(workflow, status, ends),
    ]),
  ];
}

// A request in a status for payment must have an amount due, and a request with an amount due must
// be in a status for payment.
function findPaymentProblems({ transitions, start, statuses }: Workflow): WorkflowProblem[] {
  const keyOf = new Map(statuses.map(({ statusId, key }) => [statusId, key]));
  const payable = new Set(
    transitions.flatMap(({ action, from }) => (action === 'pay' && from !== null ? [from] : [])),
  );
  const statusProblem = (
    code: WorkflowProblem['code'],
    action: RequestAction,
    status: number,
  ): WorkflowProblem => problem(code, { action, status, key: keyOf.get(status) ?? '' });
  return [
    ...(payable.has(start.toPay) ? [] : [statusProblem('chargeNotPayable', 'create', start.toPay)]),
    ...(payable.has(start.free) ? [statusProblem('nothingToPay', 'create', start.free)] : []),
    ...transitions.flatMap(({ action, from, to, toPay }) => [
      ...(payable.has(to) && action !== 'create' && !getAction(action).returnsToPayment
        ? [statusProblem('nothingToPay', action, to)]
        : []),
      ...(toPay === undefined
        ? []
        : [
            ...(getAction(action).isGranting ? [] : [problem('chargeNotPossible', { action })]),
            ...(payable.has(toPay) ? [] : [statusProblem('chargeNotPayable', action, toPay)]),
            ...(from !== null && payable.has(from)
              ? [statusProblem('chargeWhileOwed', action, from)]
              : []),
          ]),
    ]),
  ];
}

// The payment of a charge leads to where the charging action leads; the document has to say the same.
function findPaidElsewhere({ transitions, statuses }: Workflow): WorkflowProblem[] {
  const payments = transitions.filter(({ action }) => action === 'pay');
  const keyOf = new Map(statuses.map(({ statusId, key }) => [statusId, key]));
  return transitions.flatMap(({ action, from, to, toPay: status }) =>
    status === undefined
      ? []
      : payments
          .filter((pay) => pay.from === status && pay.to !== to)
          .map(({ to: paid }) =>
            problem('paidElsewhere', {
              action,
              from: fromText(from),
              to: keyOf.get(to) ?? to,
              status: keyOf.get(status) ?? status,
              paid: keyOf.get(paid) ?? paid,
            }),
          ),
  );
}

function findInputProblems({
  action,
  from,
  toPay,
  requires = [],
}: WorkflowTransition): WorkflowProblem[] {
  return requires.flatMap((input) => {
    if (!getAction(action).requirable?.includes(input))
      return [problem('cannotRequire', { action, from: fromText(from), input })];
    return input === 'fee' && toPay === undefined
      ? [problem('feeNotPossible', { action, from: fromText(from) })]
      : [];
  });
}

// The clock of a request on hold stands still, so that it needs an end, and no other way in. The day
// ends it without a role, so that all its ends lead to the same status.
function findHoldProblems({ transitions, statuses, start }: Workflow): WorkflowProblem[] {
  const holds = new Set(
    statuses.flatMap(({ statusId }) => (isOnHold({ transitions }, statusId) ? [statusId] : [])),
  );
  const isReachedOtherwise = (statusId: number) =>
    [start.toPay, start.free].includes(statusId) ||
    transitions.some(
      ({ action, to, toPay }) =>
        toPay === statusId || (to === statusId && !getAction(action).beginsHold),
    );
  const endsOf = (statusId: number) => [
    ...new Set(
      transitions
        .filter(({ action, from }) => from === statusId && getAction(action).endsHold)
        .map(({ to }) => to),
    ),
  ];
  return [
    ...statuses
      .filter(({ statusId }) => holds.has(statusId))
      .flatMap(({ statusId: status, key, tone, workingDays }) => [
        ...(tone !== 'progress' || isReachedOtherwise(status)
          ? [problem('holdMisplaced', { status, key })]
          : []),
        ...(workingDays === undefined ? [] : [problem('limitMisplaced', { status, key })]),
        ...(endsOf(status).some((to) => !holds.has(to))
          ? []
          : [problem('holdNotEnded', { status, key })]),
        ...(endsOf(status).length > 1 ? [problem('holdEndsTwice', { status, key })] : []),
      ]),
    ...transitions
      .filter(({ action, from }) => getAction(action).endsHold && !(from && holds.has(from)))
      .map(({ action, from }) => problem('resumeMisplaced', { action, from: fromText(from) })),
  ];
}

function findStaffProblems(workflow: Workflow): WorkflowProblem[] {
  const { transitions, statuses } = workflow;
  const held = findReachable(
    workflow,
    transitions.flatMap(({ action, to }) => (action === 'receive' ? [to] : [])),
  );
  const approved = findReachable(
    workflow,
    transitions.flatMap(({ action, to, toPay = to }) =>
      getAction(action).isGranting || getAction(action).isObjectable ? [to, toPay] : [],
    ),
  );
  const hasStaffAction = (statusId: number) =>
    transitions.some(
      ({ from, who }) => from === statusId && who.some((role) => staffRoles.includes(role)),
    );
  return [
    ...statuses
      .filter(({ workingDays, tone }) => workingDays !== undefined && tone !== 'progress')
      .map(({ statusId, key }) => problem('limitMisplaced', { status: statusId, key })),
    ...transitions.flatMap(findInputProblems),
    ...transitions
      .filter(({ holderOnly, from }) => holderOnly && (from === null || !held.has(from)))
      .map(({ action, from }) => problem('holderUnknown', { action, from: fromText(from) })),
    ...transitions
      .filter(
        ({ anotherApprover, from }) => anotherApprover && (from === null || !approved.has(from)),
      )
      .map(({ action, from }) => problem('approverUnknown', { action, from: fromText(from) })),
    ...statuses
      .filter(({ statusId, countsAs }) => countsAs && !hasStaffAction(statusId))
      .map(({ statusId, key }) => problem('countsWithoutWork', { status: statusId, key })),
    ...(statuses.some(({ countsAs }) => countsAs === 'new') ? [] : [problem('nothingNew')]),
  ];
}

/**
 * The problems of a document; empty when it can be used. Problems of the shape, then of the
 * statuses, are reported alone, since the other rules need a document without them.
 */
export function findWorkflowProblems(document: unknown): WorkflowProblem[] {
  const shapeProblems = findShapeProblems(document);
  if (shapeProblems.length > 0) return shapeProblems;
  const workflow = workflowShape.parse(document);
  const statusProblems = findStatusProblems(workflow);
  if (statusProblems.length > 0) return statusProblems;
  return [
    ...workflow.transitions.flatMap(findRoleProblems),
    ...findDraftProblems(workflow),
    ...findAmbiguousTransitions(workflow.transitions),
    ...findPathProblems(workflow),
    ...findPaymentProblems(workflow),
    ...findPaidElsewhere(workflow),
    ...findStaffProblems(workflow),
    ...findHoldProblems(workflow),
  ];
}

/**
 * The statuses that mean something else in another document. Counts and lists combine the requests
 * of all documents by the id of their status.
 */
export function findStatusConflicts(
  document: Workflow,
  others: readonly Workflow[],
): WorkflowProblem[] {
  const otherStatuses = others.flatMap(({ statuses }) => statuses);
  return document.statuses.flatMap((status) => {
    const other = otherStatuses.find(
      ({ statusId, key, countsAs, tone }) =>
        statusId === status.statusId &&
        (key !== status.key || countsAs !== status.countsAs || isEnd({ tone }) !== isEnd(status)),
    );
    return other
      ? [
          problem('statusMeansOther', {
            status: status.statusId,
            key: status.key,
            other: other.key,
          }),
        ]
      : [];
  });
}

/** A workflow document that cannot be used; the message lists its problems in one line. */
export class WorkflowError extends Error {
  readonly problems: readonly WorkflowProblem[];
  constructor(problems: readonly WorkflowProblem[]) {
    const lines = problems.map(({ code, params }) =>
      [code, ...Object.entries(params).map(([name, value]) => `${name} ${value}`)].join(' '),
    );
    super(`The workflow cannot be used: ${lines.join('; ')}`);
    this.problems = problems;
  }
}

/** Reads a workflow document and validates it. Throws a `WorkflowError`. */
export function parseWorkflow(document: unknown): Workflow {
  const problems = findWorkflowProblems(document);
  if (problems.length > 0) throw new WorkflowError(problems);
  return workflowShape.parse(document);
}
