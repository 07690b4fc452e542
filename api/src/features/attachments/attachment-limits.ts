import { mediaTypes } from '@diwan/contract/forms/forms';
import { providerDocumentName } from '@diwan/contract/requests/service-provider-attachments';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { DocumentIntake, DocumentLimits } from '../../platform/files/document-intake.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { SignedReferences } from '../../platform/auth/signed-references.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { selectRulesOfRequest } from './attachments.store.ts';

/** The name under which staff add what a request led to. */
export const resultName = 'result';
/** Whether a document is one that staff or the service provider bring, not the applicant. */
export const isOfStaff = (name: string): boolean =>
  name === resultName || name === providerDocumentName;
const resultRule = { mediaTypes: [...mediaTypes], maximumBytes: 10 * 1024 * 1024 };

export interface AttachmentsContext {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: SignedReferences;
  catalogue: Catalogue;
  /**
   * Harmful content was found in a document that a request holds already; in the transaction that
   * writes it down.
   */
  tellInfected(transaction: Transaction, requestId: number): Promise<void>;
}

/** What announcing a document stands on too. */
export interface AnnouncingContext extends AttachmentsContext {
  /**
   * What one person's documents that no request holds may take up together: the setting
   * DOCUMENTS_UNSENT_MEGABYTES.
   */
  unsentMegabytes: number;
  /** How many of them may be announced within an hour: the setting DOCUMENTS_UNSENT_PER_HOUR. */
  unsentInHour: number;
}

/**
 * What a document of this name may be: as its service says, or the request that it is for, which
 * keeps the rules it began with; within the limits of the settings.
 */
export async function limitsOf(
  context: AttachmentsContext,
  { serviceId, requestId, name }: { serviceId: number; requestId: number | null; name: string },
): Promise<DocumentLimits> {
  if (isOfStaff(name)) return context.intake.limit(resultRule);
  const rules =
    requestId === null
      ? context.catalogue.getService(serviceId).attachments
      : await selectRulesOfRequest(context.database, requestId);
  const rule = rules.find((candidate) => candidate.name === name);
  if (!rule) throw new Refusal('AttachmentNotFound');
  return context.intake.limit(rule);
}
