import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all files in a folder and its subfolders, in a stable order. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
