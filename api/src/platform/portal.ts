import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusals.ts';

const site = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** Serves the built portal: hashed files for a year, everything else asked for again; every other address is a page of the portal. */
export async function servePortal(server: FastifyInstance): Promise<void> {
  const built = existsSync(site);
  if (built) {
    await server.register(staticFiles, {
      root: site, preCompressed: true, cacheControl: false, etag: true,
      setHeaders: (reply, path) => {
        reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage = request.method === 'GET' && !/^\/(api|hubs|health|assets|locales|logos)\//.test(path) && (request.headers.accept ?? '').includes('text/html');
    if (!built || !isPage) throw new Refusal('NotFound');
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
