import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxOptions } from './sandbox-options.ts';
import { page } from './sandbox-page.ts';

/** The site key of the sandbox's bot check. Its secret is the key of the sandbox. */
export const sandboxSiteKey = 'sandbox-site-key';

const tokenRequest = z.object({
  siteKey: z.literal(sandboxSiteKey),
  action: z.string().regex(/^\w{1,100}$/),
});
const verification = z.object({ secret: z.string(), response: z.string() });
const scoreChoice = z.object({ score: z.coerce.number().min(0).max(1) });
const lifeMs = 120_000;
const maximumTokens = 10_000;

// The interface that scripts of version 3 offer to pages.
const script = `window.grecaptcha = {
  ready: (go) => go(),
  execute: async (siteKey, { action }) => {
    const origin = new URL(document.querySelector('script[src*="/bot-check.js"]').src).origin;
    const response = await fetch(origin + '/bot-check/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ siteKey, action }),
    });
    return (await response.json()).token;
  },
};`;

/**
 * The sandbox of the bot check: a script for pages, tokens that are valid once, a verdict for the
 * server, and a page that sets the score of the next visitors.
 */
export function serveBotCheck(server: FastifyInstance, { portalUrl, key }: SandboxOptions): void {
  const tokens = new Map<
    string,
    { action: string; score: number; hostname: string; madeAt: number }
  >();
  let score = 0.9;
  const portal = new URL(portalUrl).origin;

  server.get('/bot-check.js', (_request, reply) =>
    reply
      .type('text/javascript')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  );

  server.post('/bot-check/token', (request, reply) => {
    reply.header('access-control-allow-origin', portal);
    const given = tokenRequest.safeParse(request.body);
    if (!given.success || request.headers.origin !== portal) return reply.status(400).send({});
    const token = randomUUID();
    if (tokens.size >= maximumTokens) tokens.clear();
    tokens.set(token, {
      action: given.data.action,
      score,
      hostname: new URL(portal).hostname,
      madeAt: Date.now(),
    });
    return reply.send({ token });
  });

  server.post('/bot-check/siteverify', (request) => {
    const given = verification.safeParse(request.body);
    if (!given.success || given.data.secret !== key)
      return { success: false, 'error-codes': ['invalid-input-secret'] };
    const made = tokens.get(given.data.response);
    tokens.delete(given.data.response);
    if (!made || made.madeAt + lifeMs < Date.now())
      return { success: false, 'error-codes': ['timeout-or-duplicate'] };
    return { success: true, score: made.score, action: made.action, hostname: made.hostname };
  });

  server.get('/bot-check', (_request, reply) => {
    const choices = [
      [0.9, 'A person'],
      [0.1, 'A program'],
    ]
      .map(([value, name]) => `<button name="score" value="${value}">${name} (${value})</button>`)
      .join('');
    const form = `<form method="post">${choices}</form><p class="note">Now: ${score}</p>`;
    const body = `<section><h1>The next visitors seem to be …</h1>${form}</section>`;
    return reply.type('text/html').send(page('en-US', 'Bot check', body));
  });
  server.post('/bot-check', (request, reply) => {
    const given = scoreChoice.safeParse(request.body);
    if (given.success) score = given.data.score;
    return reply.redirect('/bot-check', 303);
  });
}
