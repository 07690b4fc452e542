import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { workflow, workflowFault } from './workflow.ts';

/**
 * One difference between two documents; a translation key under `differences` in `workflow.json`.
 * `action`, `from` and `to` name a transition, `statusId` a status.
 */
export const workflowDifferences = [
  'statusAdded',
  'statusRemoved',
  'statusRenamed',
  'statusChanged',
  'transitionAdded',
  'transitionRemoved',
  'transitionChanged',
  'startChanged',
] as const;
/** What differs, and the names or numbers it differs in. */
export const workflowDifference = z.object({
  kind: z.enum(workflowDifferences),
  statusId: z.int().optional(),
  action: z.string().optional(),
  from: z.int().nullable().optional(),
  to: z.int().optional(),
});
export type WorkflowDifference = z.infer<typeof workflowDifference>;

const serviceId = z.coerce.number().int().min(1);

/** A document as text: what an admin pastes or chooses. Half of what a call may hold. */
const documentText = z.string().max(500_000);

/** What a choice is about: all services that have no workflow of their own, or one service. */
const workflowChoice = z.object({
  workflowId: z.int(),
  serviceId: z.int().optional(),
  serviceName: z.string().optional(),
  name: z.string(),
  version: z.int(),
  demo: z.boolean(),
  /** Absent where the deployment's own document is in force and nobody has chosen another. */
  since: z.iso.datetime().optional(),
  by: z.string().optional(),
});
export type WorkflowChoice = z.infer<typeof workflowChoice>;

/**
 * What new requests follow: for services in general, then for each service with a workflow of its
 * own. `earlier` are other documents that are kept, newest first.
 */
export const workflowsInForce = z.object({
  general: workflowChoice,
  services: z.array(workflowChoice),
  isDeploymentOwn: z.boolean(),
  earlier: z.array(
    z.object({
      workflowId: z.int(),
      name: z.string(),
      version: z.int(),
      createdAt: z.iso.datetime(),
      requests: z.int(),
    }),
  ),
});
export type WorkflowsInForce = z.infer<typeof workflowsInForce>;

/**
 * All three are our own calls: the specification shows no map of statuses, so a deployment brings
 * its own. Decision 0023.
 */
export const getWorkflows = defineCall({
  name: 'getWorkflows',
  method: 'GET',
  path: '/api/Workflow/GetWorkflows',
  who: ['Admin'],
  summary:
    'Which workflow new requests follow, for services in general and for those with one of their own',
  reply: workflowsInForce,
  refusals: [],
});
export const getWorkflowDocument = defineCall({
  name: 'getWorkflowDocument',
  method: 'GET',
  path: '/api/Workflow/GetWorkflowDocument',
  who: ['Admin'],
  summary: 'A workflow as its document',
  query: z.object({ WorkflowId: z.coerce.number().int().min(1).max(2_147_483_647) }),
  reply: workflow,
  refusals: ['NotFound'],
});
/**
 * Judges a document and changes nothing. `faults` is empty for one that can be used; `document` and
 * `differences` (to what is in force there now) come with it.
 */
export const judgeWorkflow = defineCall({
  name: 'judgeWorkflow',
  method: 'POST',
  path: '/api/Workflow/JudgeWorkflow',
  who: ['Admin'],
  summary: 'What is wrong with a workflow document, and how it differs from the one in force',
  body: z.object({ document: documentText, serviceId: serviceId.optional() }),
  reply: z.object({
    faults: z.array(workflowFault),
    document: workflow.optional(),
    differences: z.array(workflowDifference),
  }),
  refusals: ['ServiceNotFound'],
});
/**
 * Puts a document in force for new requests: of one service, or of all that have none of their own.
 * Without a document the choice is taken back: a service follows
 * the general workflow again, services in general the deployment's. `replaces` is the workflow that
 * the admin saw in force there; another one refuses.
 */
export const putWorkflowInForce = defineCall({
  name: 'putWorkflowInForce',
  method: 'POST',
  path: '/api/Workflow/PutWorkflowInForce',
  who: ['Admin'],
  summary: 'Put a workflow in force for new requests',
  body: z.object({
    document: documentText.optional(),
    serviceId: serviceId.optional(),
    replaces: z.int().optional(),
  }),
  reply: workflowsInForce,
  refusals: ['WorkflowNotUsable', 'WorkflowHasChanged', 'ServiceNotFound'],
});
