import type { AttachmentRule } from '@diwan/contract/forms/forms';

/** A file that is already on the server. `name` is the name of its attachment rule. */
export interface UploadedDocument {
  attachmentId: string;
  name: string;
  fileName: string;
  size: number;
  mediaType: string;
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
