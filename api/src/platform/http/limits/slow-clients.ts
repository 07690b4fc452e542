import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends requests whose body arrives too slowly. An ordinary body has `bodyMs`. An upload may take as
 * long as a slow network needs, but must bring at least `windowBytes` in each `windowMs`. A client
 * that still sends `afterAnswerMs` after the reply is disconnected. Node's own limit is the same for
 * all requests, so it stays off (design §12). Time in which the server does not read does not count
 * against the client.
 */
export function limitSlowBodies(
  server: FastifyInstance,
  limits = { bodyMs: 10_000, windowMs: 30_000, windowBytes: 16_384, afterAnswerMs: 2000 },
): void {
  server.addHook('onRequest', async ({ raw, headers }, reply) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return;
    const isUpload = (headers['content-type'] ?? '').startsWith('application/octet-stream');
    let readBytes = raw.socket.bytesRead;
    let disconnect: NodeJS.Timeout | undefined;
    let isOver = false;
    const check = () => {
      if (isOver) return;
      const isWaitingForServer = raw.complete || raw.readableLength > 0;
      if (
        !isWaitingForServer &&
        (!isUpload || raw.socket.bytesRead - readBytes < limits.windowBytes)
      )
        raw.destroy();
      readBytes = raw.socket.bytesRead;
    };
    // `setImmediate`: after a pause of this process, the bytes that arrived meanwhile are read first.
    const watch = setInterval(
      () => setImmediate(check),
      isUpload ? limits.windowMs : limits.bodyMs,
    );
    const stop = () => {
      isOver = true;
      clearInterval(watch);
      clearTimeout(disconnect);
    };
    raw.once('end', stop).once('close', stop);
    reply.raw.once('finish', () => {
      if (!isOver) disconnect = setTimeout(() => raw.destroy(), limits.afterAnswerMs);
    });
  });
}

/** After this time without progress a client that does not read is disconnected, in milliseconds. */
export const stalledReaderMs = 30_000;

/**
 * Disconnects a client that does not read its reply: nothing was written to the network for
 * `stalledMs`, up to twice as long when a part was written before. A slow download continues as long
 * as it progresses. The timeout ends with the reply: node then sets that of idle connections.
 */
export function limitSlowReaders(server: FastifyInstance, stalledMs = stalledReaderMs): void {
  server.addHook('onSend', ({ raw }, reply, payload, done) => {
    // A request of `server.inject` has no network connection.
    if (raw.socket instanceof Socket) reply.raw.setTimeout(stalledMs);
    done(null, payload);
  });
}
