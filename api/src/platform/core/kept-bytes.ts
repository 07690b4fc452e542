import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A text that is sent many times: named by its content, and compressed once for each encoding that
 * somebody asks for.
 */
export interface KeptBytes {
  etag: string;
  of(encoding: 'br' | 'gzip' | 'identity'): Buffer;
}

// From 5 on brotli is smaller than gzip and still takes about a millisecond for a page.
const compressors = {
  br: (plain: Buffer) =>
    brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain: Buffer) => gzipSync(plain),
  identity: (plain: Buffer) => plain,
};

/** A text as it is sent again and again: compressed once in each way that somebody takes it. */
export function keepBytes(text: string): KeptBytes {
  const plain = Buffer.from(text);
  const made = new Map<string, Buffer>();
  return {
    etag: createHash('sha1').update(plain).digest('base64url'),
    of(encoding) {
      const bytes = made.get(encoding) ?? compressors[encoding](plain);
      made.set(encoding, bytes);
      return bytes;
    },
  };
}

/** Says that a reply depends on a header of the request, beside what it depends on already. */
export function varyBy(reply: FastifyReply, header: string): FastifyReply {
  const known = String(reply.getHeader('vary') ?? '')
    .split(/,\s*/)
    .filter(Boolean);
  return reply.header('vary', [...new Set([...known, header])].join(', '));
}

function encodingFor(request: FastifyRequest): 'br' | 'gzip' | 'identity' {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

/**
 * Sends it as the caller can read it, and 304 to whoever has it; it is asked for again every time.
 */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptBytes,
): FastifyReply {
  const encoding = encodingFor(request);
  const etag = `"${kept.etag}-${encoding}"`;
  varyBy(reply, 'accept-encoding').header('cache-control', 'no-cache').header('etag', etag);
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag) && reply.statusCode === 200) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(kept.of(encoding));
}
