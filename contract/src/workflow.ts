import { z } from 'zod';
import { roles } from './call.ts';
import { localizedText } from './languages.ts';

/** What can be done with a request. `pay` is done through the payment provider. Source: specification §4, design §10. */
export const requestActions = ['create', 'update', 'pay', 'receive', 'approve', 'return', 'submitted', 'accept', 'reject', 'release'] as const;
export type RequestAction = (typeof requestActions)[number];

/** How a status feels to the person who asked: waits for them, moves, done, or refused. */
export const statusTones = ['waiting', 'progress', 'done', 'refused'] as const;
export type StatusTone = (typeof statusTones)[number];

/** A status: numeric id (specification §3), name, and the count it belongs to (`new`, `processing`) if any. */
export const workflowStatus = z.strictObject({
  statusId: z.int().min(1), key: z.string(), name: localizedText, description: localizedText, tone: z.enum(statusTones), countsAs: z.enum(['new', 'processing']).optional(),
});

/**
 * One cell of the map: who may take a request by an action from a status to another. `Client` and `CompanyUser` mean the owner, `ServiceProvider` the
 * partner of the service; `payment` means the payment provider's word. `holderOnly`: only the employee who received it (an Admin may always).
 */
export const workflowTransition = z.strictObject({
  action: z.enum(requestActions), from: z.int().nullable(), to: z.int(), who: z.array(z.enum([...roles, 'payment'])).min(1), holderOnly: z.boolean().optional(),
});

/** The whole map as one document that a deployment can replace. The shipped one is a demo: the specification does not show the real map. */
export const workflow = z.strictObject({
  name: z.string(), version: z.int().min(1), demo: z.boolean(),
  statuses: z.array(workflowStatus).min(1), transitions: z.array(workflowTransition).min(1),
  /** The status of a new request: with something to pay, and without. */
  start: z.strictObject({ toPay: z.int(), free: z.int() }),
});
export type Workflow = z.infer<typeof workflow>;
export type WorkflowStatus = z.infer<typeof workflowStatus>;
export type WorkflowTransition = z.infer<typeof workflowTransition>;
