import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { readLanguage } from '@diwan/contract/wire/languages';
import { stalledReaderMs } from '../limits/slow-clients.ts';
import {
  encodingFor,
  etagOf,
  hasTag,
  replyKey,
  type CachedBody,
  type ReplyCache,
} from './response-cache.ts';

/** Called after a reply: the path of the call, the status, and how long it took, in seconds. */
type OnSent = (path: string, status: number, seconds: number) => void;

/** Replies that are sent from the cache, without Fastify. */
export interface CachedReplies {
  /** Sends the replies of this path from memory; `version` as in `ServeOptions`. */
  add(path: string, version: () => number): void;
  onSent(listener: OnSent): void;
  /** Sends the reply to a request, if it is in the cache. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** What a cached reply has beside its body. */
export interface CachedRepliesOptions {
  replies: ReplyCache;
  /** The headers that every reply to this request has. */
  securityHeaders: (request: IncomingMessage) => OutgoingHttpHeaders;
  isShuttingDown: () => boolean;
  /** What the header `vary` of every reply begins with; empty, or it ends with a comma and a space. */
  varies: string;
}

const type = 'application/json; charset=utf-8';

// The language, if `ln` occurs at most once: Fastify reads several as a list, and ignores them.
function languageIn(query: string, header: string | undefined) {
  const at = query.indexOf('ln=');
  if (at === -1) return readLanguage(header);
  if (query.includes('ln=', at + 1) || (at > 0 && query[at - 1] !== '&')) return undefined;
  return readLanguage(query.slice(at + 3).split('&', 1)[0]);
}

// A caller with a token is checked, another origin gets its own headers, and a body is refused.
const isPlainRead = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.authorization === undefined &&
  headers.origin === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers['content-type'] !== 'application/octet-stream';

/** A body in an encoding, with its headers: names and values in one list, which node writes fastest. */
interface PreparedReply {
  path: string;
  etag: string;
  headers: string[];
  bytes: Buffer;
  /** What it depends on beside the address. */
  readVersion: () => number;
  version: number;
  security: OutgoingHttpHeaders;
  acceptLanguage: string | undefined;
  acceptEncoding: string | string[] | undefined;
}

const isSameReply = (
  reply: PreparedReply,
  { headers }: IncomingMessage,
  security: OutgoingHttpHeaders,
): boolean =>
  reply.version === reply.readVersion() &&
  reply.security === security &&
  reply.acceptLanguage === headers['accept-language'] &&
  reply.acceptEncoding === headers['accept-encoding'];

function encodeReply(
  { headers: given }: IncomingMessage,
  body: CachedBody,
  security: OutgoingHttpHeaders,
  varies: string,
): Pick<PreparedReply, 'etag' | 'headers' | 'bytes'> {
  const encoding = encodingFor(given, body);
  const etag = etagOf(body, encoding);
  const bytes = body.encoded(encoding);
  const headers = {
    ...security,
    'cache-control': 'no-cache',
    'content-type': type,
    vary: `${varies}accept-language, accept-encoding`,
    etag,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-length': bytes.length,
  };
  const list = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  return { etag, headers: list, bytes };
}

// Without encoding and length, which a reply without content does not have.
const notModified = (headers: readonly string[]): string[] =>
  headers.slice(0, headers.indexOf('etag') + 2);

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, headers, bytes }: PreparedReply,
): number {
  const isKnown = hasTag(request.headers, etag);
  if (isKnown) response.writeHead(304, notModified(headers)).end();
  else response.writeHead(200, headers).end(bytes);
  // Mostly the network takes the whole reply immediately, and a timer costs more than the rest of
  // this.
  if (response.writableLength > 0 && request.socket instanceof Socket)
    response.setTimeout(stalledReaderMs);
  return isKnown ? 304 : 200;
}

// As many addresses as visitors of one moment ask for.
const maximumPrepared = 100;

/**
 * Sends replies that are in the cache before Fastify sees the request, which costs several times as
 * much as to send them. They are the replies that `serve` would send: to anonymous reads of the same
 * origin, while the server is not shutting down. `write` calls what sends a reply.
 */
export function openCachedReplies(
  options: CachedRepliesOptions,
  write: (send: () => void) => void,
): CachedReplies {
  const versions = new Map<string, () => number>();
  const listeners: OnSent[] = [];

  // The reply that was sent last for each address; the next caller mostly gets the same.
  const prepared = new LRUCache<string, PreparedReply>({ max: maximumPrepared });

  function findReply(request: IncomingMessage): PreparedReply | undefined {
    if (!isPlainRead(request) || options.isShuttingDown()) return undefined;
    const { url = '', headers } = request;
    const last = prepared.get(url);
    if (last && isSameReply(last, request, options.securityHeaders(request))) {
      options.replies.countHit();
      return last;
    }
    const [path = '', query = ''] = url.split('?', 2);
    const readVersion = versions.get(path);
    const acceptLanguage = headers['accept-language'];
    const language = languageIn(query, acceptLanguage);
    if (!readVersion || !language) return undefined;
    const version = readVersion();
    const body = options.replies.find(replyKey(version, language, url));
    if (!body) return undefined;
    const security = options.securityHeaders(request);
    const reply = {
      path,
      ...encodeReply(request, body, security, options.varies),
      readVersion,
      version,
      security,
      acceptLanguage,
      acceptEncoding: headers['accept-encoding'],
    };
    prepared.set(url, reply);
    return reply;
  }

  return {
    add: (path, version) => void versions.set(path, version),
    onSent: (listener) => void listeners.push(listener),
    answer(request, response) {
      const began = performance.now();
      const reply = findReply(request);
      if (!reply) return false;
      write(() => {
        const status = send(request, response, reply);
        const seconds = (performance.now() - began) / 1000;
        for (const listener of listeners) listener(reply.path, status, seconds);
      });
      return true;
    },
  };
}
