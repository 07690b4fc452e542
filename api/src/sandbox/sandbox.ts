import { readFile } from 'node:fs/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { SandboxOptions } from './sandbox-options.ts';
import { openBotCheck } from './sandbox-bot-check.ts';
import { openIdentity } from './sandbox-identity.ts';
import { openMessages } from './sandbox-messages.ts';
import { openPayments } from './sandbox-payments.ts';
import { fontFile, page, style } from './sandbox-page.ts';

/**
 * The stand-ins for outside parties on an origin of their own. The product speaks to them over HTTP
 * through the same adapters that
 * speak to the real ones. Not loaded in production.
 */
export async function startSandbox(options: SandboxOptions): Promise<FastifyInstance> {
  // A connection that has asked nothing yet is not idle to Node, and would hold the end back for
  // half a minute.
  const server = fastify({ logger: false, forceCloseConnections: true });
  const portal = new URL(options.portalUrl).origin;
  server.addHook('onSend', async (_request, reply) => {
    // form-action also holds for the redirect that follows a form, so the portal is named.
    reply.header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self' ${portal}; frame-ancestors 'none'; base-uri 'none'`,
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
  server.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send(
        page(
          'en-US',
          'Sandbox',
          `<h1>Sandbox</h1><p>Stand-ins for outside parties.</p><ul><li><a href="/messages">Messages sent by SMS and e-mail</a></li><li><a href="/bot-check">Bot check</a></li><li><a href="${portal}/">The portal</a></li></ul>`,
        ),
      ),
  );
  openIdentity(server, options);
  openPayments(server, options);
  openMessages(server, options);
  openBotCheck(server, options);
  await server.listen({ host: options.host, port: options.port });
  return server;
}
