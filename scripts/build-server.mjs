// Bundles the server into api/dist/main.js, and beside it its threads, the sandbox of the payment
// provider and the commands. Production runs these files alone. Decision 0040: a start loads a few
// files instead of compiling 300.
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './install.mjs';

const sources = join(root, 'api', 'src');
const programs = {
  main: 'main.ts',
  'payment-process': 'sandbox/payments/payment-process.ts',
  diwan: 'commands/main.ts',
  backup: 'backup/main.ts',
};
const threads = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.thread.ts'))
  .map((file) => [basename(file, '.ts'), file]);
const entries = [...Object.entries(programs), ...threads];
if (new Set(entries.map(([name]) => name)).size < entries.length)
  throw new Error(`Two entries of the server have one name: ${entries.join(' ')}`);
// Threads are found beside the file of the bundle that starts them.
const startThread = join(sources, 'platform', 'core', 'start-thread.ts');

/** `import.meta.url` stays the address of the source file, from which files beside it are read. */
const keepSourceAddresses = (output) => ({
  name: 'keep-source-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, file) =>
      file === startThread
        ? undefined
        : {
            code: code.replaceAll(
              'import.meta.url',
              `new URL(${JSON.stringify(relative(output, file))}, import.meta.url).href`,
            ),
            // The lines stay the same.
            map: null,
          },
  },
});

/** Bundles the server into a folder. `plugins` are those of rolldown. */
export async function bundleServer(output, plugins = []) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(([name, file]) => [name, join(sources, file)])),
    platform: 'node',
    // Packages are loaded from node_modules.
    external: (name) => /^[^./#]/.test(name) && !name.startsWith('@diwan/'),
    plugins: [...plugins, keepSourceAddresses(output)],
  });
  // A stack needs names and lines of the sources, not their texts.
  await bundle.write({
    dir: output,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    cleanDir: true,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundleServer(join(root, 'api', 'dist'));
