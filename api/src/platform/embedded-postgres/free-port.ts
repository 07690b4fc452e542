import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems give to whoever connects somewhere (Linux from 32768, others from
// 49152): one of those may be taken again before it is used.
const [firstPort, lastPort] = [20_000, 29_999];
let next = randomInt(firstPort, lastPort);

/** A port of this machine that nobody listens on at the moment, another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = lastPort - firstPort; tries > 0; tries -= 1) {
    next = next === lastPort ? firstPort : next + 1;
    const port = next;
    if ((await findListenFault(port, '127.0.0.1')) === undefined) return port;
  }
  throw new Error('no free port');
}

/**
 * Why this process cannot listen there, by the code of the system (EADDRINUSE, EACCES,
 * EADDRNOTAVAIL …); `undefined` when it can.
 */
export function findListenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
