import { createServer } from 'node:net';

/** A port of this machine that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}

/** Why this process cannot listen there, by the code of the system (EADDRINUSE, EACCES, EADDRNOTAVAIL …); `undefined` when it can. */
export function findListenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
