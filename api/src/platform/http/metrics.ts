import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isExposed } from '#config.ts';
import { isSameSecret } from '../core/same-secret.ts';
import { countConnections, observeStatements, type Database } from '../database/database.ts';
import { onOutsideCall } from '../integrations/http-client.ts';
import type { AppContext } from './context.ts';
import * as store from './metrics.store.ts';

const isBearer = (tokens: readonly string[], given: string | undefined): boolean =>
  tokens.some((token) => isSameSecret(given ?? '', `Bearer ${token}`));

/** Gauges from the database. While it is down they are not a number: the other metrics are useful then. */
function registerDatabaseGauges(register: Registry, database: Database): void {
  const addGauge = (name: string, help: string, read: (from: Database) => Promise<number>) =>
    register.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read(database).catch(() => Number.NaN));
        },
      }),
    );
  addGauge(
    'diwan_pending_payments',
    'Payments that the provider has not decided',
    store.countPendingPayments,
  );
  addGauge(
    'diwan_figures_lag_seconds',
    'For how long the oldest change has waited to be folded into the figures of dashboards',
    store.readFiguresLag,
  );
  addGauge(
    'diwan_documents_waiting_for_scan',
    'Documents that nobody but their sender can open before the scanner has answered',
    store.countWaitingDocuments,
  );
  register.registerMetric(
    new Gauge({
      name: 'diwan_messages',
      help: 'Messages by mail and SMS that wait for a gateway or have failed',
      labelNames: ['channel', 'state'],
      registers: [],
      async collect() {
        const counts = await store.countMessages(database).catch(() => []);
        this.reset();
        for (const { channel, state, count } of counts) this.set({ channel, state }, count);
      },
    }),
  );
}

/** Counters that this process keeps itself. */
function registerProcessCounters(
  register: Registry,
  { outbox, refusedCalls, replies }: Pick<AppContext, 'outbox' | 'refusedCalls' | 'replies'>,
): void {
  register.registerMetric(
    new Counter({
      name: 'diwan_messages_sent_total',
      help: 'Messages that a gateway took from this process',
      labelNames: ['channel'],
      registers: [],
      collect() {
        this.reset();
        for (const [channel, count] of Object.entries(outbox.sent())) this.inc({ channel }, count);
      },
    }),
  );
  register.registerMetric(
    new Counter({
      name: 'diwan_calls_refused_total',
      help: 'Calls that this process refused because more arrived than it can serve',
      registers: [],
      collect() {
        this.reset();
        this.inc(refusedCalls());
      },
    }),
  );
  register.registerMetric(
    new Counter({
      name: 'diwan_reply_cache_total',
      help: 'Replies of the catalogue that were in the cache (hit), and that had to be made (miss)',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(replies.counts())) this.inc({ result }, count);
      },
    }),
  );
}

/** Observes the duration of each call, those of replies from the cache included. */
function measureDurations(
  register: Registry,
  { server, cachedReplies }: Pick<AppContext, 'server' | 'cachedReplies'>,
): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  });
  server.addHook('onResponse', async (request, reply) => {
    durations.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    );
  });
  // Finding the labels takes longer than the rest of a cached reply.
  const cachedDurations = new Map<string, Histogram.Internal<string>>();
  cachedReplies.onSent((route, status, seconds) => {
    const key = `${status} ${route}`;
    const child = cachedDurations.get(key) ?? durations.labels({ method: 'GET', route, status });
    cachedDurations.set(key, child);
    child.observe(seconds);
  });
}

/** Measures statements, connections, and the answers of other systems. */
function measureOthers(
  register: Registry,
  { server, database }: Pick<AppContext, 'server' | 'database'>,
): void {
  const statements = new Histogram({
    name: 'diwan_database_statement_duration_seconds',
    help: 'How long statements took, from their sending to the whole answer',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [register],
  });
  observeStatements(database, ({ startedAt, endedAt }) =>
    statements.observe((endedAt - startedAt) / 1000),
  );
  register.registerMetric(
    new Gauge({
      name: 'diwan_database_connections',
      help: 'Connections of this process in use and idle, and calls that wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(countConnections(database)))
          this.set({ state }, count);
      },
    }),
  );
  const calls = new Histogram({
    name: 'diwan_outside_call_duration_seconds',
    help: 'How long other systems took to answer, or not to answer',
    labelNames: ['origin', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [register],
  });
  const end = onOutsideCall(({ origin, status, startedAt, endedAt }) => {
    const outcome = status === undefined ? 'none' : status < 500 ? 'answer' : 'error';
    calls.observe({ origin, outcome }, (endedAt - startedAt) / 1000);
  });
  server.addHook('onClose', async () => end());
}

/** The states of the status page as numbers. */
const stateNumbers = { works: 0, limited: 1, down: 2 };
/** What the status page says. */
export interface PartStates {
  read(): { parts: readonly { part: string; state: keyof typeof stateNumbers }[] };
}

const registerParts = (register: Registry, status: PartStates): void =>
  register.registerMetric(
    new Gauge({
      name: 'diwan_part_state',
      help: 'What the status page says of a part: 0 works, 1 in part, 2 does not work',
      labelNames: ['part'],
      registers: [],
      collect() {
        for (const { part, state } of status.read().parts) this.set({ part }, stateNumbers[state]);
      },
    }),
  );

/**
 * Serves `GET /metrics` for Prometheus (design §10): the process, the duration of calls, of statements
 * and of the answers of other systems, connections, pending payments, messages, documents that wait
 * for a scan, and the parts of the status page. Labels hold the template of a route, never an address.
 * It is served on METRICS_PORT, else to those who know METRICS_TOKEN, else only where nobody but the
 * users of this machine can connect.
 */
export function serveMetrics(
  context: Pick<
    AppContext,
    'server' | 'config' | 'database' | 'outbox' | 'refusedCalls' | 'replies' | 'cachedReplies'
  >,
  status: PartStates,
): void {
  const { server, config } = context;
  const register = new Registry();
  collectDefaultMetrics({ register });
  measureDurations(register, context);
  registerDatabaseGauges(register, context.database);
  registerProcessCounters(register, context);
  measureOthers(register, context);
  registerParts(register, status);
  const { METRICS_PORT: port, METRICS_TOKEN: tokens, HOST: host } = config;
  const sendMetrics = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    // guard: token of the metrics
    if (tokens !== undefined && !isBearer(tokens, request.headers.authorization))
      return reply.status(401).header('www-authenticate', 'Bearer').send();
    return reply.type(register.contentType).send(await register.metrics());
  };
  if (port === undefined) {
    // guard: metrics for strangers => true
    if (tokens !== undefined || !isExposed(config)) server.get('/metrics', sendMetrics);
    return;
  }
  const own = fastify({ logger: false, forceCloseConnections: true });
  own.get('/metrics', sendMetrics);
  server.addHook('onReady', async () => void (await own.listen({ host, port })));
  server.addHook('onClose', () => own.close());
}
