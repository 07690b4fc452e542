// Bundles the server into api/dist/main.js, and the sandbox of the payment provider beside it.
// Decision 0040: a start loads a few files instead of compiling 300.
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
  external: (name) => /^[^./]/.test(name) && !name.startsWith('@diwan/'),
  plugins: [keepSourceAddresses],
});
await bundle.write({ dir: output, format: 'esm', sourcemap: true, cleanDir: true });
