import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const tickMs = 100;
// The bytes of a call may be on their way. A connection that brings none in this time is closed.
const ticksWithoutCall = 5;

/**
 * Lets `server.close()` end soon after the last reply and without losing a call. For `delayMs` it
 * still accepts connections, while `/health/ready` answers 503 and proxies choose another process.
 * Then it stops listening. From the beginning each reply closes its connection; idle connections
 * are closed again and again, because a reply that had already begun leaves its connection open.
 * Returns whether the shutdown has begun.
 */
export function prepareShutdown(server: FastifyInstance, delayMs: number): () => boolean {
  const sockets = new Set<Socket>();
  const socketsOfCalls = new Set<Socket>();
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;

  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.addHook('onRequest', (request, _reply, done) => {
    socketsOfCalls.add(request.raw.socket);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (hasBegun) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, _reply, done) => {
    socketsOfCalls.delete(request.raw.socket);
    done();
  });

  // Node counts a connection that has not sent a call yet as busy, so these are closed here.
  let ticks = 0;
  const closeUnused = () => {
    server.server.closeIdleConnections();
    ticks += 1;
    if (ticks < ticksWithoutCall) return;
    for (const socket of sockets) if (!socketsOfCalls.has(socket)) socket.destroy();
  };
  // Runs before the server stops listening.
  server.addHook('preClose', async () => {
    hasBegun = true;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    timer = setInterval(closeUnused, tickMs);
  });
  server.addHook('onClose', async () => clearInterval(timer));
  return () => hasBegun;
}
