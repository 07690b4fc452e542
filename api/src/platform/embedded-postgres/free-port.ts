import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems use for outgoing connections (Linux from 32768, others from 49152),
// because one of those may be taken again before it is used.
const [firstPort, lastPort] = [20_000, 29_999];
let lastGiven = randomInt(firstPort, lastPort);

/** A free port of this machine. It returns another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = lastPort - firstPort; tries > 0; tries -= 1) {
    lastGiven = lastGiven === lastPort ? firstPort : lastGiven + 1;
    const port = lastGiven;
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
