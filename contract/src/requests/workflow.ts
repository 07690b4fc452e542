import { z } from 'zod';
import { roles } from '../wire/call.ts';
import { localizedText } from '../wire/languages.ts';

/**
 * What can be done with a request. `pay` is done through the payment provider. Source:
 * specification §4, design §10.
 */
export const requestActions = [
  'create',
  'update',
  'pay',
  'receive',
  'approve',
  'return',
  'submitted',
  'accept',
  'reject',
  'release',
] as const;
export type RequestAction = (typeof requestActions)[number];

/** How a status feels to the person who asked: waits for them, moves, done, or refused. */
export const statusTones = ['waiting', 'progress', 'done', 'refused'] as const;
export type StatusTone = (typeof statusTones)[number];

/**
 * A status: numeric id (specification §3), name, and the count it belongs to (`new`, `processing`)
 * if any.
 */
export const workflowStatus = z.strictObject({
  statusId: z.int().min(1).max(32_000),
  key: z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/),
  name: localizedText,
  description: localizedText,
  tone: z.enum(statusTones),
  countsAs: z.enum(['new', 'processing']).optional(),
});

/**
 * One cell of the map: who may take a request by an action from a status to another. `Client` and
 * `CompanyUser` mean the owner, `ServiceProvider` the
 * partner of the service; `payment` means the payment provider's word. `holderOnly`: only the
 * employee who received it (an Admin may always). `notify`: the applicant is told of the step;
 * absent means not.
 * `toPay`: the action may add fines and fees, and this is where it leads when something is due
 * then; without it the action charges nothing.
 */
export const workflowTransition = z.strictObject({
  action: z.enum(requestActions),
  from: z.int().nullable(),
  to: z.int(),
  who: z.array(z.enum([...roles, 'payment'])).min(1),
  holderOnly: z.boolean().optional(),
  notify: z.boolean().optional(),
  toPay: z.int().optional(),
});

/**
 * The whole map as one document that a deployment can replace. The shipped one is a demo: the
 * specification does not show the real map.
 */
export const workflow = z.strictObject({
  name: z.string().min(1).max(200),
  version: z.int().min(1),
  demo: z.boolean(),
  statuses: z.array(workflowStatus).min(1).max(60),
  transitions: z.array(workflowTransition).min(1).max(400),
  /**
   * The status of a new request: with something to pay, and without; and what is shown for one that
   * is not sent yet.
   */
  start: z.strictObject({ toPay: z.int(), free: z.int(), draft: z.int().optional() }),
});
export type Workflow = z.infer<typeof workflow>;
export type WorkflowStatus = z.infer<typeof workflowStatus>;
export type WorkflowTransition = z.infer<typeof workflowTransition>;

/**
 * Why a document cannot be used; each is a translation key under `faults` in `workflow.json`, with
 * the parameters that `WorkflowFault` carries.
 */
export const workflowFaults = [
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
  'holderUnknown',
  'countsWithoutWork',
  'nothingNew',
  'statusMeansOther',
] as const;
/** One of them, with what its text names. */
export const workflowFault = z.object({
  code: z.enum(workflowFaults),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type WorkflowFault = z.infer<typeof workflowFault>;
