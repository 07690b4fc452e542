import type { UploadedDocument } from '../documents/uploaded-documents.ts';

/** The content of a new request or a correction. `passed` are the names of completed stages. */
export interface Draft {
  answers: Record<string, unknown>;
  /** Explanations of marked items that stay unchanged, by mark key. */
  explanations: Record<string, string>;
  documents: UploadedDocument[];
  passed: string[];
}

export const emptyDraft: Draft = { answers: {}, explanations: {}, documents: [], passed: [] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

function isDocument(value: unknown): value is UploadedDocument {
  return (
    isObject(value) &&
    [value.attachmentId, value.name, value.fileName, value.mediaType].every(isText) &&
    typeof value.size === 'number'
  );
}

/** Validates a value from storage, which an older version may have written. */
export function isDraft(value: unknown): value is Draft {
  return (
    isObject(value) &&
    isObject(value.answers) &&
    !Array.isArray(value.answers) &&
    isObject(value.explanations) &&
    Object.values(value.explanations).every(isText) &&
    Array.isArray(value.documents) &&
    value.documents.every(isDocument) &&
    Array.isArray(value.passed) &&
    value.passed.every(isText)
  );
}
