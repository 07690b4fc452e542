import { overridesVersion } from '#platform/core/locale-texts.ts';
import { findDatabaseFailure, isPoolStuck } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import { buildOpenApi } from '#platform/http/openapi.ts';
import {
  createCachedBody,
  sendCachedBody,
  type CachedBody,
} from '#platform/http/replies/response-cache.ts';
import { serve } from '#platform/http/serve.ts';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';

/** Health, the public signing keys, and the description of every call. Source: design §10. */
export function serveSystem(context: AppContext): void {
  const { server, database, documents, isShuttingDown, sessions, publicUrl } = context;
  serve(context, getLiveness, async ({ reply }) =>
    isPoolStuck(database)
      ? reply.status(503).send({ status: 'unavailable', reason: 'noFreeConnection' })
      : { status: 'ok' as const },
  );
  const findFailure = async () =>
    (await findDatabaseFailure(database)) ??
    ((await documents.files.isFull?.()) ? ('noResources' as const) : undefined);
  serve(context, getReadiness, async ({ reply }) => {
    const reason = isShuttingDown() ? 'shuttingDown' : await findFailure();
    return reason === undefined
      ? { status: 'ok' as const }
      : reply.status(503).send({ status: 'unavailable', reason });
  });
  server.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({ keys: sessions.keys.publicKeys() }),
  );
  // Building it takes about 90 ms, and everybody may ask. It names the portal.
  let openApi: CachedBody | undefined;
  let textsVersion = overridesVersion();
  server.get('/openapi.json', (request, reply) => {
    if (textsVersion !== overridesVersion()) openApi = undefined;
    textsVersion = overridesVersion();
    openApi ??= createCachedBody(JSON.stringify(buildOpenApi(publicUrl)));
    return sendCachedBody(request, reply.type('application/json; charset=utf-8'), openApi);
  });
}
