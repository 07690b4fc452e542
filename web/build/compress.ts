import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { listFiles } from './list-files.ts';

/** The smaller one of two ways to write distances: each is better for some of our scripts. */
function brotli(content: Buffer): Buffer {
  const [one, other] = [0, 1].map((postfix) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
      },
    }),
  ) as [Buffer, Buffer];
  return one.length <= other.length ? one : other;
}

/**
 * Writes compressed copies of the text files that were built; the server sends them as they are.
 * `configuration.json` changes after the build and the page depends on its address, so neither has
 * a copy.
 */
export function compress(folder: string): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle() {
      for (const path of listFiles(folder)) {
        const isText = /\.(m?js|css|json|svg|html)$/.test(path);
        if (!isText || /(configuration\.json|index\.html)$/.test(path)) continue;
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotli(content));
      }
    },
  };
}
