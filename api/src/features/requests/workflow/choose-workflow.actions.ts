import type { Language } from '@diwan/contract/wire/languages';
import type { Workflow, WorkflowFault } from '@diwan/contract/requests/workflow';
import type { WorkflowDifference, WorkflowsInForce } from '@diwan/contract/requests/workflows';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { localize } from '../../../platform/core/localize.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import type { Catalogue } from '../../services/services.actions.ts';
import { checkWorkflow, findClashes, findWorkflowFaults } from './check-workflow.ts';
import { differencesOf } from './workflow-differences.ts';
import { hashOf, type KeptWorkflow, type Workflows } from './workflows.actions.ts';
import * as store from './workflows.store.ts';

export interface ChoosingContext {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
}

/** For services in general, or for one. */
type Scope = { serviceId?: number | undefined };

function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function findAllFaults(
  database: Database | Transaction,
  text: string,
): Promise<WorkflowFault[]> {
  const document = readText(text);
  if (document === undefined) return [{ code: 'notJson', params: {} }];
  const faults = findWorkflowFaults(document);
  return faults.length > 0
    ? faults
    : findClashes(checkWorkflow(document), await store.selectFollowed(database));
}

/**
 * Says what is wrong with a document, and what it would change; writes nothing. Throws
 * ServiceNotFound.
 */
export async function judge(
  context: ChoosingContext,
  text: string,
  { serviceId }: Scope,
): Promise<{ faults: WorkflowFault[]; document?: Workflow; differences: WorkflowDifference[] }> {
  if (serviceId !== undefined) context.catalogue.getService(serviceId);
  const faults = await findAllFaults(context.database, text);
  if (faults.length > 0) return { faults, differences: [] };
  const document = checkWorkflow(readText(text));
  const now = await context.workflow.forService(context.database, serviceId ?? null);
  return { faults, document, differences: differencesOf(now.document, document) };
}

const label = ({ document }: KeptWorkflow) => `${document.name} (${document.version})`;

/**
 * Puts a document in force for new requests, or takes the choice back. Throws WorkflowNotUsable,
 * WorkflowHasChanged, ServiceNotFound.
 */
export async function putInForce(
  context: ChoosingContext,
  caller: Caller,
  {
    text,
    serviceId,
    replaces,
  }: Scope & { text?: string | undefined; replaces?: number | undefined },
  address: string,
): Promise<void> {
  const service = serviceId === undefined ? undefined : context.catalogue.getService(serviceId);
  await context.database.transaction().execute(async (transaction) => {
    await store.lockChoices(transaction);
    const before = await context.workflow.forService(transaction, serviceId ?? null);
    if (replaces !== undefined && replaces !== before.id) throw new Refusal('WorkflowHasChanged');
    if (text !== undefined && (await findAllFaults(transaction, text)).length > 0)
      throw new Refusal('WorkflowNotUsable');
    const document = text === undefined ? undefined : checkWorkflow(readText(text));
    const workflowId = document
      ? await store.storeWorkflow(transaction, document, hashOf(document))
      : null;
    await store.insertChoice(transaction, {
      service_id: serviceId ?? null,
      workflow_id: workflowId,
      chosen_by: caller.userId,
    });
    const after = await context.workflow.forService(transaction, serviceId ?? null);
    await recordAudit(transaction, {
      kind: 'workflowPutInForce',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address,
      before: [label(before)],
      after: [label(after), ...(service ? [service.replacedName] : [])],
    });
  });
  await context.workflow.refresh();
}

/** What new requests follow, and which documents are kept. */
export async function describeWorkflows(
  context: ChoosingContext,
  language: Language,
): Promise<WorkflowsInForce> {
  const [choices, kept] = await Promise.all([
    store.selectChoices(context.database),
    store.selectKept(context.database),
  ]);
  const describe = async (workflowId: number, row?: store.ChoiceRow) => {
    const { name, version, demo } = await context.workflow.get(workflowId);
    return {
      workflowId,
      name,
      version,
      demo,
      ...(row
        ? { since: row.at.toISOString(), ...(row.chosen_by ? { by: row.chosen_by } : {}) }
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
    earlier: kept.map(({ id, name, version, created_at, requests }) => ({
      workflowId: id,
      name,
      version,
      createdAt: created_at.toISOString(),
      requests,
    })),
  };
}

/** A document as it is kept. Throws NotFound. */
export async function getDocument(context: ChoosingContext, workflowId: number): Promise<Workflow> {
  const document = await store.findWorkflow(context.database, workflowId);
  if (!document) throw new Refusal('NotFound');
  return document;
}
