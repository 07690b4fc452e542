import { z } from 'zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../core/refusals.ts';

/**
 * What a provider says of a token: how human its visitor seems, from 0 to 1, for which action, on
 * which host.
 */
const verdict = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
});
export type BotVerdict = z.infer<typeof verdict>;

/**
 * The party that tells people from programs (specification §1: version 3, one token per named
 * action). Throws when it cannot be reached.
 */
export interface BotCheckProvider {
  verify(token: string, address: string): Promise<BotVerdict>;
}

/**
 * A provider over HTTP that takes a form with secret, response and remoteip, as those of version 3
 * do.
 */
export function httpBotCheckProvider(url: string, secret: string): BotCheckProvider {
  return {
    async verify(token, address) {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: token, remoteip: address }),
        redirect: 'error',
        signal: AbortSignal.timeout(5000),
      });
      if (!response.ok) throw new Error(`${new URL(url).origin} answered ${response.status}`);
      return verdict.parse(await response.json());
    },
  };
}

/** What the check stands on: the settings BOT_CHECK_…, and who judges the tokens. */
export interface BotCheckOptions {
  provider: BotCheckProvider;
  /** Names of the calls that carry a token; the action of a token is the name of its call. */
  actions: ReadonlySet<string>;
  minimumScore: number;
  siteKey: string;
  scriptUrl: string;
  /** The hosts whose tokens are taken. */
  hosts: readonly string[];
  /** Whether people get through while the provider does not answer. */
  passesWhenUnreachable: boolean;
}

/** The header in which the browser sends its token. */
export const tokenHeader = 'bot-check-token';
/**
 * What the browser needs to get a token; it learns it from the refusal, so nothing is loaded where
 * no check is made.
 */
export const botCheckHeaders = {
  siteKey: 'bot-check-site-key',
  script: 'bot-check-script',
} as const;

export type BotCheck = (
  action: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/**
 * Refuses a call that must carry a token and has none, or one that the provider does not vouch for.
 */
export function openBotCheck({
  provider,
  actions,
  minimumScore,
  siteKey,
  scriptUrl,
  hosts,
  passesWhenUnreachable,
}: BotCheckOptions): BotCheck {
  return async (action, request, reply) => {
    if (!actions.has(action)) return;
    const token = request.headers[tokenHeader];
    if (typeof token !== 'string' || token === '' || token.length > 4096) {
      reply.header(botCheckHeaders.siteKey, siteKey).header(botCheckHeaders.script, scriptUrl);
      throw new Refusal('BotCheckRequired');
    }
    const said = await provider.verify(token, request.ip).catch((error: Error) => {
      request.log.warn(`bot check: ${error.message}`);
      return undefined;
    });
    if (said === undefined) {
      if (passesWhenUnreachable) return;
      throw new Refusal('BotCheckFailed');
    }
    const isHuman =
      said.success &&
      said.action === action &&
      (said.score ?? 0) >= minimumScore &&
      said.hostname !== undefined &&
      hosts.includes(said.hostname);
    if (!isHuman) throw new Refusal('BotCheckFailed');
  };
}
