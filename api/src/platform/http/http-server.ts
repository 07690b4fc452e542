import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import type { Config } from '#config.ts';
import { routedPages } from '@diwan/contract/portal/page-list';
import { createFileReferences } from '../auth/file-references.ts';
import { openKey } from '../auth/secrets.ts';
import { openSessions, type Sessions } from '../auth/sessions/sessions.ts';
import { openVerificationCodes } from '../auth/verification-codes.ts';
import { callerNetwork, removePorts } from '../core/caller-network.ts';
import { Refusal } from '../core/refusals.ts';
import type { Database } from '../database/database.ts';
import { openNotifications } from '../database/notifications.ts';
import { openDocuments } from '../files/document-intake.ts';
import { storageOrigins } from '../files/open-file-store.ts';
import { openScanner } from '../files/scanner.ts';
import { openOutbox } from '../messages/message-outbox.ts';
import { openPush } from '../messages/push.ts';
import { openBotCheck } from './bot-check.ts';
import type { AppContext, Integrations } from './context.ts';
import { installErrorReplies, replyToBadUrl, replyToMalformedRequest } from './error-replies.ts';
import { openFrontDoor } from './front-door.ts';
import { CallCounts } from './limits/call-counts.ts';
import { prepareShutdown } from './limits/shutdown.ts';
import { openPortalConfiguration } from './portal-configuration.ts';
import { openReplyCache } from './replies/response-cache.ts';
import { addSecurityHeaders, corsOptions, refusalOriginHeaders } from './security-headers.ts';

/** The parts of a request that the log describes. */
interface LoggedRequest {
  method: string;
  url?: string;
  routeOptions?: { url?: string | undefined };
}

const pagePatterns = routedPages.map(({ path }) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\/:\w+\?$/, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The template of a route, else of a page of the portal: what people type into an address is left out. */
function describePath(address: string, route: string | undefined): string {
  if (route !== undefined) return route;
  const path = address.split('?')[0] ?? '';
  return pagePatterns.find(({ pattern }) => pattern.test(path))?.path ?? 'another address';
}

/**
 * What the log contains of a request and of an error. An address may hold a reference, a code or a name,
 * and the details of a PostgreSQL error may hold personal data, such as an existing row: all are left
 * out.
 */
export const logSerializers = {
  req: ({ method, url = '', routeOptions }: LoggedRequest) => ({
    method,
    path: describePath(url, routeOptions?.url),
  }),
  err: ({ name, message, code, stack = '' }: Error & { code?: string }) => ({
    type: name,
    message,
    code,
    stack,
  }),
};

// The server without any routes: limits, headers and error replies. `publicUrl` is the public address
// of the portal. The script of the bot check needs `botCheckOrigins`.
async function openHttpServer(
  config: Config,
  publicUrl: string,
  sessions: Sessions,
  botCheckOrigins: readonly string[],
): Promise<
  Pick<
    AppContext,
    'server' | 'configuration' | 'isShuttingDown' | 'refusedCalls' | 'replies' | 'cachedReplies'
  >
> {
  const server = fastify({
    logger:
      config.LOG_LEVEL === 'silent'
        ? false
        : { level: config.LOG_LEVEL, serializers: logSerializers },
    bodyLimit: 1024 * 1024,
    // The address of a search with ten thousand Arabic letters has 60 kB, with rarer letters 90 kB.
    // Node's default limit is 16 kB.
    http: {
      headersTimeout: 8000,
      requestTimeout: 0,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 128 * 1024,
    },
    genReqId: () => randomUUID(),
    frameworkErrors: replyToBadUrl,
    clientErrorHandler: replyToMalformedRequest,
    // Calls on open connections are served until the server has closed.
    return503OnClosing: false,
    ...(config.TRUST_PROXY ? { trustProxy: config.TRUST_PROXY.split(',') } : {}),
  });
  // Fastify computes the address of a caller from this header when it is read first, which is later.
  server.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwardedFor = headers['x-forwarded-for'];
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = removePorts(forwardedFor);
  });
  const isShuttingDown = prepareShutdown(server, config.SHUTDOWN_DELAY_SECONDS * 1000);
  const configuration = openPortalConfiguration(config.PORTAL_DIR, (problem) =>
    server.log.warn(problem),
  );
  const securityHeaders = addSecurityHeaders(server, {
    configuration,
    publicHost: new URL(publicUrl).host,
    botCheckOrigins,
    storageOrigins: storageOrigins(config),
  });
  if (config.PORTAL_ORIGINS.length > 0)
    await server.register(cors, corsOptions(config.PORTAL_ORIGINS));
  await server.register(rateLimit, {
    global: false,
    store: CallCounts,
    keyGenerator: (request) => callerNetwork(request.ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('TooManyRequests', { retryAfter: Math.ceil(ttl / 1000) }),
  });
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  server.decorateRequest('caller', undefined);
  const replies = openReplyCache();
  const door = openFrontDoor(server, {
    limits: {
      callsAtOnce: config.CALLS_AT_ONCE,
      waitMs: config.CALL_WAIT_MS,
      eventLoopDelayMs: config.EVENT_LOOP_DELAY_MS,
      verifyToken: sessions.readClaims,
      originHeaders: (origin) => refusalOriginHeaders(config.PORTAL_ORIGINS, origin),
    },
    cachedReplies: {
      replies,
      securityHeaders,
      isShuttingDown,
      varies: config.PORTAL_ORIGINS.length > 0 ? 'Origin, ' : '',
    },
  });
  installErrorReplies(server);
  return { server, configuration, isShuttingDown, replies, ...door };
}

/** Opens the server and what every feature is given. Parameters as in `AppContext`. */
export async function openAppContext(
  config: Config,
  database: Database,
  publicUrl: string,
  integrations: Integrations,
): Promise<AppContext> {
  const { botCheck } = integrations;
  const sessions = await openSessions(database, config, publicUrl);
  const http = await openHttpServer(
    config,
    publicUrl,
    sessions,
    botCheck ? [new URL(botCheck.scriptUrl).origin, ...config.BOT_CHECK_ORIGINS] : [],
  );
  const { server } = http;
  const warn = (message: string) => server.log.warn(message);
  const notifications = await openNotifications(database, warn);
  server.addHook('onClose', () => notifications.close());
  const push = await openPush(database, config);
  return {
    ...http,
    config,
    database,
    notifications,
    publicUrl,
    integrations,
    outbox: openOutbox({
      database,
      mail: integrations.mail,
      sms: integrations.sms,
      push,
      tries: config.MESSAGE_TRIES,
      warn,
    }),
    push,
    sessions,
    codes: await openVerificationCodes(database, config.VERIFICATION_CODES_PER_DAY),
    references: createFileReferences(
      await openKey(database, 'file-references'),
      config.FILE_REFERENCE_SECONDS,
    ),
    documents: await openDocuments(database, config, { scanner: openScanner(config), warn }),
    ...(botCheck
      ? {
          botCheck: openBotCheck({
            ...botCheck,
            actions: new Set(config.BOT_CHECK_ACTIONS),
            minimumScore: config.BOT_CHECK_MINIMUM_SCORE,
            passesWhenUnreachable: config.BOT_CHECK_WHEN_UNREACHABLE === 'pass',
            hosts: [publicUrl, ...config.PORTAL_ORIGINS].map((origin) => new URL(origin).hostname),
          }),
        }
      : {}),
  };
}
