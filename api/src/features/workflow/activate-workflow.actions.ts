import type { Catalogue } from '#features/services/services.actions.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { findFieldChanges, recordChange } from '#platform/auth/changes.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { FieldChange } from '@diwan/contract/people/changes';
import {
  nameForStaff,
  type Workflow,
  type WorkflowProblem,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import type { WorkflowDifference, ActiveWorkflows } from '@diwan/contract/requests/workflows';
import type { Language } from '@diwan/contract/wire/languages';
import { parseWorkflow, findStatusConflicts, findWorkflowProblems } from './validate-workflow.ts';
import { hashWorkflow, type StoredWorkflow, type Workflows } from './workflows.actions.ts';
import * as store from './workflows.store.ts';

export interface WorkflowsContext {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
}

/** One service, or all services without their own workflow. */
type Scope = { serviceId?: number | undefined };

/** A transition by its action and status, or a creation by its first status. */
const transitionKey = ({ action, from, to }: WorkflowTransition) =>
  JSON.stringify(action === 'create' ? [action, from, to] : [action, from]);

// A document may have two transitions for one action and status, each for other roles.
function groupTransitions({ transitions }: Workflow): Map<string, WorkflowTransition[]> {
  const groups = new Map<string, WorkflowTransition[]>();
  for (const transition of transitions) {
    const key = transitionKey(transition);
    const sorted = { ...transition, who: transition.who.toSorted() };
    groups.set(key, [...(groups.get(key) ?? []), sorted]);
  }
  return groups;
}

const withSortedKeys = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
const isSame = (one: unknown, other: unknown) => withSortedKeys(one) === withSortedKeys(other);

function compareStatuses(before: Workflow, after: Workflow): WorkflowDifference[] {
  const changed = after.statuses.flatMap((status): WorkflowDifference[] => {
    const { statusId } = status;
    const old = before.statuses.find((each) => each.statusId === statusId);
    if (!old) return [{ kind: 'statusAdded', statusId }];
    if (isSame(old, status)) return [];
    const hasSameNames =
      isSame(old.name, status.name) && isSame(nameForStaff(old), nameForStaff(status));
    return [{ kind: hasSameNames ? 'statusChanged' : 'statusRenamed', statusId }];
  });
  const removed = before.statuses.filter(
    ({ statusId }) => !after.statuses.some((status) => status.statusId === statusId),
  );
  return [
    ...changed,
    ...removed.map(({ statusId }) => ({ kind: 'statusRemoved' as const, statusId })),
  ];
}

function compareTransitions(before: Workflow, after: Workflow): WorkflowDifference[] {
  const [old, current] = [groupTransitions(before), groupTransitions(after)];
  const describe = (
    kind: WorkflowDifference['kind'],
    [first]: WorkflowTransition[],
  ): WorkflowDifference => ({ kind, action: first?.action, from: first?.from, to: first?.to });
  const differences: WorkflowDifference[] = [];
  for (const [key, transitions] of current) {
    const known = old.get(key);
    if (!known) differences.push(describe('transitionAdded', transitions));
    else if (!isSame(known, transitions))
      differences.push(describe('transitionChanged', transitions));
  }
  for (const [key, transitions] of old)
    if (!current.has(key)) differences.push(describe('transitionRemoved', transitions));
  return differences;
}

/** The differences between two documents: of statuses, transitions and the start, in this order. */
function compareWorkflows(before: Workflow, after: Workflow): WorkflowDifference[] {
  return [
    ...compareStatuses(before, after),
    ...compareTransitions(before, after),
    ...(isSame(before.start, after.start) ? [] : [{ kind: 'startChanged' as const }]),
  ];
}

/** What an activation changes, for the log of changes: the statuses by their names. */
function describeActivation(before: Workflow, after: Workflow): FieldChange[] {
  const nameOf = (id: number | null | undefined) => {
    const status = [...after.statuses, ...before.statuses].find(({ statusId }) => statusId === id);
    return status && nameForStaff(status);
  };
  const changes = compareWorkflows(before, after).map(({ kind, action, statusId, from, to }) => ({
    kind,
    action,
    status: nameOf(statusId),
    from: nameOf(from),
    to: nameOf(to),
  }));
  const titleOf = ({ name, version }: Workflow) => ({ name, version });
  return [
    ...findFieldChanges(titleOf(before), titleOf(after)),
    ...(changes.length > 0 ? [{ field: 'changes', after: JSON.stringify(changes) }] : []),
  ];
}

/** The value of a JSON text; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function findProblems(
  database: Database | Transaction,
  text: string,
): Promise<WorkflowProblem[]> {
  const document = parseJson(text);
  if (document === undefined) return [{ code: 'notJson', params: {} }];
  const problems = findWorkflowProblems(document);
  return problems.length > 0
    ? problems
    : findStatusConflicts(parseWorkflow(document), await store.selectUsedWorkflows(database));
}

/**
 * The problems of a document, or its differences from the active one. Writes nothing. Throws
 * ServiceNotFound.
 */
export async function validateWorkflow(
  context: WorkflowsContext,
  text: string,
  { serviceId }: Scope,
): Promise<{ faults: WorkflowProblem[]; document?: Workflow; differences: WorkflowDifference[] }> {
  if (serviceId !== undefined) context.catalogue.getService(serviceId);
  const faults = await findProblems(context.database, text);
  if (faults.length > 0) return { faults, differences: [] };
  const document = parseWorkflow(parseJson(text));
  const now = await context.workflow.forService(context.database, serviceId ?? null);
  return { faults, document, differences: compareWorkflows(now.document, document) };
}

const label = ({ document }: StoredWorkflow) => `${document.name} (${document.version})`;

/**
 * Activates a document for new requests, or resets the choice when there is no `text`. `replaces`
 * is the id of the workflow that the caller saw as active. Throws WorkflowNotUsable,
 * WorkflowHasChanged, ServiceNotFound.
 */
export async function activateWorkflow(
  context: WorkflowsContext,
  caller: Caller,
  {
    text,
    serviceId,
    replaces,
  }: Scope & { text?: string | undefined; replaces?: number | undefined },
  address: string,
): Promise<void> {
  const service = serviceId === undefined ? undefined : context.catalogue.getService(serviceId);
  await inTransaction(context.database, async (transaction) => {
    await store.lockChoices(transaction);
    const before = await context.workflow.forService(transaction, serviceId ?? null);
    if (replaces !== undefined && replaces !== before.id) throw new Refusal('WorkflowHasChanged');
    if (text !== undefined && (await findProblems(transaction, text)).length > 0)
      throw new Refusal('WorkflowNotUsable');
    const document = text === undefined ? undefined : parseWorkflow(parseJson(text));
    const workflowId = document
      ? await store.storeWorkflow(transaction, document, hashWorkflow(document))
      : null;
    await store.insertChoice(transaction, {
      service_id: serviceId ?? null,
      workflow_id: workflowId,
      chosen_by: caller.userId,
    });
    // What was a draft is in force now.
    if (document) await store.deleteDraft(transaction, serviceId ?? null);
    const after = await context.workflow.forService(transaction, serviceId ?? null);
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'workflow',
        entityId: serviceId ?? 'general',
        name: after.document.name,
        action: 'published',
        fields: describeActivation(before.document, after.document),
      },
    );
    await recordAudit(transaction, {
      kind: 'workflowPutInForce',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address,
      before: [label(before)],
      after: [label(after), ...(service ? [service.replacedName] : [])],
    });
  });
  await afterCall(() => context.workflow.refresh());
}

/** The workflows of new requests, and the stored documents. */
export async function describeWorkflows(
  context: WorkflowsContext,
  language: Language,
): Promise<ActiveWorkflows> {
  const [choices, stored] = await Promise.all([
    store.selectChoices(context.database),
    store.selectLatestWorkflows(context.database),
  ]);
  const describe = async (workflowId: number, row?: store.ChoiceRow) => {
    const { name, version, demo } = await context.workflow.get(workflowId);
    return {
      workflowId,
      name,
      version,
      demo,
      ...(row
        ? {
            since: row.at.toISOString(),
            ...(row.chosen_by
              ? {
                  by: localizePersonName(
                    { full_name: row.chosen_by, full_name_ar: row.chosen_by_ar },
                    language,
                  ),
                }
              : {}),
          }
        : {}),
      ...(row?.service_id && row.service_name
        ? { serviceId: row.service_id, serviceName: localize(row.service_name, language) }
        : {}),
    };
  };
  const general = choices.find(({ service_id }) => service_id === null);
  return {
    general: await describe(general?.workflow_id ?? context.workflow.deployment.id, general),
    isDeploymentOwn: general === undefined,
    services: await Promise.all(
      choices
        .filter(({ service_id }) => service_id !== null)
        .map((row) => describe(row.workflow_id, row)),
    ),
    earlier: stored.map(({ id, name, version, created_at, requests }) => ({
      workflowId: id,
      name,
      version,
      createdAt: created_at.toISOString(),
      requests,
    })),
  };
}

/** A stored document. Throws NotFound. */
export async function getWorkflowDocument(
  context: WorkflowsContext,
  workflowId: number,
): Promise<Workflow> {
  const document = await store.findWorkflow(context.database, workflowId);
  if (!document) throw new Refusal('NotFound');
  return document;
}
