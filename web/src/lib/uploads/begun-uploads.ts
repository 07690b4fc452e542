import { begunUploads as key, recallJson, remember } from '../browser/browser-memory.ts';

/**
 * An upload that was begun and is not there yet: whose place it is for, and which file it was.
 * Nothing of its content.
 */
export interface BegunUpload {
  id: string;
  /** What it belongs to, such as a service's form of one person. */
  place: string;
  /** The document that it is, by the name of its rule. */
  name: string;
  fileName: string;
  size: number;
  lastModified: number;
  at: number;
}

// As long as the server keeps halves.
const lifeMs = 86_400_000;

function isBegun(value: unknown): value is BegunUpload {
  const { id, place, name, fileName, size, lastModified, at } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>;
  return (
    [id, place, name, fileName].every((text) => typeof text === 'string') &&
    [size, lastModified, at].every((figure) => typeof figure === 'number')
  );
}

function readAll(): BegunUpload[] {
  const kept = recallJson('local', key);
  return Array.isArray(kept)
    ? kept.filter(isBegun).filter(({ at }) => Date.now() - at < lifeMs)
    : [];
}

/** Uploads of this place that a reload or the end of the page broke off. */
export function findBegun(place: string): BegunUpload[] {
  return readAll().filter((begun) => begun.place === place);
}

export function rememberBegun(begun: Omit<BegunUpload, 'at'>): void {
  remember(
    'local',
    key,
    JSON.stringify(
      [...readAll().filter(({ id }) => id !== begun.id), { ...begun, at: Date.now() }].slice(-50),
    ),
  );
}

export function forgetBegun(id: string): void {
  remember('local', key, JSON.stringify(readAll().filter((begun) => begun.id !== id)));
}

/** Whether this is the file that was begun. */
export function isSameFile(
  begun: BegunUpload,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return (
    begun.fileName === file.name &&
    begun.size === file.size &&
    begun.lastModified === file.lastModified
  );
}
