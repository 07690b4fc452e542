// Bundles the server into api/dist/main.js, and the sandbox of the payment provider beside it.
// Decision 0040: a start loads a few files instead of compiling 300.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './install.mjs';

const output = join(root, 'api', 'dist');

/** `import.meta.url` stays the address of the source file, from which files beside it are read. */
const keepSourceAddresses = {
  name: 'keep-source-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, file) => ({
      code: code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(relative(output, file))}, import.meta.url).href`,
      ),
      // The lines stay the same.
      map: null,
    }),
  },
};

const bundle = await rolldown({
  input: {
    main: join(root, 'api', 'src', 'main.ts'),
    'payment-process': join(root, 'api', 'src', 'sandbox', 'payments', 'payment-process.ts'),
  },
  platform: 'node',
  // Packages are loaded from node_modules.
  external: (name) => /^[^./#]/.test(name) && !name.startsWith('@diwan/'),
  plugins: [keepSourceAddresses],
});
// A stack needs names and lines of the sources, not their texts.
await bundle.write({
  dir: output,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  cleanDir: true,
});
// A source with a letter beyond Latin-1 takes two bytes for each letter in the memory of the server. Lines
// stay the same.
const escapeLetter = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
for (const name of readdirSync(output).filter((each) => each.endsWith('.js'))) {
  const code = readFileSync(join(output, name), 'utf8');
  writeFileSync(join(output, name), code.replace(/[\u0100-\uffff]/g, escapeLetter));
}
