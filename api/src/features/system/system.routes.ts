import { sql } from 'kysely';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';
import type { AppContext } from '../../platform/http/context.ts';
import { buildOpenApi } from '../../platform/http/openapi.ts';
import { serve } from '../../platform/http/serve.ts';

/** Health, the public signing keys, and the description of every call. Source: design §10. */
export function serveSystem(context: AppContext): void {
  const { server, database, isShuttingDown, sessions, publicUrl } = context;
  serve(context, getLiveness, () => ({ status: 'ok' as const }));
  serve(context, getReadiness, async ({ reply }) => {
    const isDatabaseReady = await sql`select 1`.execute(database).then(
      () => true,
      () => false,
    );
    const isReady = isDatabaseReady && !isShuttingDown();
    return isReady ? { status: 'ok' as const } : reply.status(503).send({ status: 'unavailable' });
  });
  server.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({ keys: sessions.keys.publicKeys() }),
  );
  server.get('/openapi.json', () => buildOpenApi(publicUrl));
}
