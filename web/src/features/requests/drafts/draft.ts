/** A file that the server holds already. */
export interface UploadedDocument {
  attachmentId: string;
  name: string;
  fileName: string;
  size: number;
  mediaType: string;
}

/**
 * What is in a request that is being written, or mended. `passed` names the stages that were gone
 * through once.
 */
export interface Draft {
  answers: Record<string, unknown>;
  /** Why something marked stays as it is, by the key of its mark. */
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

/** An older version of the portal, or somebody else, may have kept it. */
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
