import { ApiError } from '../api/api-error.ts';
import { loadJson, storeItem, unfinishedUploadsKey } from '../browser/storage.ts';
import { uploadDocument, type DocumentCalls, type UploadOptions } from './upload-document.ts';

/** An upload that has started and not finished, as the browser stores it, without its content. */
export interface UnfinishedUpload {
  id: string;
  /** What the upload belongs to, such as the form of a service of one user. */
  place: string;
  /** The document, by the name of its rule. */
  name: string;
  fileName: string;
  size: number;
  lastModified: number;
  at: number;
}

// The server deletes unfinished uploads after the same time.
const lifetimeMs = 86_400_000;
const maximumStored = 50;

function isUnfinishedUpload(value: unknown): value is UnfinishedUpload {
  const { id, place, name, fileName, size, lastModified, at } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>;
  return (
    [id, place, name, fileName].every((text) => typeof text === 'string') &&
    [size, lastModified, at].every((figure) => typeof figure === 'number')
  );
}

function loadAll(): UnfinishedUpload[] {
  const stored = loadJson('local', unfinishedUploadsKey);
  return Array.isArray(stored)
    ? stored.filter(isUnfinishedUpload).filter(({ at }) => Date.now() - at < lifetimeMs)
    : [];
}

function storeAll(uploads: readonly UnfinishedUpload[]): void {
  storeItem('local', unfinishedUploadsKey, JSON.stringify(uploads));
}

const loadOthers = (id: string) => loadAll().filter((one) => one.id !== id);

/** The uploads of this place that ended with a reload or with the page. */
export function findUnfinishedUploads(place: string): UnfinishedUpload[] {
  return loadAll().filter((unfinished) => unfinished.place === place);
}

export function storeUnfinishedUpload(upload: Omit<UnfinishedUpload, 'at'>): void {
  storeAll([...loadOthers(upload.id), { ...upload, at: Date.now() }].slice(-maximumStored));
}

export function removeUnfinishedUpload(id: string): void {
  storeAll(loadOthers(id));
}

/** Whether this is the file of the unfinished upload. */
export function isSameFile(
  unfinished: UnfinishedUpload,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return (
    unfinished.fileName === file.name &&
    unfinished.size === file.size &&
    unfinished.lastModified === file.lastModified
  );
}

interface ResumableOptions extends Omit<UploadOptions, 'unfinishedId'> {
  /** What the upload belongs to, such as the form of a service of one user. */
  place: string;
  /** The document, by the name of its rule. */
  name: string;
}

/** Whether the server refuses the document. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401
  );
}

/** Whether the server would refuse the same file again. */
export function isFinalRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && error.name !== 'AttachmentIncomplete';
}

/**
 * Uploads a file, and continues an unfinished upload of the same file. The upload is stored until
 * the server has accepted or refused it.
 */
export async function uploadWithResume<Received>(
  file: File,
  calls: DocumentCalls<Received>,
  { place, name, onStarted, ...options }: ResumableOptions,
): Promise<{ id: string; received: Received }> {
  let unfinishedId = findUnfinishedUploads(place).find(
    (unfinished) => unfinished.name === name && isSameFile(unfinished, file),
  )?.id;
  try {
    const sent = await uploadDocument(file, calls, {
      ...options,
      unfinishedId,
      onStarted: (id) => {
        unfinishedId = id;
        const { name: fileName, size, lastModified } = file;
        storeUnfinishedUpload({ id, place, name, fileName, size, lastModified });
        onStarted(id);
      },
    });
    removeUnfinishedUpload(sent.id);
    return sent;
  } catch (error) {
    if (unfinishedId !== undefined && isRefused(error)) removeUnfinishedUpload(unfinishedId);
    throw error;
  }
}
