import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { listFiles } from './list-files.ts';

const library = join(import.meta.dirname, '../../node_modules/pdfjs-dist');
const isAsset =
  /(cmaps|standard_fonts)\/[\w-]+\.(bcmap|pfb|ttf)$|wasm\/openjpeg_nowasm_fallback\.js$/;

/**
 * Adds the files that pdf.js fetches by name while it reads a document: character maps, standard
 * fonts, and its decoder without WebAssembly, which the content policy does not allow.
 * `VITE_PDF_PARTS` is the address of their folder.
 */
export function pdfAssets(): Plugin {
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = `assets/pdf-${version.replaceAll('.', '-')}/`;
  return {
    name: 'pdf-assets',
    config: (_config, { command }) => ({
      define: {
        'import.meta.env.VITE_PDF_PARTS': JSON.stringify(
          command === 'build' ? `/${folder}` : `/@fs${library}/`,
        ),
      },
    }),
    generateBundle() {
      for (const path of listFiles(library)) {
        if (isAsset.test(path))
          this.emitFile({
            type: 'asset',
            fileName: folder + path.slice(library.length + 1).replaceAll('\\', '/'),
            source: readFileSync(path),
          });
      }
    },
  };
}
