import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { getLiveness, getReadiness } from '@diwan/contract/health';
import type { Config } from './config.ts';
import { serveAccountTypes } from './features/account-types/account-types.routes.ts';
import { serveAgencies } from './features/agencies/agencies.routes.ts';
import { pruneUnused } from './features/attachments/attachments.actions.ts';
import { serveAttachments } from './features/attachments/attachments.routes.ts';
import { serveCategories } from './features/categories/categories.routes.ts';
import { settleDue } from './features/payments/payments.actions.ts';
import { servePayments } from './features/payments/payments.routes.ts';
import { openWorkflow } from './features/requests/requests.actions.ts';
import { serveRequests } from './features/requests/requests.routes.ts';
import { openCatalogue } from './features/services/services.actions.ts';
import { serveServices } from './features/services/services.routes.ts';
import { serveUsers } from './features/users/users.routes.ts';
import { callerNetwork } from './platform/caller-network.ts';
import type { Database } from './platform/database.ts';
import { refuseAddress, refuseUnreadable, writeErrorReplies } from './platform/error-replies.ts';
import { openFileStore } from './platform/files.ts';
import type { House } from './platform/house.ts';
import { serveMetrics } from './platform/metrics.ts';
import { openApi } from './platform/openapi.ts';
import type { PaymentProvider } from './platform/payment-provider.ts';
import { servePortal } from './platform/portal.ts';
import { securityHeaders } from './platform/security-headers.ts';
import { serve } from './platform/serve.ts';
import { openSessions } from './platform/session.ts';
import { ownSecret } from './platform/secrets.ts';
import { signedReferences } from './platform/signed-references.ts';
import { limitSlowBodies } from './platform/slow-bodies.ts';
import type { SmsGateway } from './platform/sms.ts';
import { version } from './version.ts';

export interface Outside {
  paymentProvider: PaymentProvider;
  sms: SmsGateway;
}

async function makeServer(config: Config): Promise<FastifyInstance> {
  const server = fastify({
    // Addresses in the log lose their query: it may hold a reference or a code.
    logger: config.LOG_LEVEL === 'silent' ? false : { level: config.LOG_LEVEL, serializers: { req: (request) => ({ method: request.method, path: request.url?.split('?')[0] }) } },
    bodyLimit: 1024 * 1024,
    // A search of ten thousand Arabic letters is an address of 60 kB, one of rarer letters 90 kB; Node's own limit is 16 kB.
    http: { headersTimeout: 8000, requestTimeout: 0, connectionsCheckingInterval: 2000, maxHeaderSize: 128 * 1024 },
    genReqId: () => randomUUID(),
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseUnreadable,
    forceCloseConnections: 'idle',
    ...(config.TRUST_PROXY ? { trustProxy: config.TRUST_PROXY.split(',') } : {}),
  });
  await server.register(helmet, securityHeaders);
  await server.register(rateLimit, { global: false, keyGenerator: (request) => callerNetwork(request.ip), errorResponseBuilder: (_request, context) => Object.assign(new Error('TooManyRequests'), { statusCode: context.statusCode }) });
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  server.decorateRequest('caller', undefined);
  limitSlowBodies(server);
  writeErrorReplies(server);
  return server;
}

function serveHealth(house: House): void {
  serve(house, getLiveness, () => ({ status: 'ok' as const }));
  serve(house, getReadiness, async ({ reply }) => {
    const ready = await sql`select 1`.execute(house.database).then(() => true, () => false);
    return ready ? { status: 'ok' as const } : reply.status(503).send({ status: 'unavailable' });
  });
  house.server.get('/openapi.json', () => openApi(version, house.publicUrl));
}

/** The product by its features. `publicUrl` is the address that people see, without a slash at its end. */
export async function buildApp(config: Config, database: Database, publicUrl: string, outside: Outside): Promise<FastifyInstance> {
  const server = await makeServer(config);
  const house: House = { server, config, database, publicUrl, sessions: await openSessions(database, config) };
  const catalogue = await openCatalogue(database);
  const workflow = await openWorkflow(database, config);
  const references = signedReferences(await ownSecret(database, 'file-references'), config.FILE_REFERENCE_SECONDS);
  const payments = { database, provider: outside.paymentProvider, publicUrl, warn: (message: string) => server.log.warn(message) };

  serveMetrics(house);
  serveHealth(house);
  serveUsers(house);
  serveAccountTypes(house, catalogue);
  serveAgencies(house, catalogue);
  serveCategories(house, catalogue);
  serveServices(house, catalogue);
  const attachments = { database, catalogue, references, files: openFileStore(join(config.DATA_DIR, 'files')) };
  serveAttachments(house, attachments);
  serveRequests(house, { catalogue, workflow, references, sms: outside.sms });
  servePayments(house, payments);
  await servePortal(server, config.PORTAL_DIR);

  const warn = (error: Error) => server.log.warn(error.message);
  const timers = [
    setInterval(() => void settleDue(payments, config.PAYMENT_CHECK_SECONDS).catch(warn), 1000 * Math.min(config.PAYMENT_CHECK_SECONDS, 10)),
    setInterval(() => void pruneUnused(attachments, config.UNUSED_ATTACHMENT_DAYS).catch(warn), 3_600_000),
  ];
  for (const timer of timers) timer.unref();
  server.addHook('onClose', async () => timers.forEach((timer) => clearInterval(timer)));
  return server;
}
