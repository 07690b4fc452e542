import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

// Below the ports that systems use for outgoing connections (Linux from 32768, others from 49152),
// because one of those may be taken again before it is used.
const [firstPort, lastPort] = [20_000, 29_999];
const count = lastPort - firstPort + 1;
// A port is taken seconds before something listens on it. Programs that start at the same time have
// different process ids, and begin in different blocks.
const blockSize = 50;
const block = ((process.pid + threadId * 37) * blockSize) % count;
let given = 0;

/** A free port of this machine. It returns another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    // After its own block, those of others.
    const place = tries < blockSize ? given++ % blockSize : tries;
    const port = firstPort + ((block + place) % count);
    if ((await findListenError(port, '127.0.0.1')) === undefined) return port;
  }
  throw new Error('no free port');
}

/**
 * The code of the system's error when this process cannot listen on a port (EADDRINUSE, EACCES,
 * EADDRNOTAVAIL …); `undefined` when it can.
 */
export function findListenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
