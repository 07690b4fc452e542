import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { LRUCache } from 'lru-cache';
import {
  backgroundHeader,
  callKeyHeader,
  noTextsVersion,
  textsVersionHeader,
} from '@diwan/contract/wire/call';
import { overridesVersion } from '../core/locale-texts.ts';
import { botCheckHeaders, botCheckTokenHeader } from './bot-check.ts';
import type { PortalConfiguration } from './portal-configuration.ts';

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

// Safari before 16 does not include websockets of the same host in 'self'. Only known hosts are
// written: the public one, those of the portal's configuration, and this machine.
function ownSockets(host: string, isKnown: boolean): string[] {
  return isKnown || localHost.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
}

const socketOf = (origin: string): string => origin.replace(/^http/, 'ws');

/** The policy of replies that are not pages: shorter and stricter than that of the portal. */
const dataPolicy = "default-src 'none';frame-ancestors 'none'";

interface SecurityHeaderSources {
  configuration: PortalConfiguration;
  /** The public host, for a proxy that does not pass it on. */
  publicHost: string;
  /** Needed by the script of the bot check. */
  botCheckOrigins?: readonly string[];
  /** Receive documents from browsers. */
  storageOrigins?: readonly string[];
}

/** The source expressions (`'sha256-…'`) of what a page contains inline. */
export interface InlineSources {
  styles: readonly string[];
  scripts: readonly string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The content security policy of a page of the portal. */
    pagePolicy: (request: IncomingMessage, inline: InlineSources) => string;
  }
}

/**
 * The content security policy of the portal: no content of other origins, and no inline scripts but
 * those of the page. When the portal's configuration names another origin for the API, that origin is
 * added, with its websockets.
 */
function writePolicy(
  { configuration, publicHost, botCheckOrigins = [], storageOrigins = [] }: SecurityHeaderSources,
  { headers: { host = '' } }: IncomingMessage,
  inline: InlineSources,
): string {
  const otherOrigins = [
    ...new Set([host, publicHost].flatMap((each) => configuration.originsFor(each))),
  ];
  const isKnown = host === publicHost || configuration.hasHost(host);
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline.scripts, ...botCheckOrigins],
    'style-src': ["'self'", ...inline.styles],
    'img-src': ["'self'", 'data:', 'blob:', ...otherOrigins],
    'font-src': ["'self'"],
    'media-src': ["'self'", ...otherOrigins],
    'connect-src': [
      "'self'",
      ...botCheckOrigins,
      ...storageOrigins,
      ...ownSockets(host, isKnown),
      ...otherOrigins.flatMap((origin) => [origin, socketOf(origin)]),
    ],
    ...(botCheckOrigins.length > 0 ? { 'frame-src': botCheckOrigins } : {}),
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    // `web/src/lib/browser/trusted-types.ts` has the policies.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['default', 'bot-check'],
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join(';');
}

const helmetOptions: HelmetOptions = {
  contentSecurityPolicy: false,
  // The same as frame-ancestors, for browsers that do not know it.
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'same-origin' },
  crossOriginEmbedderPolicy: false,
  // For Internet Explorer alone; the first page has ten packets with its headers (decision 0048).
  xDownloadOptions: false,
};

/**
 * Adds the security headers and the version of the corrected texts to every reply. They depend on the
 * host and on whether the reply is one of the API, so they are computed once for each, and again
 * after a change of the portal's configuration or of texts. Returns the headers for a request.
 */
export function addSecurityHeaders(
  server: FastifyInstance,
  sources: SecurityHeaderSources,
): (request: IncomingMessage) => OutgoingHttpHeaders {
  const setHeaders = helmet(helmetOptions);
  // By host, of pages and of replies of the API.
  const computed = {
    page: new LRUCache<string, OutgoingHttpHeaders>({ max: 100 }),
    data: new LRUCache<string, OutgoingHttpHeaders>({ max: 100 }),
  };
  let [configurationVersion, textsVersion] = [-1, ''];
  const headersFor = (request: IncomingMessage): OutgoingHttpHeaders => {
    const texts = overridesVersion() || noTextsVersion;
    const version = sources.configuration.version();
    if (version !== configurationVersion || texts !== textsVersion) {
      [configurationVersion, textsVersion] = [version, texts];
      computed.page.clear();
      computed.data.clear();
    }
    const { host = '' } = request.headers;
    const isData = request.url?.startsWith('/api/') === true;
    const byHost = isData ? computed.data : computed.page;
    const known = byHost.get(host);
    if (known) return known;
    const response = new ServerResponse(request);
    setHeaders(request, response, (error) => {
      if (error) throw error as Error;
    });
    const headers = {
      ...response.getHeaders(),
      'content-security-policy': isData
        ? dataPolicy
        : writePolicy(sources, request, { styles: [], scripts: [] }),
      [textsVersionHeader]: texts,
    };
    byHost.set(host, headers);
    return headers;
  };
  server.decorate('pagePolicy', (request, inline) => writePolicy(sources, request, inline));
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.raw));
    done();
  });
  return headersFor;
}

/** The headers by which a portal on one of these origins may read an early refusal. */
export function refusalOriginHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After',
    vary: 'Origin',
  };
}

/** What a portal on one of these origins may do with the API. Other origins can read no reply. */
export function corsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: (origin, done) =>
      done(null, origin !== undefined && origins.includes(origin) ? origin : false),
    methods: ['GET', 'HEAD', 'POST', 'PUT'],
    // The headers of every call (specification §7), of the bot check, of background calls, and of calls with a key.
    allowedHeaders: [
      'Accept-Language',
      'Authorization',
      'Content-Type',
      'X-Content-Type-Options',
      botCheckTokenHeader,
      backgroundHeader,
      callKeyHeader,
    ],
    exposedHeaders: [
      'Content-Disposition',
      'ETag',
      'Retry-After',
      textsVersionHeader,
      ...Object.values(botCheckHeaders),
    ],
    // For the cookie that binds a sign-in with UAE PASS to the browser.
    credentials: true,
    // Chromium caches the answer for two hours at most.
    maxAge: 7200,
  };
}
