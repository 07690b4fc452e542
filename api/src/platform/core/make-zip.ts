import { zipSync } from 'fflate';

/** A file of a ZIP; `path` has slashes. */
interface ZipEntry {
  path: string;
  content: Uint8Array;
}

// ZIP has no time before 1980 and no zone: the same entries have the same bytes.
const mtime = new Date(1980, 0, 1);

/**
 * A ZIP of files with different paths, together less than 4 GB and 65,535 files. `stored`: without
 * compression, for files that are compressed already, such as PDFs.
 */
export function makeZip(
  entries: readonly ZipEntry[],
  { stored = false }: { stored?: boolean } = {},
): Buffer {
  const files = Object.fromEntries(entries.map(({ path, content }) => [path, content]));
  const zip = zipSync(files, { level: stored ? 0 : 6, mtime });
  return Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
}
