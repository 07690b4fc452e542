import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../core/refusals.ts';

// The provider's verdict on a token. The score is from 0 (a program) to 1 (a person).
const botVerdict = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
});
/** The provider's verdict: the score from 0 to 1, the action and the host of the token. */
type BotVerdict = z.infer<typeof botVerdict>;

/**
 * The provider that distinguishes people from programs (specification §1: version 3, one token per
 * named action). `verify` throws when the provider cannot be reached.
 */
interface BotCheckProvider {
  verify(token: string, address: string): Promise<BotVerdict>;
}

/**
 * A provider over HTTP. It accepts a form with secret, response and remoteip, as the providers of
 * version 3 do.
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
      return botVerdict.parse(await response.json());
    },
  };
}

/** The provider and the settings BOT_CHECK_…. */
export interface BotCheckOptions {
  provider: BotCheckProvider;
  /** The names of the calls that need a token. The action of a token is the name of its call. */
  actions: ReadonlySet<string>;
  minimumScore: number;
  siteKey: string;
  scriptUrl: string;
  /** The hosts whose tokens are accepted. */
  hosts: readonly string[];
  /** Whether calls are accepted while the provider does not answer. */
  passesWhenUnreachable: boolean;
}

/** The request header with the token. */
export const botCheckTokenHeader = 'bot-check-token';
/**
 * The reply headers of the refusal BotCheckRequired. They hold what the browser needs to get a token,
 * so that the browser loads the script only where a check is made.
 */
export const botCheckHeaders = {
  siteKey: 'bot-check-site-key',
  script: 'bot-check-script',
} as const;

/** Checks a call before its body is read. Throws BotCheckRequired or BotCheckFailed. */
export type BotCheck = (
  action: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/**
 * Opens the check. It refuses a call of `actions` without a token, or with a token that the provider
 * does not confirm.
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
    const token = request.headers[botCheckTokenHeader];
    if (typeof token !== 'string' || token === '' || token.length > 4096) {
      reply.header(botCheckHeaders.siteKey, siteKey).header(botCheckHeaders.script, scriptUrl);
      throw new Refusal('BotCheckRequired');
    }
    const verdict = await provider.verify(token, request.ip).catch((error: Error) => {
      request.log.warn(`bot check: ${error.message}`);
      return undefined;
    });
    if (verdict === undefined) {
      if (passesWhenUnreachable) return;
      throw new Refusal('BotCheckFailed');
    }
    const isHuman =
      verdict.success &&
      verdict.action === action &&
      (verdict.score ?? 0) >= minimumScore &&
      verdict.hostname !== undefined &&
      hosts.includes(verdict.hostname);
    if (!isHuman) throw new Refusal('BotCheckFailed');
  };
}
