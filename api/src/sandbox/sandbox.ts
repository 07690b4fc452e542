import { readFile } from 'node:fs/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { SandboxOptions } from './sandbox-options.ts';
import { serveBotCheck } from './sandbox-bot-check.ts';
import { serveIdentity } from './sandbox-identity.ts';
import { serveMessages } from './sandbox-messages.ts';
import { servePayments } from './sandbox-payments.ts';
import { fontFile, page, style } from './sandbox-page.ts';

/**
 * Starts the sandbox of the outside systems on an origin of its own. The product calls it over HTTP
 * through the same adapters as the real systems. Production does not load it.
 */
export async function startSandbox(options: SandboxOptions): Promise<FastifyInstance> {
  // Node does not treat a connection without any request as idle, and would wait for it for half a
  // minute.
  const server = fastify({ logger: false, forceCloseConnections: true });
  const portal = new URL(options.portalUrl).origin;
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
  const links = [
    '<li><a href="/messages">Messages sent by SMS and e-mail</a></li>',
    '<li><a href="/payment-switches">Switches of the payment provider</a></li>',
    '<li><a href="/bot-check">Bot check</a></li>',
    `<li><a href="${portal}/">The portal</a></li>`,
  ].join('');
  const home = `<h1>Sandbox</h1><p>Stand-ins for outside parties.</p><ul>${links}</ul>`;
  server.get('/', (_request, reply) =>
    reply.type('text/html').send(page('en-US', 'Sandbox', home)),
  );
  serveIdentity(server, options);
  servePayments(server, options);
  serveMessages(server, options);
  serveBotCheck(server, options);
  await server.listen({ host: options.host, port: options.port });
  return server;
}
