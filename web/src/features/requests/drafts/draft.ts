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

// One entry for each part, so that the compiler names a new one.
const isPart: Record<keyof Draft, (value: unknown) => boolean> = {
  answers: (value) => isObject(value) && !Array.isArray(value),
  explanations: (value) => isObject(value) && Object.values(value).every(isText),
  documents: (value) => Array.isArray(value) && value.every(isDocument),
  passed: (value) => Array.isArray(value) && value.every(isText),
};

/** Validates a value from storage, which an older version may have written. */
export const isDraft = (value: unknown): value is Draft =>
  isObject(value) && Object.entries(isPart).every(([part, isValid]) => isValid(value[part]));
