import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { listFiles } from './list-files.ts';

/** Ten hexadecimal digits that change with every text and every name of a file. */
export function hashTexts(folder: string): string {
  const hash = createHash('sha256');
  for (const path of listFiles(folder))
    hash.update(path.slice(folder.length)).update(readFileSync(path));
  return hash.digest('hex').slice(0, 10);
}

/** Sets `VITE_TEXTS_VERSION`, so that the addresses of new texts are new. */
export function textsVersion(folder: string): Plugin {
  return {
    name: 'texts-version',
    config: () => ({
      define: { 'import.meta.env.VITE_TEXTS_VERSION': JSON.stringify(hashTexts(folder)) },
    }),
  };
}
