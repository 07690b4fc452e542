import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Marks a reply that is the same for everybody who reads the language: browsers keep it and ask
 * whether it still holds.
 */
export function share(reply: FastifyReply): void {
  const vary = [reply.getHeader('vary')].flat().filter((one) => typeof one === 'string');
  reply
    .header('cache-control', 'no-cache')
    .header('vary', [...vary, 'accept-language', 'accept-encoding'].join(', '));
}

// Less would fill one packet all the same.
const smallestPacked = 1400;

// Public texts that hold nothing of the caller's: what makes packing beside a secret dangerous is
// not there.
function pack(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  payload: string,
): string | Buffer {
  if (
    payload.length < smallestPacked ||
    !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  )
    return payload;
  reply
    .header('content-encoding', 'gzip')
    .header('etag', `"${name}-gzip"`)
    .removeHeader('content-length');
  return gzipSync(payload, { level: 5 });
}

/** Names a shared reply by its content, and answers 304 to whoever has it. A hook `onSend`. */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const name = createHash('sha1').update(payload).digest('base64url');
  reply.header('etag', `"${name}"`);
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) =>
    one
      .trim()
      .replace(/^W\//, '')
      .replace(/-gzip"$/, '"'),
  );
  if (!known.includes(`"${name}"`)) return pack(request, reply, name, payload);
  reply.status(304).removeHeader('content-type').removeHeader('content-length');
  return '';
}
