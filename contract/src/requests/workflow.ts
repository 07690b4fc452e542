import { z } from 'zod';
import { actingRoles } from '../wire/call.ts';
import { recordVersion } from '../wire/ids.ts';
import { localizedText, type LocalizedText } from '../wire/languages.ts';
import { actionInputs, requestActions } from './actions.ts';

/**
 * What the history of a request records: its actions, that an employee gave it to another one, and that
 * a change of the calendar moved its promised day.
 */
export const historyActions = [...requestActions, 'reassign', 'reschedule', 'transfer'] as const;
export type HistoryAction = (typeof historyActions)[number];

/** Who takes the steps that the history of a request records. `schedule`: a day that had come, or a calendar. */
export const actorKinds = [
  'applicant',
  'employee',
  'serviceProvider',
  'payment',
  'schedule',
] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The meaning of a status for the applicant: waits for them, in progress, done, refused, or withdrawn. */
export const statusTones = ['waiting', 'progress', 'done', 'refused', 'withdrawn'] as const;
export type StatusTone = (typeof statusTones)[number];

/** Whether a status with this meaning ends a request. */
export const isEndTone = (tone: StatusTone): boolean => tone === 'done' || isEndWithoutResult(tone);
/** Whether it ends a request without what was asked for. */
export const isEndWithoutResult = (tone: StatusTone): boolean =>
  tone === 'refused' || tone === 'withdrawn';

/** The fields by which replies name a status; `statusName` is in the caller's language. */
export const statusFields = {
  statusId: z.int(),
  statusName: z.string(),
  statusTone: z.enum(statusTones),
};

const statusId = z.int().min(1).max(32_000);

/**
 * A status: numeric id (specification §3), name, and the count to which it belongs (`new`,
 * `processing`), if any. `name` and `description` are written for the applicant; staff read
 * `staffName` where it is given. `workingDays`: the time limit of a status that is in progress, in
 * working days from the step that led to it.
 */
export const workflowStatus = z.strictObject({
  statusId,
  key: z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/),
  name: localizedText,
  staffName: localizedText.optional(),
  description: localizedText,
  tone: z.enum(statusTones),
  countsAs: z.enum(['new', 'processing']).optional(),
  workingDays: z.int().min(1).max(365).optional(),
});

/**
 * One transition: who may perform an action that moves a request from one status to another.
 * `Client` and `CompanyUser` mean the owner, `ServiceProvider` the partner of the service,
 * `payment` the payment provider's message. `holderOnly`: only the employee who received the
 * request (an Admin may always). `anotherApprover`: nobody who decided last on the request
 * (approve, accept, submitted, reject), not even an Admin. `notify`: the applicant is notified
 * of the step; the default is no. `message`: what the email about the step says beside its template.
 * `toPay`: the action may add fines and fees, and leads to this status when an amount is due then,
 * from which the payment leads to `to`; without it the action charges nothing. `requires`: the
 * inputs without which the action is refused.
 */
export const workflowTransition = z.strictObject({
  action: z.enum(requestActions),
  from: statusId.nullable(),
  to: statusId,
  who: z.array(z.enum([...actingRoles, 'payment'])).min(1),
  holderOnly: z.boolean().optional(),
  anotherApprover: z.boolean().optional(),
  notify: z.boolean().optional(),
  message: localizedText.optional(),
  toPay: statusId.optional(),
  requires: z.array(z.enum(actionInputs)).max(actionInputs.length).optional(),
});

/**
 * The names in the shipped documents, the present one first. The portal shows them in the language
 * of the page.
 */
export const shippedWorkflowNames: readonly string[] = ['Standard workflow', 'Demo workflow'];

/**
 * The whole workflow as one document that a deployment can replace. The shipped one is a demo: the
 * specification does not show the real workflow.
 */
export const workflow = z.strictObject({
  name: z.string().min(1).max(200),
  version: recordVersion,
  demo: z.boolean(),
  statuses: z.array(workflowStatus).min(1).max(60),
  transitions: z.array(workflowTransition).min(1).max(400),
  /**
   * The status of a new request with an amount to pay, and without; and the status that is shown
   * for a draft.
   */
  start: z.strictObject({ toPay: statusId, free: statusId, draft: statusId.optional() }),
});
export type Workflow = z.infer<typeof workflow>;
export type WorkflowStatus = z.infer<typeof workflowStatus>;
export type WorkflowTransition = z.infer<typeof workflowTransition>;

/** The name of a status that staff read. */
export const nameForStaff = ({
  name,
  staffName,
}: Pick<WorkflowStatus, 'name' | 'staffName'>): LocalizedText => staffName ?? name;

/**
 * The problems of a document; each is a translation key under `faults` in `workflow.json`, with the
 * parameters that `WorkflowProblem` carries.
 */
export const workflowProblems = [
  'notJson',
  'unknownPart',
  'missingPart',
  'wrongPart',
  'languageMissing',
  'textTooLong',
  'statusTwice',
  'statusMissing',
  'createMisplaced',
  'payByOthers',
  'notOpenTo',
  'rivals',
  'startMissing',
  'startNotCreated',
  'draftMisplaced',
  'unreachable',
  'deadEnd',
  'noEnd',
  'waitsForNobody',
  'nothingToPay',
  'chargeNotPayable',
  'chargeNotPossible',
  'chargeWhileOwed',
  'paidElsewhere',
  'holderUnknown',
  'approverUnknown',
  'countsWithoutWork',
  'nothingNew',
  'statusMeansOther',
  'limitMisplaced',
  'cannotRequire',
  'feeNotPossible',
  'holdMisplaced',
  'holdNotEnded',
  'holdEndsTwice',
  'resumeMisplaced',
] as const;
/** One problem, with the parameters of its text. */
export const workflowProblem = z.object({
  code: z.enum(workflowProblems),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type WorkflowProblem = z.infer<typeof workflowProblem>;
