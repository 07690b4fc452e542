import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { findStatusConflicts } from './validate-workflow.ts';
import * as store from './workflows.store.ts';

/**
 * Chooses a stored workflow for new requests of a service, or the general one, in the transaction
 * of the service's publication; call `Workflows.refresh` after the commit. Throws WorkflowNotUsable.
 */
export async function chooseServiceWorkflow(
  transaction: Transaction,
  serviceId: number,
  workflowId: number | null,
  userId: string | null,
): Promise<void> {
  await store.lockChoices(transaction);
  if (workflowId !== null) {
    const document = await store.findWorkflow(transaction, workflowId);
    const used = await store.selectUsedWorkflows(transaction);
    if (!document || findStatusConflicts(document, used).length > 0)
      throw new Refusal('WorkflowNotUsable');
  }
  await store.insertChoice(transaction, {
    service_id: serviceId,
    workflow_id: workflowId,
    chosen_by: userId,
  });
}
