import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { staffDocumentLimits } from '@diwan/contract/requests/attachments';

/** A file that is already on the server. `name` is the name of its attachment rule. */
export interface UploadedDocument {
  attachmentId: string;
  name: string;
  fileName: string;
  size: number;
  mediaType: string;
}

/** The document without the other fields of a reply. */
export function toUploadedDocument({
  attachmentId,
  name,
  fileName,
  size,
  mediaType,
}: UploadedDocument): UploadedDocument {
  return { attachmentId, name, fileName, size, mediaType };
}

/** The names of the required rules without a document. */
export function missingDocuments(
  rules: readonly AttachmentRule[],
  documents: readonly UploadedDocument[],
): string[] {
  return rules
    .filter((rule) => rule.required && !documents.some((each) => each.name === rule.name))
    .map((rule) => rule.name);
}

/** Whether a file for a rule is on its way; one that failed is not. */
export function isUploading(
  pending: readonly { name: string; refusal?: unknown; error?: unknown }[],
  name: string,
): boolean {
  return pending.some(
    (each) => each.name === name && each.refusal === undefined && each.error === undefined,
  );
}

interface StaffDocuments {
  name: string;
  required: boolean;
  maximumCount: number;
  title: string;
  description?: string;
}

/** A rule has a text in all languages; of documents of staff only the current one is shown. */
const inEveryLanguage = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });

/**
 * The rule of documents that staff upload. A file that the server would refuse is not uploaded.
 */
export function ruleOfStaffDocuments({
  title,
  description,
  ...rule
}: StaffDocuments): AttachmentRule {
  return {
    ...rule,
    ...staffDocumentLimits,
    title: inEveryLanguage(title),
    ...(description === undefined ? {} : { description: inEveryLanguage(description) }),
  };
}
