import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusals.ts';

/**
 * How long a browser may keep a file: those with a hash in their name for a year; logos and texts for a day, and texts are asked for by the hash of
 * the build, so that a new build is seen at once; the page itself and the configuration are asked for again every time.
 */
function keepingOf(place: string): string {
  if (place.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /^(logos|locales)\/|\.svg(\.|$)/.test(place) ? 'public, max-age=86400' : 'no-cache';
}

/** Serves the built portal in the folder `site`; every address that is no file is a page of it. */
export async function servePortal(server: FastifyInstance, site: string): Promise<void> {
  const built = existsSync(site);
  if (built) {
    await server.register(staticFiles, {
      root: site, preCompressed: true, cacheControl: false, etag: true, dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        reply.header('cache-control', keepingOf(relative(site, path).replaceAll('\\', '/')));
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
