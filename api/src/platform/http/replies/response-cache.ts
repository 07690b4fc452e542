import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Language } from '@diwan/contract/wire/languages';

type Encoding = 'br' | 'gzip' | 'identity';

/** A text that is sent many times. It is compressed once for each encoding. */
export interface CachedBody {
  /** Changes with the text. */
  etag: string;
  /** In bytes. */
  length: number;
  encoded(encoding: Encoding): Buffer;
}

// From quality 5 on, brotli is smaller than gzip and still takes about a millisecond for a list.
const usualQuality = 5;

const compressors = {
  br: (plain: Buffer, quality: number) =>
    brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain: Buffer) => gzipSync(plain),
  identity: (plain: Buffer) => plain,
};

const hashOf = (content: string | Buffer): string =>
  createHash('sha1').update(content).digest('base64url');

/**
 * A JSON value as bytes, and a hash of it. Replies that have it in common are joined from such parts:
 * encoding the text takes longer than copying the bytes.
 */
export class JsonBytes {
  readonly bytes: Buffer;
  readonly hash: string;
  constructor(bytes: Buffer, hash = hashOf(bytes)) {
    this.bytes = bytes;
    this.hash = hash;
  }
}

const begin = Buffer.from('{"items":[');
const comma = Buffer.from(',');

/** A page of items: an object with the fields `rest` beside `items`. */
export function joinPage(items: readonly JsonBytes[], rest: object): JsonBytes {
  const fields = `],${JSON.stringify(rest).slice(1)}`;
  const parts: Buffer[] = [begin];
  let hashes = fields;
  for (const item of items) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item.bytes);
    hashes += item.hash;
  }
  parts.push(Buffer.from(fields));
  return new JsonBytes(Buffer.concat(parts), hashOf(hashes));
}

/**
 * Prepares a text, or the bytes of one, for `sendCachedBody`. `quality` is that of brotli, up to 11.
 */
export function createCachedBody(
  content: string | JsonBytes,
  quality: number = usualQuality,
): CachedBody {
  const { bytes: plain, hash } =
    typeof content === 'string' ? new JsonBytes(Buffer.from(content)) : content;
  const byEncoding = new Map<Encoding, Buffer>();
  return {
    etag: hash,
    length: plain.length,
    encoded(encoding) {
      const bytes = byEncoding.get(encoding) ?? compressors[encoding](plain, quality);
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

// A smaller text fills one network packet without compression too.
const minimumCompressedLength = 1400;

function readAcceptEncoding(header: string): Encoding {
  const accepted = header
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

// Browsers send one of a few texts.
const encodings = new LRUCache<string, Encoding>({ max: 100 });

/**
 * The encoding of a body for a caller. Compression is safe here: these texts are public, and
 * compression is only dangerous beside a secret.
 */
export function encodingFor(headers: IncomingHttpHeaders, { length }: CachedBody): Encoding {
  const header = headers['accept-encoding'];
  if (length < minimumCompressedLength || header === undefined) return 'identity';
  const text = String(header);
  const encoding = encodings.get(text) ?? readAcceptEncoding(text);
  // A longer text is not one of a browser.
  if (text.length <= 100) encodings.set(text, encoding);
  return encoding;
}

/** The header `etag` of a body in an encoding. */
export const etagOf = (body: CachedBody, encoding: Encoding): string =>
  `"${body.etag}-${encoding}"`;

/** Whether the caller has the body of this tag. */
export const hasTag = (headers: IncomingHttpHeaders, etag: string): boolean =>
  headers['if-none-match'] !== undefined &&
  headers['if-none-match']
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .includes(etag);

/**
 * Sends a cached body in an encoding that the caller accepts, or 304 to a caller that has it. Caches
 * must revalidate it every time, unless `cacheControl` says otherwise.
 */
export function sendCachedBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CachedBody,
  cacheControl = 'no-cache',
): FastifyReply {
  const encoding = encodingFor(request.headers, body);
  const etag = etagOf(body, encoding);
  varyBy(reply, 'accept-encoding').header('cache-control', cacheControl).header('etag', etag);
  if (hasTag(request.headers, etag) && reply.statusCode === 200) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body.encoded(encoding));
}

// How many keys of what was made once are known.
const maximumKnownKeys = 2000;

/**
 * Values by key, the least recently used ones dropped first. A value is cached when it is made for
 * the second time: a visit to every address keeps the rest, and its values are garbage while they
 * are young. Old garbage, buffers above all, stays until the heap has grown.
 */
export class SizedCache<Key extends number | string, Value extends object> {
  readonly #values: LRUCache<Key, Value>;
  readonly #knownKeys = new LRUCache<Key, true>({ max: maximumKnownKeys });

  /** `maximumBytes`: of all values; `sizeOf` returns that of one. */
  constructor(maximumBytes: number, sizeOf: (value: Value) => number) {
    this.#values = new LRUCache<Key, Value>({
      maxSize: maximumBytes,
      sizeCalculation: (value) => sizeOf(value) + 1,
    });
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#knownKeys.has(key)) this.#values.set(key, value);
    else this.#knownKeys.set(key, true);
  }
}

// The texts that the cache may hold; their compressed copies come on top, about a quarter.
const maximumBytes = 8_000_000;
// Longer addresses are searches that are rarely repeated.
const maximumKeyLength = 400;

/** The key of a reply: the version of its data, its language, and its address with the query. */
export const replyKey = (version: number, language: Language, url: string): string =>
  `${version} ${language} ${url}`;

/** Whole replies by address. */
export interface ReplyCache {
  find(key: string): CachedBody | undefined;
  /** Counts a reply that was found without `find`. */
  countHit(): void;
  store(key: string, content: string | JsonBytes): CachedBody;
  /** How many replies were found, and how many had to be made, since the start. */
  counts(): { hit: number; miss: number };
}

/** Opens an empty cache. */
export function openReplyCache(): ReplyCache {
  const bodies = new SizedCache<string, CachedBody>(maximumBytes, ({ length }) => length);
  const counts = { hit: 0, miss: 0 };
  return {
    find(key) {
      const body = bodies.get(key);
      if (body) counts.hit += 1;
      return body;
    },
    countHit() {
      counts.hit += 1;
    },
    store(key, content) {
      counts.miss += 1;
      const body = createCachedBody(content);
      if (key.length <= maximumKeyLength) bodies.set(key, body);
      return body;
    },
    counts: () => ({ ...counts }),
  };
}
