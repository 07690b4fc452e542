import { z } from 'zod';
import { actingRoles, administrators, auditReaders, defineCall } from '../wire/call.ts';
import { recordId, recordIdInAddress, versionOrNew } from '../wire/ids.ts';
import { actionInputs } from './actions.ts';
import { workflow, workflowProblem, workflowStatus, workflowTransition } from './workflow.ts';

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

const serviceId = recordIdInAddress;

/** A document as JSON text, at most half of the size of a request body. */
const documentText = z.string().max(500_000);

/** The workflow of one service, or of all services without their own workflow. */
const workflowChoice = z.object({
  workflowId: z.int(),
  serviceId: z.int().optional(),
  serviceName: z.string().optional(),
  name: z.string(),
  version: z.int(),
  demo: z.boolean(),
  /** Absent while the deployment's own document is active and no admin has chosen another. */
  since: z.iso.datetime().optional(),
  /** The name of the admin who chose it. */
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
  who: auditReaders,
  summary: 'The workflows of new requests: for services in general and for those with their own',
  reply: activeWorkflows,
  refusals: [],
});
export const getWorkflowDocument = defineCall({
  name: 'getWorkflowDocument',
  method: 'GET',
  path: '/api/Workflow/GetWorkflowDocument',
  who: auditReaders,
  summary: 'A workflow as its document',
  query: z.object({ WorkflowId: recordIdInAddress }),
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
  repeats: 'harmless',
  path: '/api/Workflow/JudgeWorkflow',
  who: administrators,
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
  who: administrators,
  summary: 'Activate a workflow for new requests',
  body: z.object({
    document: documentText.optional(),
    serviceId: serviceId.optional(),
    replaces: recordId.optional(),
  }),
  reply: activeWorkflows,
  refusals: ['WorkflowNotUsable', 'WorkflowHasChanged', 'ServiceNotFound'],
});

const draftText = z.string().max(400);
const draftTexts = z.strictObject({
  'ar-EG': draftText,
  'en-US': draftText,
  'ur-PK': draftText,
});

/**
 * A document that is being edited: it has the shape of a workflow, and may have empty texts and any
 * problem of `judgeWorkflow`.
 */
export const workflowDraft = workflow.extend({
  name: z.string().max(200),
  statuses: z
    .array(
      workflowStatus.extend({
        key: draftText,
        name: draftTexts,
        staffName: draftTexts.optional(),
        description: draftTexts,
      }),
    )
    .max(60),
  transitions: z
    .array(
      workflowTransition.extend({
        who: z.array(z.enum([...actingRoles, 'payment'])).max(10),
        message: draftTexts.optional(),
      }),
    )
    .max(400),
});

export type WorkflowDraft = z.infer<typeof workflowDraft>;

/** The draft of a scope; `version` 0: there is none yet. */
const storedDraft = z.object({
  version: z.int(),
  document: workflowDraft.optional(),
  updatedAt: z.iso.datetime().optional(),
  by: z.string().optional(),
});
export type StoredWorkflowDraft = z.infer<typeof storedDraft>;

const draftScope = { serviceId: serviceId.optional() };

export const getWorkflowDraft = defineCall({
  name: 'getWorkflowDraft',
  method: 'GET',
  path: '/api/Workflow/GetWorkflowDraft',
  who: auditReaders,
  summary: 'The workflow that admins edit for a service, or for services in general',
  query: z.object({ ServiceId: draftScope.serviceId }),
  reply: storedDraft,
  refusals: ['ServiceNotFound'],
});
/** `version` is the one that the caller read; without a document the draft is deleted. */
export const saveWorkflowDraft = defineCall({
  name: 'saveWorkflowDraft',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Workflow/SaveWorkflowDraft',
  who: administrators,
  summary: 'Store or delete the workflow that admins edit',
  body: z.object({
    ...draftScope,
    version: versionOrNew,
    document: workflowDraft.optional(),
  }),
  reply: storedDraft.omit({ document: true }),
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});

/** The most past requests that are tried, and the most numbers that are named of a kind. */
export const maximumTriedRequests = 5000;
export const maximumNamedRequests = 5;

const trouble = z.object({
  requests: z.int(),
  /** Some of their numbers. */
  examples: z.array(z.string()).max(maximumNamedRequests),
});

/**
 * What would have happened to requests under another workflow. `statusMissing` and `noAction`: open
 * requests in a status that it does not have, or in which nobody has an action. `stopped`: past
 * requests whose recorded steps it does not allow, by the first such step. `otherEnd`: those whose
 * steps lead to an end of another kind, or to none. `overdue`: those that stayed in a status beyond
 * its time limit. `lacking`: steps without an input that the workflow would require.
 */
export const simulateWorkflow = defineCall({
  name: 'simulateWorkflow',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Workflow/SimulateWorkflow',
  who: administrators,
  summary: 'Try a workflow document on past requests; changes nothing',
  body: z.object({ document: documentText, serviceId: serviceId.optional() }),
  reply: z.object({
    openRequests: z.int(),
    statusMissing: z.array(trouble.extend({ statusId: z.int(), statusName: z.string() })),
    noAction: z.array(trouble.extend({ statusId: z.int(), statusName: z.string() })),
    tried: z.int(),
    passed: z.int(),
    stopped: z.array(
      trouble.extend({ action: z.string(), from: z.int().nullable(), statusName: z.string() }),
    ),
    otherEnd: trouble,
    /** Charged at an action that leads to one status while the payment leads to another one. */
    paidElsewhere: z.array(
      trouble.extend({ action: z.string(), statusName: z.string(), paidStatusName: z.string() }),
    ),
    overdue: z.array(trouble.extend({ statusId: z.int(), statusName: z.string() })),
    lacking: z.array(
      trouble.extend({
        action: z.string(),
        statusName: z.string(),
        input: z.enum(actionInputs),
      }),
    ),
  }),
  refusals: ['WorkflowNotUsable', 'ServiceNotFound'],
});
