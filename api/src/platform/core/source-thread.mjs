// The entry of every thread in development and tests, in JavaScript: on Node 20 a thread does not
// inherit tsx, which runs TypeScript. `npm start` starts the entries of the bundle.
import { basename } from 'node:path';

const source = process.argv[2];
if (process.env.VITEST && !process.env.THREADS_FROM_SOURCES) {
  // `test-server.ts` has built the server: its entries start in a third of the time.
  await import(new URL(`../../../dist/${basename(source, '.ts')}.js`, import.meta.url));
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source);
}
