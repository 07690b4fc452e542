import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Marks a reply that is the same for everybody who reads the language: browsers keep it and ask whether it still holds. */
export function share(reply: FastifyReply): void {
  reply.header('cache-control', 'no-cache').header('vary', 'accept-language');
}

/** Names a shared reply by its content, and answers 304 to whoever has it. A hook `onSend`. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const etag = `"${createHash('sha1').update(payload).digest('base64url')}"`;
  reply.header('etag', etag);
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (!known.includes(etag)) return payload;
  reply.status(304).removeHeader('content-type').removeHeader('content-length');
  return '';
}
