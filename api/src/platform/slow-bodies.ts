import type { FastifyInstance } from 'fastify';

/**
 * Ends a request whose body dribbles in: ten seconds for an ordinary body, and thirty seconds of silence for an upload, which may take as
 * long as a slow network needs. Node's own limit is one for all requests, so it stays off (design §12).
 */
export function limitSlowBodies(server: FastifyInstance, limits = { bodyMs: 10_000, silenceMs: 30_000 }): void {
  server.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const hangUp = () => request.raw.destroy();
    const isUpload = request.headers['content-type'] === 'application/octet-stream';
    const timer = setTimeout(hangUp, isUpload ? limits.silenceMs : limits.bodyMs);
    if (isUpload) request.raw.socket.on('data', () => timer.refresh());
    request.raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  });
}
