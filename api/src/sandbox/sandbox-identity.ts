import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { isSameSecret } from '../platform/core/same-secret.ts';
import { sandboxClientId } from '../platform/integrations/identity-provider.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { choicePage, closingPage, personas, type PageLanguage } from './sandbox-personas.ts';

const request = z.object({
  response_type: z.literal('code'),
  client_id: z.literal(sandboxClientId),
  redirect_uri: z.string(),
  scope: z.string().min(1),
  acr_values: z.string().min(1),
  state: z.string().min(1).max(500),
  ui_locales: z.string().optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.literal('S256').optional(),
});
const decision = z.object({
  decision: z.enum(['approve', 'cancel', 'error']),
  persona: z.enum(personas.map(({ id }) => id) as [string, ...string[]]),
});
const exchange = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().optional(),
});

const codeSeconds = 60;
const tokenSeconds = 60;
// Limits the memory under a flood of calls.
const maximumGrants = 10_000;

interface Granted {
  persona: string;
  challenge?: string | undefined;
  until: number;
}

// Secrets for granted personas. They expire after `seconds`, and `take` accepts each once.
function createGrants(seconds: number) {
  const grants = new Map<string, Granted>();
  return {
    make(grant: Omit<Granted, 'until'>): string {
      for (const [key, { until }] of grants)
        if (until < Date.now() || grants.size >= maximumGrants) grants.delete(key);
      const secret = randomBytes(24).toString('base64url');
      grants.set(secret, { ...grant, until: Date.now() + seconds * 1000 });
      return secret;
    },
    find(secret: string): Granted | undefined {
      const grant = grants.get(secret);
      return grant && grant.until >= Date.now() ? grant : undefined;
    },
    take(secret: string): Granted | undefined {
      const grant = this.find(secret);
      grants.delete(secret);
      return grant;
    },
  };
}

const languageOf = (locales: unknown): PageLanguage => (locales === 'en' ? 'en-US' : 'ar-EG');

// Both parts are form-encoded before they are joined (RFC 6749, 2.3.1).
function isClient(header: string | undefined, key: string): boolean {
  const [id = '', secret = ''] = Buffer.from((header ?? '').replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  const given = new URLSearchParams(`secret=${secret}`).get('secret') ?? '';
  return new URLSearchParams(`id=${id}`).get('id') === sandboxClientId && isSameSecret(given, key);
}

/**
 * The sandbox of UAE PASS, at its real paths: a page on which a visitor chooses a persona, a code for
 * the persona, a token for the code, and the claims for the token.
 */
export function serveIdentity(server: FastifyInstance, { portalUrl, key }: SandboxOptions): void {
  const codes = createGrants(codeSeconds);
  const tokens = createGrants(tokenSeconds);
  const redirectUri = new URL(portalUrl).origin;
  const read = (query: unknown) => {
    const found = request.safeParse(query);
    return found.success && found.data.redirect_uri === redirectUri ? found.data : undefined;
  };
  // The visitor sees the error of a wrong client or redirect uri. There is no redirect (RFC 6749,
  // 4.1.2.1).
  const refuse = (reply: FastifyReply, locales: unknown) =>
    reply
      .status(400)
      .type('text/html')
      .send(closingPage(languageOf(locales), 'wrong', redirectUri));

  server.get<{ Querystring: Record<string, string> }>(
    '/idshub/authorize',
    async ({ query }, reply) => {
      const asked = read(query);
      if (!asked) return refuse(reply, query.ui_locales);
      return reply
        .type('text/html')
        .send(
          choicePage(
            languageOf(asked.ui_locales),
            `/idshub/authorize?${new URLSearchParams(query).toString()}`,
          ),
        );
    },
  );

  server.post<{ Querystring: Record<string, string> }>(
    '/idshub/authorize',
    async ({ query, body }, reply) => {
      const asked = read(query);
      const chosen = decision.safeParse(body);
      if (!asked || !chosen.success) return refuse(reply, query.ui_locales);
      const answers = {
        approve: () => ({
          code: codes.make({ persona: chosen.data.persona, challenge: asked.code_challenge }),
        }),
        cancel: () => ({ error: 'access_denied', error_description: 'cancelledOnApp' }),
        error: () => ({
          error: 'invalid_request',
          error_description: 'The stand-in was asked for an error',
        }),
      };
      const back = new URL(redirectUri);
      for (const [name, value] of Object.entries({
        ...answers[chosen.data.decision](),
        state: asked.state,
      }))
        back.searchParams.set(name, value);
      return reply.redirect(back.toString(), 303);
    },
  );

  server.post('/idshub/token', async ({ headers, body }, reply) => {
    if (!isClient(headers.authorization, key))
      return reply
        .status(401)
        .header('www-authenticate', 'Basic')
        .send({ error: 'invalid_client' });
    const given = exchange.safeParse(body);
    if (!given.success) return reply.status(400).send({ error: 'invalid_request' });
    const grant = codes.take(given.data.code);
    const verifier = given.data.code_verifier;
    const challenge =
      verifier === undefined
        ? undefined
        : createHash('sha256').update(verifier).digest('base64url');
    if (!grant || given.data.redirect_uri !== redirectUri || grant.challenge !== challenge)
      return reply.status(400).send({ error: 'invalid_grant' });
    return {
      access_token: tokens.make({ persona: grant.persona }),
      token_type: 'Bearer',
      expires_in: tokenSeconds,
      scope: 'urn:uae:digitalid:profile:general',
    };
  });

  server.get('/idshub/userinfo', async ({ headers }, reply) => {
    const grant = tokens.find((headers.authorization ?? '').replace(/^Bearer /, ''));
    const person = personas.find(({ id }) => id === grant?.persona);
    return person
      ? person.claims
      : reply
          .status(401)
          .header('www-authenticate', 'Bearer error="invalid_token"')
          .send({ error: 'invalid_token' });
  });

  server.get<{ Querystring: Record<string, string> }>(
    '/idshub/logout',
    async ({ query }, reply) => {
      const to = query.redirect_uri ?? '';
      if (URL.canParse(to) && new URL(to).origin === redirectUri) return reply.redirect(to, 302);
      return reply
        .type('text/html')
        .send(closingPage(languageOf(query.ui_locales), 'out', redirectUri));
    },
  );
}
