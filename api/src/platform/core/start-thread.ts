import { basename } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

// scripts/build-server.mjs leaves this address as it is: that of the bundle, or of this file.
const own = import.meta.url;

/**
 * Starts a thread. `source` is the address of its `*.thread.ts`: each of them is an entry of the
 * server's bundle. In development it runs by tsx; tests, which build the server, start the entry.
 */
export function startThread(
  source: URL,
  options: Pick<WorkerOptions, 'workerData' | 'resourceLimits'> = {},
): Worker {
  // The options of the server's command line are not for its threads.
  if (own.endsWith('.js'))
    return new Worker(new URL(`${basename(source.pathname, '.ts')}.js`, own), {
      ...options,
      execArgv: [],
    });
  return new Worker(new URL('source-thread.mjs', own), {
    ...options,
    execArgv: [],
    argv: [source.href],
  });
}
