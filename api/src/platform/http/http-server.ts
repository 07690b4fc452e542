import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { callerNetwork } from '../core/caller-network.ts';
import { refuseAddress, refuseUnreadable, writeErrorReplies } from './error-replies.ts';
import { storageOrigins } from '../files/files.ts';
import { otherOrigins } from './other-origins.ts';
import { openPortalConfiguration } from '../portal/portal-configuration.ts';
import { securityHeaders } from './security-headers.ts';
import { limitSlowBodies } from './slow-bodies.ts';

/**
 * What the log tells of a request and of an error. An address loses its query, which may hold a
 * reference or a code; what PostgreSQL adds to its message, such as the row that is there already,
 * is somebody's.
 */
export const logged = {
  req: ({ method, url }: { method: string; url?: string }) => ({
    method,
    path: url?.split('?')[0],
  }),
  err: ({ name, message, code, stack = '' }: Error & { code?: string }) => ({
    type: name,
    message,
    code,
    stack,
  }),
};

/**
 * The server before anything is served: limits, headers, and the one form of errors. `publicUrl` is
 * the address that people see; `botCheckOrigins` are those that the bot check's script needs.
 */
export async function openHttpServer(
  config: Config,
  publicUrl: string,
  botCheckOrigins: readonly string[],
): Promise<FastifyInstance> {
  const server = fastify({
    logger:
      config.LOG_LEVEL === 'silent' ? false : { level: config.LOG_LEVEL, serializers: logged },
    bodyLimit: 1024 * 1024,
    // A search of ten thousand Arabic letters is an address of 60 kB, one of rarer letters 90 kB;
    // Node's own limit is 16 kB.
    http: {
      headersTimeout: 8000,
      requestTimeout: 0,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 128 * 1024,
    },
    genReqId: () => randomUUID(),
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseUnreadable,
    forceCloseConnections: 'idle',
    ...(config.TRUST_PROXY ? { trustProxy: config.TRUST_PROXY.split(',') } : {}),
  });
  const configuration = openPortalConfiguration(config.PORTAL_DIR, (fault) =>
    server.log.warn(fault),
  );
  await server.register(
    helmet,
    securityHeaders(
      configuration,
      new URL(publicUrl).host,
      botCheckOrigins,
      storageOrigins(config),
    ),
  );
  if (config.PORTAL_ORIGINS.length > 0)
    await server.register(cors, otherOrigins(config.PORTAL_ORIGINS));
  await server.register(rateLimit, {
    global: false,
    keyGenerator: (request) => callerNetwork(request.ip),
    errorResponseBuilder: (_request, context) =>
      Object.assign(new Error('TooManyRequests'), { statusCode: context.statusCode }),
  });
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  server.decorateRequest('caller', undefined);
  limitSlowBodies(server);
  writeErrorReplies(server);
  return server;
}
