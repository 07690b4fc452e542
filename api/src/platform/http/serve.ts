import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callsWhileActing } from '@diwan/contract/people/acting';
import type { BodyOf, Call, ParamsOf, QueryOf, ReplyOf } from '@diwan/contract/wire/call';
import { readLanguage, type Language } from '@diwan/contract/wire/languages';
import { cleanText } from '../core/clean-text.ts';
import type { AppContext } from './context.ts';
import { Refusal, ValidationRefusal } from '../core/refusals.ts';
import { refusalOfRestriction, type Caller } from '../auth/session.ts';
import { sendOnce, share } from './shared-replies.ts';
import { issuesOf } from './validation-issues.ts';

/**
 * What a handler is given: the parts of the call, checked and typed, who calls, and in which
 * language.
 */
export interface Incoming<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  caller: C['who'] extends 'anyone' ? Caller | undefined : Caller;
  language: Language;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * `perMinute`: how often one address may make the call, or with `perPerson` one person who is
 * signed in. `bodyLimit` in bytes. `isShared`: the reply is the same for everybody who reads the
 * language.
 */
export interface ServeOptions {
  perMinute?: number;
  perPerson?: boolean;
  bodyLimit?: number;
  isShared?: boolean;
}

/**
 * The language of a request: the query parameter `ln`, else the header Accept-Language. Source:
 * specification §7.
 */
export function languageOf(request: FastifyRequest): Language {
  const { ln } = (request.query ?? {}) as { ln?: unknown };
  return readLanguage(typeof ln === 'string' ? ln : request.headers['accept-language']);
}

// The specification's `ReceiveRequest{requestId}` is that template literally; the form with a slash
// is taken too (design §3).
function routePaths(path: string): string[] {
  const route = path.replace(/\{(\w+)\}/g, ':$1');
  return route === path ? [path] : [route, path.replace(/([^/])\{(\w+)\}/g, '$1/:$2')];
}

function check<T extends z.ZodType>(
  schema: T | undefined,
  value: unknown,
): z.output<T> | undefined {
  if (!schema) return undefined;
  const result = schema.safeParse(cleanText(value ?? {}));
  if (!result.success) throw new ValidationRefusal(issuesOf(result.error));
  return result.data;
}

async function readCaller(
  context: AppContext,
  request: FastifyRequest,
  call: Call,
): Promise<Caller | undefined> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const caller =
    scheme === 'Bearer' && token ? await context.sessions.findCaller(token) : undefined;
  const isShutOut = caller?.restriction !== undefined && !call.openTo?.includes(caller.restriction);
  const isOutOfReach = caller?.actor !== undefined && !callsWhileActing.has(call.name);
  if (call.who === 'anyone') return isShutOut || isOutOfReach ? undefined : caller;
  if (!caller) throw new Refusal('YouHaveToLoginFirst');
  if (caller.restriction && isShutOut) throw new Refusal(refusalOfRestriction[caller.restriction]);
  if (isOutOfReach) throw new Refusal('NotWhileActing');
  if (!caller.roles.some((role) => call.who.includes(role)))
    throw new Refusal('YouAreUnauthorized');
  return caller;
}

// Bytes arrive as a stream, which nothing but a call for bytes may touch.
function takesOther(request: FastifyRequest, call: Call): boolean {
  const isBytes = (request.headers['content-type'] ?? '').startsWith('application/octet-stream');
  return isBytes !== (call.consumes === 'bytes');
}

/**
 * Puts a call on the server: checks who calls, checks the shapes, runs the handler, and writes only
 * the fields that the contract has.
 * A handler returns the reply, or for `file` and `redirect` answers through `reply` and returns it.
 */
export function serve<C extends Call>(
  context: AppContext,
  call: C,
  handler: (incoming: Incoming<C>) => Promise<ReplyOf<C> | FastifyReply> | ReplyOf<C>,
  options: ServeOptions = {},
): void {
  const shape = typeof call.reply === 'string' ? undefined : call.reply;
  // Made when the call is first answered: all of them at once are a third of what a start of the
  // server costs.
  let replySchema: Record<string, unknown> | undefined;
  for (const url of routePaths(call.path)) {
    context.server.route({
      method: call.method,
      url,
      ...(options.bodyLimit ? { bodyLimit: options.bodyLimit } : {}),
      config: options.perMinute
        ? {
            rateLimit: {
              max: options.perMinute,
              timeWindow: 60_000,
              groupId: call.name,
              ...(options.perPerson
                ? {
                    keyGenerator: (request: FastifyRequest) => request.caller?.userId ?? request.ip,
                  }
                : {}),
            },
          }
        : {},
      // HEAD would be counted apart, which doubles what one address may ask; of one person that is
      // known it does not matter.
      ...(options.perMinute && !options.perPerson ? { exposeHeadRoute: false } : {}),
      // Who may call, and with what, is decided before a body is read.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        request.caller = await readCaller(context, request, call);
        if (takesOther(request, call))
          throw new ValidationRefusal([{ field: 'body', code: 'wrongType' }]);
      },
      // Still before the body, and after the limit by address, which comes behind our own hook:
      // nobody makes us ask the provider without end.
      preParsing: async (request, reply) => context.botCheck?.(call.name, request, reply),
      ...(options.isShared ? { onSend: sendOnce } : {}),
      handler: async (request, reply) => {
        const answer = await handler({
          params: check(call.params, request.params),
          query: check(call.query, request.query),
          body: check(call.body, request.body),
          caller: request.caller,
          language: languageOf(request),
          request,
          reply,
        } as Incoming<C>);
        if (options.isShared) share(reply);
        if (!shape || answer === reply) return answer;
        replySchema ??= z.toJSONSchema(shape, { io: 'output', target: 'draft-7' }) as Record<
          string,
          unknown
        >;
        return reply
          .type('application/json; charset=utf-8')
          .send(reply.serializeInput(answer as never, replySchema));
      },
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}
