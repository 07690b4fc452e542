import { mediaTypes } from '@diwan/contract/forms';
import type { Database } from '../../platform/database.ts';
import type { DocumentIntake, DocumentLimits } from '../../platform/document-intake.ts';
import type { FileStore } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import type { Catalogue } from '../services/services.actions.ts';

/** The name under which staff add what a request led to. */
export const resultName = 'result';
const resultRule = { mediaTypes: [...mediaTypes], maximumBytes: 10 * 1024 * 1024 };

export interface AttachmentsHouse {
  database: Database;
  files: FileStore;
  intake: DocumentIntake;
  references: SignedReferences;
  catalogue: Catalogue;
}

/** What a document of this name may be: as its service says, within the limits of the settings. */
export function limitsOf(house: AttachmentsHouse, serviceId: number, name: string): DocumentLimits {
  if (name === resultName) return house.intake.limit(resultRule);
  const rule = house.catalogue.getService(serviceId).attachments.find((candidate) => candidate.name === name);
  if (!rule) throw new Refusal('AttachmentNotFound');
  return house.intake.limit(rule);
}
