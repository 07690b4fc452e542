import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { workflow, workflowProblem } from './workflow.ts';

/**
 * The kinds of difference between two documents; each is a translation key under `differences` in
 * `workflow.json`. `action`, `from` and `to` name a transition, `statusId` a status.
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
/** One difference, with the transition or status that differs. */
export const workflowDifference = z.object({
  kind: z.enum(workflowDifferences),
  statusId: z.int().optional(),
  action: z.string().optional(),
  from: z.int().nullable().optional(),
  to: z.int().optional(),
});
export type WorkflowDifference = z.infer<typeof workflowDifference>;

const serviceId = z.coerce.number().int().min(1);

/** A document as JSON text, at most half of the size of a request body. */
const documentText = z.string().max(500_000);

/** The workflow of one service, or of all services without a workflow of their own. */
const workflowChoice = z.object({
  workflowId: z.int(),
  serviceId: z.int().optional(),
  serviceName: z.string().optional(),
  name: z.string(),
  version: z.int(),
  demo: z.boolean(),
  /** Absent while the deployment's own document is active and no admin has chosen another. */
  since: z.iso.datetime().optional(),
  by: z.string().optional(),
});
export type WorkflowChoice = z.infer<typeof workflowChoice>;

/**
 * The workflows of new requests: for services in general, then for each service with a workflow of
 * its own. `earlier` holds other stored documents, newest first.
 */
export const activeWorkflows = z.object({
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
export type ActiveWorkflows = z.infer<typeof activeWorkflows>;

/**
 * All calls of this file are our own: the specification does not show the workflow, so a deployment
 * brings its own. Decision 0023.
 */
export const getWorkflows = defineCall({
  name: 'getWorkflows',
  method: 'GET',
  path: '/api/Workflow/GetWorkflows',
  who: ['Admin'],
  summary:
    'The workflows of new requests: for services in general and for those with one of their own',
  reply: activeWorkflows,
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
 * Validates a document and changes nothing. `faults` is empty for a valid document; `document` and
 * `differences` (to the workflow that is active there) come with it.
 */
export const judgeWorkflow = defineCall({
  name: 'judgeWorkflow',
  method: 'POST',
  path: '/api/Workflow/JudgeWorkflow',
  who: ['Admin'],
  summary: 'The problems of a workflow document, and its differences from the active one',
  body: z.object({ document: documentText, serviceId: serviceId.optional() }),
  reply: z.object({
    faults: z.array(workflowProblem),
    document: workflow.optional(),
    differences: z.array(workflowDifference),
  }),
  refusals: ['ServiceNotFound'],
});
/**
 * Activates a document for new requests: of one service, or of all services without a workflow of
 * their own. Without a document the choice is reset: a service follows the general workflow again,
 * services in general follow the deployment's. `replaces` is the workflow that the admin saw as
 * active; the call is refused when another one is active.
 */
export const putWorkflowInForce = defineCall({
  name: 'putWorkflowInForce',
  method: 'POST',
  path: '/api/Workflow/PutWorkflowInForce',
  who: ['Admin'],
  summary: 'Activate a workflow for new requests',
  body: z.object({
    document: documentText.optional(),
    serviceId: serviceId.optional(),
    replaces: z.int().optional(),
  }),
  reply: activeWorkflows,
  refusals: ['WorkflowNotUsable', 'WorkflowHasChanged', 'ServiceNotFound'],
});
