import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip' | 'identity';

/** A text that is sent many times. It is compressed once for each encoding. */
export interface CachedBody {
  /** A hash of the text. */
  etag: string;
  encoded(encoding: Encoding): Buffer;
}

// From quality 5 on, brotli is smaller than gzip and still takes about a millisecond for a page.
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

const hashOf = (content: string | Buffer): string =>
  createHash('sha1').update(content).digest('base64url');

/** Prepares a text for `sendCachedBody`. */
export function createCachedBody(text: string): CachedBody {
  const plain = Buffer.from(text);
  const byEncoding = new Map<Encoding, Buffer>();
  return {
    etag: hashOf(plain),
    encoded(encoding) {
      const bytes = byEncoding.get(encoding) ?? compressors[encoding](plain);
      byEncoding.set(encoding, bytes);
      return bytes;
    },
  };
}

/** Adds a header of the request to the header `vary` of the reply. */
export function varyBy(reply: FastifyReply, header: string): FastifyReply {
  const known = String(reply.getHeader('vary') ?? '')
    .split(/,\s*/)
    .filter(Boolean);
  return reply.header('vary', [...new Set([...known, header])].join(', '));
}

function encodingFor(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

const knownTags = (request: FastifyRequest): string[] =>
  (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/**
 * Sends a cached body in an encoding that the caller accepts, or 304 to a caller that has it. Caches
 * must revalidate it every time.
 */
export function sendCachedBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CachedBody,
): FastifyReply {
  const encoding = encodingFor(request);
  const etag = `"${body.etag}-${encoding}"`;
  varyBy(reply, 'accept-encoding').header('cache-control', 'no-cache').header('etag', etag);
  if (knownTags(request).includes(etag) && reply.statusCode === 200)
    return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body.encoded(encoding));
}

/**
 * Marks a reply that is the same for every reader of a language. Browsers store it and revalidate it
 * every time.
 */
export function markCacheable(reply: FastifyReply): void {
  varyBy(varyBy(reply, 'accept-language'), 'accept-encoding').header('cache-control', 'no-cache');
}

// A smaller reply fills one network packet without compression too.
const minimumCompressedLength = 1400;

// Compression is safe here: these replies are public, and compression is only dangerous beside a
// secret.
function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  payload: string,
): string | Buffer {
  if (
    payload.length < minimumCompressedLength ||
    !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  )
    return payload;
  reply
    .header('content-encoding', 'gzip')
    .header('etag', `"${etag}-gzip"`)
    .removeHeader('content-length');
  return gzipSync(payload, { level: 5 });
}

/**
 * A hook `onSend` for replies that are marked as cacheable: sets the etag, compresses, and answers
 * 304 to a caller that has the reply.
 */
export async function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const etag = hashOf(payload);
  reply.header('etag', `"${etag}"`);
  const known = knownTags(request).map((tag) => tag.replace(/-gzip"$/, '"'));
  if (!known.includes(`"${etag}"`)) return compress(request, reply, etag, payload);
  reply.status(304).removeHeader('content-type').removeHeader('content-length');
  return '';
}
