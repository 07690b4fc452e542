import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { StoredWorkflowDraft, WorkflowDraft } from '@diwan/contract/requests/workflows';
import type { Language } from '@diwan/contract/wire/languages';
import type { WorkflowsContext } from './activate-workflow.actions.ts';
import * as store from './workflows.store.ts';

/** The draft of a service, or of services in general. Throws ServiceNotFound. */
export async function readDraft(
  { database, catalogue }: WorkflowsContext,
  serviceId: number | undefined,
  language: Language,
): Promise<StoredWorkflowDraft> {
  if (serviceId !== undefined) catalogue.getService(serviceId);
  const row = await store.findDraft(database, serviceId ?? null, language);
  if (!row) return { version: 0 };
  return {
    version: row.version,
    document: row.document,
    updatedAt: row.updated_at.toISOString(),
    ...(row.updated_by === null ? {} : { by: row.updated_by }),
  };
}

/**
 * Stores a draft over the version that the caller read; without a document it deletes the draft.
 * Throws ServiceNotFound, and RecordHasChanged when there is another version.
 */
export async function saveDraft(
  context: WorkflowsContext,
  caller: Caller,
  {
    serviceId,
    version,
    document,
  }: { serviceId?: number | undefined; version: number; document?: WorkflowDraft | undefined },
  language: Language,
): Promise<Omit<StoredWorkflowDraft, 'document'>> {
  if (serviceId !== undefined) context.catalogue.getService(serviceId);
  const isStored = await inTransaction(context.database, (transaction) =>
    document
      ? store.storeDraft(transaction, {
          serviceId: serviceId ?? null,
          version,
          document,
          userId: caller.userId,
        })
      : store.deleteDraft(transaction, serviceId ?? null, version),
  );
  if (!isStored) throw new Refusal('RecordHasChanged');
  const { document: _, ...stored } = await readDraft(context, serviceId, language);
  return stored;
}
