import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { UploadedDocument } from '../drafts/draft.ts';

/** The names of the required documents that are not there yet. */
export function missingDocuments(
  rules: readonly AttachmentRule[],
  documents: readonly UploadedDocument[],
): string[] {
  return rules
    .filter((rule) => rule.required && !documents.some((each) => each.name === rule.name))
    .map((rule) => rule.name);
}
