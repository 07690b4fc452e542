import type { FastifyInstance } from 'fastify';
import { serveBotCheck } from './sandbox-bot-check.ts';
import { serveFines } from './sandbox-fines.ts';
import { serveIdentity } from './sandbox-identity.ts';
import { serveMessages } from './sandbox-messages.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { page } from './sandbox-page.ts';
import { createSandboxServer } from './sandbox-server.ts';

/**
 * Starts the sandbox of the outside systems except the payment provider, which is a program of its
 * own, on its own origin. The product calls it over HTTP through the same adapters as the real
 * systems. Production does not load it.
 */
export async function startSandbox(options: SandboxOptions): Promise<FastifyInstance> {
  const server = createSandboxServer(options.portalUrl);
  const links = [
    '<li><a href="/messages">Messages sent by SMS and e-mail</a></li>',
    ...(options.paymentsUrl
      ? [`<li><a href="${options.paymentsUrl}/">The payment provider</a></li>`]
      : []),
    '<li><a href="/registers">Registers of fines</a></li>',
    '<li><a href="/bot-check">Bot check</a></li>',
    `<li><a href="${new URL(options.portalUrl).origin}/">The portal</a></li>`,
  ].join('');
  const home = `<h1>Sandbox</h1><p>Stand-ins for outside parties.</p><ul>${links}</ul>`;
  server.get('/', (_request, reply) =>
    reply.type('text/html').send(page('en-US', 'Sandbox', home)),
  );
  serveIdentity(server, options);
  serveMessages(server, options);
  serveFines(server, options);
  serveBotCheck(server, options);
  await server.listen({ host: options.host, port: options.port });
  return server;
}
