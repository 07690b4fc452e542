import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { House } from './house.ts';

/** `GET /metrics` for Prometheus (design §10): the process, how long calls take, payments under way. Labels are ours: a route's template, never an address. */
export function serveMetrics({ server, database }: Pick<House, 'server' | 'database'>): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'http_request_duration_seconds', help: 'How long requests took', labelNames: ['method', 'route', 'status'], buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10], registers: [register],
  });
  const pending = new Gauge({
    name: 'diwan_pending_payments', help: 'Payments that the provider has not decided', registers: [],
    async collect() {
      // Without a database the rest is still worth reading, then more than ever.
      const found = await sql<{ count: number }>`select count(*) as count from payments where status = 'pending'`.execute(database).catch(() => undefined);
      this.set(found?.rows[0]?.count ?? Number.NaN);
    },
  });
  register.registerMetric(pending);
  server.addHook('onResponse', async (request, reply) => {
    durations.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  server.get('/metrics', async (_request, reply) => {
    const text = await register.metrics();
    return reply.header('cache-control', 'no-store').type(register.contentType).send(text);
  });
}
