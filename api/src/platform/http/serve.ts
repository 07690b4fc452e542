import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { callsWhileActing } from '@diwan/contract/people/acting';
import {
  backgroundHeader,
  type BodyOf,
  type Call,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@diwan/contract/wire/call';
import type { RefusalName } from '@diwan/contract/wire/errors';
import { readLanguage, type Language } from '@diwan/contract/wire/languages';
import { requireOwnAgencies } from '../auth/agencies/agency-administration.ts';
import { recordAudit } from '../auth/audit.store.ts';
import { getActor, restrictionRefusals, type Caller } from '../auth/caller.ts';
import { callerNetwork } from '../core/caller-network.ts';
import { Refusal, ValidationRefusal } from '../core/refusals.ts';
import { readPrimary, readStandby } from '../database/calls/standby.ts';
import { answerOnce, readCallKey } from './call-keys.ts';
import type { AppContext } from './context.ts';
import { FailureLimit, type FailureRules } from './limits/failure-limit.ts';
import {
  JsonBytes,
  replyKey,
  sendCachedBody,
  varyBy,
  type CachedBody,
} from './replies/response-cache.ts';
import { validateInput } from './validate-input.ts';

/** The validated parts of a call, its caller and its language. */
interface Incoming<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  caller: C['who'] extends 'anyone' ? Caller | undefined : Caller;
  language: Language;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * A limit of the calls a minute: with `failures` only of those that fail, of one address, and what
 * succeeds is not counted; with `perPerson` of one user, or of one address where nobody is signed in.
 * Without both, many people behind one address share the limit: only for calls that no user makes
 * (decision 0119).
 */
type CallLimit<Answer> =
  | { perMinute?: undefined; perPerson?: undefined; failures?: undefined }
  | { perMinute: number; perPerson: boolean; failures?: undefined }
  | { perMinute: number; perPerson?: undefined; failures: FailureRules<Answer> };

/**
 * `bodyLimit` is in bytes. `version`: the reply depends on nothing but the address, the language and
 * this version of its data, so that it is made once and sent from memory. `waitsElsewhere`: the call
 * waits for another system or in its own queue, so it does not count among `CALLS_AT_ONCE`.
 */
type ServeOptions<Answer = unknown> = CallLimit<Answer> & {
  bodyLimit?: number;
  version?: () => number;
  waitsElsewhere?: boolean;
};

/**
 * The language of a request: the query parameter `ln`, else the header Accept-Language. Source:
 * specification §7.
 */
export function languageOf(request: FastifyRequest): Language {
  const { ln } = (request.query ?? {}) as { ln?: unknown };
  return readLanguage(typeof ln === 'string' ? ln : request.headers['accept-language']);
}

// The path `ReceiveRequest{requestId}` of the specification has no slash before the parameter. A path
// with a slash is accepted too (design §3).
function routePaths(path: string): string[] {
  const route = path.replace(/\{(\w+)\}/g, ':$1');
  return route === path ? [path] : [route, path.replace(/([^/])\{(\w+)\}/g, '$1/:$2')];
}

/** Whether a call keeps its session alive: the portal marks the calls of a page left open. */
export const isUse = (request: FastifyRequest): boolean => !(backgroundHeader in request.headers);

// A restricted caller, or an employee who acts for a user, counts as anonymous in a call that is open
// to anyone and not to them.
async function findCaller(
  { sessions }: Pick<AppContext, 'sessions'>,
  request: FastifyRequest,
  call: Call,
): Promise<Caller | undefined> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const caller =
    scheme === 'Bearer' && token ? await sessions.findCaller(token, isUse(request)) : undefined;
  const refusal = caller && findRefusal(caller, call);
  if (call.who === 'anyone') return refusal ? undefined : caller;
  if (!caller) throw new Refusal('YouHaveToLoginFirst');
  if (refusal) throw new Refusal(refusal);
  // guard: role of the caller (user-lists)
  if (!caller.roles.some((role) => call.who.includes(role)))
    throw new Refusal('YouAreUnauthorized');
  return caller;
}

function findRefusal(
  { restriction, actor }: Caller,
  { openTo, name }: Call,
): RefusalName | undefined {
  // guard: restriction of the caller (second-factor)
  if (restriction && !openTo?.includes(restriction)) return restrictionRefusals[restriction];
  // guard: calls while acting for a person (acting)
  if (actor && !callsWhileActing.has(name)) return 'NotWhileActing';
  return undefined;
}

// Bytes arrive as a stream, which only a call for bytes can read.
function hasWrongContentType(request: FastifyRequest, call: Call): boolean {
  const isBytes = (request.headers['content-type'] ?? '').startsWith('application/octet-stream');
  return isBytes !== (call.consumes === 'bytes');
}

// HEAD would be counted separately, which would double what one address may call. For a limit by user
// this does not matter.
function limitOptions(
  call: Call,
  { perMinute, perPerson, failures, waitsElsewhere = false }: ServeOptions<never>,
): Pick<RouteOptions, 'config' | 'exposeHeadRoute'> {
  // guard: limit of calls a minute (error-replies) => true
  if (!perMinute) return { config: { waitsElsewhere } };
  if (failures) return { config: { waitsElsewhere }, exposeHeadRoute: false };
  const byUser = {
    keyGenerator: (request: FastifyRequest) => request.caller?.userId ?? callerNetwork(request.ip),
  };
  const rateLimit = {
    max: perMinute,
    timeWindow: 60_000,
    groupId: call.name,
    ...(perPerson ? byUser : {}),
  };
  return {
    config: { rateLimit, waitsElsewhere },
    ...(perPerson ? {} : { exposeHeadRoute: false }),
  };
}

type Serializer = (value: unknown) => string;

// A serializer is made at the first reply with a shape: those of all shapes take a third of the
// server's start. All calls with the shape share it: Fastify would make one for each route.
const serializers = new WeakMap<z.ZodType, Serializer>();

function serializerOf(reply: FastifyReply, shape: z.ZodType): Serializer {
  const known = serializers.get(shape);
  if (known) return known;
  const schema = z.toJSONSchema(shape, { io: 'output', target: 'draft-7' });
  const made = reply.compileSerializationSchema(schema) as Serializer;
  serializers.set(shape, made);
  return made;
}

const serialize = (reply: FastifyReply, shape: z.ZodType, value: unknown): string =>
  serializerOf(reply, shape)(value);

/** A part of a reply as bytes; it has only the fields of its `shape`. */
export const toJsonBytes = <Shape extends z.ZodType>(
  reply: FastifyReply,
  shape: Shape,
  value: z.input<Shape>,
): JsonBytes => new JsonBytes(Buffer.from(serialize(reply, shape, value)));

// Nothing decides about the caller: no role, no limit, no bot check, no parameter in the path.
function isAlwaysServed(
  { botCheck }: Pick<AppContext, 'botCheck'>,
  call: Call,
  options: ServeOptions<never>,
): options is ServeOptions<never> & { version: () => number } {
  const isOpen = call.who === 'anyone' && call.method === 'GET' && !call.path.includes('{');
  return options.version !== undefined && isOpen && !options.perMinute && !botCheck;
}

const jsonType = 'application/json; charset=utf-8';

const sendReply = (request: FastifyRequest, reply: FastifyReply, body: CachedBody) =>
  sendCachedBody(request, varyBy(reply.type(jsonType), 'accept-language'), body);

// The record is written before the reply leaves, so that no file leaves without one. Refused calls and
// HEAD hand out nothing.
async function recordExport(
  { database }: Pick<AppContext, 'database'>,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller } = request;
  if (!caller || reply.statusCode >= 400 || request.method === 'HEAD') return;
  const query: unknown = validateInput(call.query, request.query);
  const body: unknown = validateInput(call.body, request.body);
  const record = () =>
    recordAudit(database, {
      kind: 'exported',
      userId: getActor(caller).userId,
      sessionId: caller.sessionId,
      address: request.ip,
      call: call.name,
      filter: { ...(query as object), ...(body as object) },
    });
  await readPrimary(record);
}

/**
 * Serves a call: checks the caller, validates the input, runs the handler, and sends only the fields
 * that the contract has. A handler returns the reply, or for `file` and `redirect` sends it through
 * `reply` and returns that; with `version` it may return the reply as bytes.
 */
export function serve<C extends Call>(
  context: Pick<
    AppContext,
    'server' | 'database' | 'sessions' | 'botCheck' | 'replies' | 'cachedReplies'
  >,
  call: C,
  handler: (
    incoming: Incoming<C>,
  ) => Promise<ReplyOf<C> | FastifyReply | JsonBytes> | ReplyOf<C> | JsonBytes,
  options: ServeOptions<ReplyOf<C>> = {},
): void {
  const shape = typeof call.reply === 'string' ? undefined : call.reply;
  const { perMinute, failures } = options;
  const limit = perMinute && failures ? new FailureLimit(perMinute, failures) : undefined;
  for (const url of routePaths(call.path)) {
    if (isAlwaysServed(context, call, options)) context.cachedReplies.add(url, options.version);
    context.server.route({
      method: call.method,
      url,
      ...(options.bodyLimit ? { bodyLimit: options.bodyLimit } : {}),
      ...limitOptions(call, options),
      // The caller and the content type are checked before the body is read.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        request.caller = await findCaller(context, request, call);
        if (hasWrongContentType(request, call))
          throw new ValidationRefusal([{ field: 'body', code: 'wrongType' }]);
        limit?.begin(request);
      },
      // Runs before the body is read and after the limit by address, whose hook follows ours: the
      // limit also limits the calls of the bot check's provider.
      preParsing: async (request, reply) => {
        if (!limit?.isDeferred(request)) await context.botCheck?.(call.name, request, reply);
      },
      ...(call.isExport
        ? {
            // guard: exports are recorded (exports)
            onSend: (request: FastifyRequest, reply: FastifyReply) =>
              recordExport(context, call, request, reply),
          }
        : {}),
      ...(limit
        ? {
            preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
              if (!limit.isDeferred(request)) return;
              limit.checkDevice(request);
              await context.botCheck?.(call.name, request, reply);
            },
            onError: async (request: FastifyRequest, _reply: FastifyReply, error: Error) =>
              limit.refused(request, error),
          }
        : {}),
      handler: async (request, reply) => {
        const key =
          options.version && replyKey(options.version(), languageOf(request), request.url);
        const cached = key === undefined ? undefined : context.replies.find(key);
        if (cached) return sendReply(request, reply, cached);
        const input = {
          params: validateInput(call.params, request.params),
          query: validateInput(call.query, request.query),
          body: validateInput(call.body, request.body),
        };
        const work = async () => {
          if (call.byAgency)
            await requireOwnAgencies(context.database, call, request.caller, {
              ...(input.params as object),
              ...(input.query as object),
              ...(input.body as object),
            });
          const incoming = {
            ...input,
            caller: request.caller,
            language: languageOf(request),
            request,
            reply,
          } as Incoming<C>;
          const answer = await (call.mayLag
            ? readStandby(() => handler(incoming))
            : handler(incoming));
          limit?.answered(request, answer as ReplyOf<C>);
          return answer;
        };
        const keyed = shape && readCallKey(call, request);
        if (keyed) {
          const text = await answerOnce(context.database, keyed, async () => {
            const answer = await work();
            return answer instanceof JsonBytes
              ? answer.bytes.toString()
              : serialize(reply, shape, answer);
          });
          return reply.type(jsonType).send(Buffer.from(text));
        }
        const answer = await work();
        // A handler that awaits the reply which it has sent returns `undefined`, also where the client
        // has gone and nothing was written.
        if (!shape || reply.sent || answer === undefined) return answer;
        const content = answer instanceof JsonBytes ? answer : serialize(reply, shape, answer);
        if (key !== undefined)
          return sendReply(request, reply, context.replies.store(key, content));
        // Fastify would measure a text before node encodes it: two passes instead of one.
        const bytes = typeof content === 'string' ? Buffer.from(content) : content.bytes;
        return reply.type(jsonType).send(bytes);
      },
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}
