import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenClaims } from '#platform/auth/sessions/session-tokens.ts';
import { serverBusy } from '#platform/core/limiter.ts';
import { refusalText } from '#platform/core/locale-texts.ts';
import { grantedRoles } from '@diwan/contract/wire/call';
import { languages, readLanguage } from '@diwan/contract/wire/languages';

/** The order in which calls get a free place. */
const priority = {
  /** Payments, staff and service providers, and calls that had a place before their body arrived. */
  first: 0,
  /** Signed-in users, and calls that change something, such as a sign-in. */
  second: 1,
  /** Anonymous reads. */
  last: 2,
} as const;
type Priority = (typeof priority)[keyof typeof priority];

// libuv accepts one connection in a turn of the event loop and reads once what has arrived. While a
// turn works on many calls, the others wait in the kernel, where they have no priority and cannot be
// refused. So a turn starts few calls, none after a long one, and one where more wait than there are
// places. Calls that start in one turn share the statement that reads their sessions.
const startsPerTurn = 32;
const startMsPerTurn = 2;
// For each priority, compared to the number of places.
const waitingPerPlace = 2;

/**
 * A fixed number of places for calls, and a queue of limited length for each priority. In a turn of
 * the event loop only `startsPerTurn` calls start, within `startMsPerTurn`, or one under overload.
 */
export class CallPlaces {
  #free: number;
  #started = 0;
  #turnBeganAt = 0;
  readonly #count: number;
  readonly #queues: (() => void)[][] = [[], [], []];

  constructor(count: number) {
    this.#free = count;
    this.#count = count;
  }

  /** Takes a place when one is free in this turn. Those who wait come first. */
  take(): boolean {
    return this.#queues.every((queue) => queue.length === 0) && this.#start();
  }

  /** Returns a place. */
  release(): void {
    this.#free += 1;
    this.#startWaiting();
  }

  /** Whether a call of this priority would have to be refused. */
  isFull(order: Priority): boolean {
    return (this.#queues[order]?.length ?? 0) >= this.#count * waitingPerPlace;
  }

  /** Waits for a place: `onTurn` is called when it is taken. False when the queue is full. */
  wait(order: Priority, onTurn: () => void): boolean {
    if (this.isFull(order)) return false;
    this.#queues[order]?.push(onTurn);
    return true;
  }

  /** Ends a wait. */
  leave(order: Priority, onTurn: () => void): void {
    const queue = this.#queues[order] ?? [];
    const index = queue.indexOf(onTurn);
    if (index >= 0) queue.splice(index, 1);
  }

  #start(): boolean {
    if (this.#free === 0 || (this.#started > 0 && this.#isTurnOver())) return false;
    this.#free -= 1;
    this.#started += 1;
    if (this.#started === 1) {
      this.#turnBeganAt = performance.now();
      setImmediate(() => {
        this.#started = 0;
        this.#startWaiting();
      });
    }
    return true;
  }

  #isTurnOver(): boolean {
    const waiting = this.#queues.reduce((sum, queue) => sum + queue.length, 0);
    return (
      this.#started === startsPerTurn ||
      waiting > this.#count ||
      performance.now() - this.#turnBeganAt > startMsPerTurn
    );
  }

  #startWaiting(): void {
    for (;;) {
      const queue = this.#queues.find((each) => each.length > 0);
      if (!queue || !this.#start()) return;
      queue.shift()?.();
    }
  }
}

const sampleMs = 1000;
const resolutionMs = 20;

/**
 * Measures the delay of the event loop: by how much timers are late on average, in milliseconds, in
 * the last second.
 */
function watchEventLoop(server: FastifyInstance): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let delayMs = 0;
  const timer = setInterval(() => {
    // Without a sample the loop stood still for the whole time.
    delayMs = histogram.count === 0 ? sampleMs : histogram.mean / 1e6 - resolutionMs;
    histogram.reset();
  }, sampleMs).unref();
  server.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return () => delayMs;
}

// The signature of a token takes a tenth of a millisecond, which is too much for each refused call.
const maximumKnownTokens = 2000;

const staffRoles: readonly string[] = grantedRoles;

function priorityOfClaims(claims: TokenClaims | undefined): Priority {
  if (!claims) return priority.last;
  return [claims.role ?? []].flat().some((role) => staffRoles.includes(role))
    ? priority.first
    : priority.second;
}

const paymentCalls = '/api/Payment/';

const isRead = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/storage/');

/** Finds the priority of a call. Verifies its token without reading the database. */
function openPriorities(
  verifyToken: (token: string) => Promise<TokenClaims | undefined>,
): (request: FastifyRequest) => Promise<Priority> {
  const known = new Map<string, Priority>();
  const ofToken = async (token: string): Promise<Priority> => {
    const found = known.get(token) ?? priorityOfClaims(await verifyToken(token));
    if (known.size >= maximumKnownTokens) known.clear();
    known.set(token, found);
    return found;
  };
  return async ({ raw, headers }) => {
    if (raw.url?.startsWith(paymentCalls)) return priority.first;
    const [scheme, token] = (headers.authorization ?? '').split(' ');
    const found = scheme === 'Bearer' && token ? await ofToken(token) : priority.last;
    return isRead(raw) || found !== priority.last ? found : priority.second;
  };
}

/** The limits of one process. */
export interface CallLimits {
  /** How many calls are worked on at the same time. */
  callsAtOnce: number;
  /** The longest wait, in milliseconds. */
  waitMs: number;
  /** The delay of the event loop above which anonymous reads are refused, in milliseconds. */
  eventLoopDelayMs: number;
  verifyToken: (token: string) => Promise<TokenClaims | undefined>;
  /** Headers of a refusal for the origin of a request. */
  originHeaders?: (origin: string | undefined) => Record<string, string>;
  /** The delay of the event loop in the last second, in milliseconds; measured unless a test sets it. */
  eventLoopDelay?: () => number;
}

type PlaceState = 'none' | 'taken' | 'untilBodyArrives';

declare module 'fastify' {
  interface FastifyRequest {
    place: PlaceState;
  }
  interface FastifyContextConfig {
    /** The call waits for another system or has its own queue: it needs no place to run. */
    waitsElsewhere?: boolean;
  }
}

const isLimited = (url = '') => /^\/(?:api|storage|hubs)\//.test(url);

function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

const isAnonymousRead = (raw: IncomingMessage): boolean =>
  isLimited(raw.url) &&
  isRead(raw) &&
  raw.headers.authorization === undefined &&
  !raw.url?.startsWith(paymentCalls);

/**
 * Replies to a refused read without Fastify, which takes several times as long. The reply is that of
 * the error handler; `originHeaders` are the headers for a portal on another origin.
 */
function openRefusals(
  originHeaders: (origin: string | undefined) => Record<string, string>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const busy = serverBusy();
  const bodies = new Map(
    languages.map((language) => {
      const message = refusalText(busy.refusal, language, busy.params);
      return [language, Buffer.from(JSON.stringify({ error: busy.refusal, message }))] as const;
    }),
  );
  return (request, response) => {
    const ln = /[?&]ln=([\w-]+)/.exec(request.url ?? '')?.[1];
    const body = bodies.get(readLanguage(ln ?? request.headers['accept-language']));
    response.writeHead(busy.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body?.length ?? 0,
      'cache-control': 'no-store',
      'retry-after': String(busy.params.retryAfter),
      'x-content-type-options': 'nosniff',
      ...originHeaders(request.headers.origin),
    });
    response.end(body);
  };
}

const isUpload = ({ raw, headers }: FastifyRequest) =>
  raw.url?.startsWith('/storage/') === true ||
  (headers['content-type'] ?? '').startsWith('application/octet-stream');

/**
 * Refuses calls with 503 `ServerBusy` before their body is read when more arrive than the process
 * can serve: at most `callsAtOnce` run, and a few wait by priority for a short time. Decision 0035.
 *
 * A call needs a place while the server works on it, not while a slow network brings its body or
 * takes its reply, and not while it waits for another system. Health checks, metrics and the files
 * of the portal need none: to serve them costs about as much as to refuse them. A call whose client
 * has disconnected is dropped before its handler runs. Returns the number of refused calls, and
 * `refuse`, which the front door asks before Fastify: a refusal must cost little compared to the calls
 * that are served.
 */
export function limitCalls(
  server: FastifyInstance,
  limits: CallLimits,
): {
  refusedCalls: () => number;
  refuse: (request: IncomingMessage, response: ServerResponse) => boolean;
} {
  const { eventLoopDelay = watchEventLoop(server) } = limits;
  const places = new CallPlaces(limits.callsAtOnce);
  let refused = 0;
  const refusal = () => {
    refused += 1;
    return serverBusy();
  };
  const findPriority = openPriorities(limits.verifyToken);

  const isLoopTooSlow = (order: Priority): boolean =>
    order !== priority.first &&
    eventLoopDelay() > limits.eventLoopDelayMs * (order === priority.second ? 2 : 1);

  const release = (request: FastifyRequest) => {
    if (request.place === 'taken') places.release();
    request.place = 'none';
  };

  // Resolves when the call has a place, and never when its client disconnects before.
  function takeTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    order: Priority,
    done: (error?: Error) => void,
  ): void {
    if (places.take()) {
      request.place = 'taken';
      return done();
    }
    const stopWaiting = () => {
      clearTimeout(timer);
      reply.raw.off('close', leave);
    };
    const onTurn = () => {
      stopWaiting();
      request.place = 'taken';
      done();
    };
    const leave = () => {
      stopWaiting();
      places.leave(order, onTurn);
    };
    if (!places.wait(order, onTurn)) return done(refusal());
    const timer = setTimeout(() => {
      leave();
      done(refusal());
    }, limits.waitMs);
    reply.raw.once('close', leave);
  }

  const replyBusy = openRefusals(limits.originHeaders ?? (() => ({})));
  const refuse = (request: IncomingMessage, response: ServerResponse): boolean => {
    const isRefused =
      isAnonymousRead(request) && (places.isFull(priority.last) || isLoopTooSlow(priority.last));
    if (!isRefused) return false;
    refused += 1;
    replyBusy(request, response);
    return true;
  };

  server.decorateRequest('place', 'none');
  server.addHook('onRequest', (request, reply, done) => {
    if (!isLimited(request.raw.url)) return done();
    // The priority matters only when calls compete.
    if (!isLoopTooSlow(priority.last) && places.take()) {
      request.place = 'taken';
      return done();
    }
    findPriority(request).then(
      (order) => (isLoopTooSlow(order) ? done(refusal()) : takeTurn(request, reply, order, done)),
      done,
    );
  });
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.place === 'taken') {
      const needsNoPlace = request.routeOptions.config.waitsElsewhere === true || isUpload(request);
      const isBodyMissing = hasBody(request);
      if (needsNoPlace || isBodyMissing) release(request);
      if (!needsNoPlace && isBodyMissing) request.place = 'untilBodyArrives';
    }
    done(null, payload);
  });
  server.addHook('preValidation', (request, reply, done) => {
    if (request.place !== 'untilBodyArrives') return done();
    request.place = 'none';
    takeTurn(request, reply, priority.first, done);
  });
  server.addHook('preHandler', (request, reply, done) => {
    if (!request.raw.socket.destroyed) return done();
    release(request);
    reply.hijack();
  });
  // The work is done; the network may take longer to carry the reply.
  server.addHook('onSend', (request, _reply, payload, done) => {
    release(request);
    done(null, payload);
  });
  return { refusedCalls: () => refused, refuse };
}
