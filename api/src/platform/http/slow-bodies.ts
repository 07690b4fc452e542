import type { FastifyInstance } from 'fastify';

/**
 * Ends a request whose body dribbles in: an ordinary body has `bodyMs`; an upload may take as long
 * as a slow network needs, but brings at
 * least `windowBytes` in each `windowMs`. Whoever goes on sending after the answer is hung up on.
 * Node's own limit is one for all requests,
 * so it stays off (design §12). Time in which we do not read is ours: whoever sent everything, or
 * more than we took so far, waits for us.
 */
export function limitSlowBodies(
  server: FastifyInstance,
  limits = { bodyMs: 10_000, windowMs: 30_000, windowBytes: 16_384, afterAnswerMs: 2000 },
): void {
  server.addHook('onRequest', async ({ raw, headers }, reply) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return;
    const isUpload = (headers['content-type'] ?? '').startsWith('application/octet-stream');
    let read = raw.socket.bytesRead;
    let patience: NodeJS.Timeout | undefined;
    let isOver = false;
    const judge = () => {
      if (isOver) return;
      const isOurTurn = raw.complete || raw.readableLength > 0;
      if (!isOurTurn && (!isUpload || raw.socket.bytesRead - read < limits.windowBytes))
        raw.destroy();
      read = raw.socket.bytesRead;
    };
    // After a moment in which this process could not run, what came meanwhile is read first.
    const watch = setInterval(
      () => setImmediate(judge),
      isUpload ? limits.windowMs : limits.bodyMs,
    );
    const stop = () => {
      isOver = true;
      clearInterval(watch);
      clearTimeout(patience);
    };
    raw.once('end', stop).once('close', stop);
    reply.raw.once('finish', () => {
      if (!isOver) patience = setTimeout(() => raw.destroy(), limits.afterAnswerMs);
    });
  });
}
