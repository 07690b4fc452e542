import { readFile } from 'node:fs/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { fontFile, style } from './sandbox-page.ts';

/** A server for pages of the sandbox, with their style, that may lead back to the portal. */
export function createSandboxServer(portalUrl: string): FastifyInstance {
  // Node does not treat a connection without any request as idle, and would wait for it for half a
  // minute.
  const server = fastify({ logger: false, forceCloseConnections: true });
  const portal = new URL(portalUrl).origin;
  server.addHook('onSend', async (_request, reply) => {
    // form-action also applies to the redirect after a form, so it includes the portal.
    reply.header(
      'content-security-policy',
      [
        "default-src 'none'",
        "style-src 'self'",
        "font-src 'self'",
        `form-action 'self' ${portal}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
    );
    reply
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store');
  });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.get('/sandbox.css', (_request, reply) => reply.type('text/css').send(style));
  server.get<{ Params: { name: string } }>('/fonts/:name', async ({ params }, reply) => {
    const file = fontFile(params.name);
    return file ? reply.type('font/woff2').send(await readFile(file)) : reply.callNotFound();
  });
  return server;
}
