/**
 * An outside system answered with an error. `detail` is for the log and for admins; it contains
 * nothing of the answer's body.
 */
export class IntegrationError extends Error {
  readonly status: number;
  readonly detail: string;

  constructor(origin: string, status: number, note = '') {
    super(`${origin} answered ${status}${note}`);
    this.status = status;
    this.detail = `HTTP ${status}${note}`;
  }
}

/** The host by which this machine calls a server that listens on `host`, for an address. */
export function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** A call of an outside system. Without a body it is a GET. */
interface OutgoingCall {
  url: string;
  /** The whole header Authorization. */
  authorization: string;
  method?: 'GET' | 'POST' | 'PUT' | undefined;
  /** Sent as JSON, or as it is where it is a form. */
  body?: unknown;
  /** The media type of the body and of the reply. */
  mediaType?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** What a system last did, by its origin: whether it answered, and when. */
const lastOutcomes = new Map<string, { isAnswer: boolean; at: number }>();

/** A call of an outside system that has ended. Times are those of `performance.now()`. */
interface OutsideCall {
  origin: string;
  method: string;
  /** Missing without an answer. */
  status?: number;
  startedAt: number;
  endedAt: number;
}

const listeners = new Set<(call: OutsideCall) => void>();

/** Hears of each call of an outside system, where it ends. Returns what ends the hearing. */
export function onOutsideCall(listener: (call: OutsideCall) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notes whether an outside system answers: an error of its own is no answer. */
async function noteOutcome(
  url: string,
  method: string,
  sending: Promise<Response>,
): Promise<Response> {
  const { origin } = new URL(url);
  const startedAt = performance.now();
  const note = (isAnswer: boolean, status?: number) => {
    const endedAt = performance.now();
    lastOutcomes.set(origin, { isAnswer, at: endedAt });
    const call = { origin, method, startedAt, endedAt, ...(status ? { status } : {}) };
    for (const listener of listeners) listener(call);
  };
  try {
    const response = await sending;
    // A server that does not know the method of `isAnswering` answers all the same.
    note(response.status < 500 || response.status === 501, response.status);
    return response;
  } catch (error) {
    note(false);
    throw error;
  }
}

/**
 * Whether an outside system answers, by the last call of this process within `seconds`, else by asking
 * for the head of its origin. It never throws.
 */
export async function isAnswering(origin: string, seconds: number): Promise<boolean> {
  const known = lastOutcomes.get(origin);
  if (!known || performance.now() - known.at > seconds * 1000)
    await noteOutcome(
      origin,
      'HEAD',
      fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5000) }),
    ).catch(() => undefined);
  return lastOutcomes.get(origin)?.isAnswer ?? false;
}

async function send(call: OutgoingCall): Promise<Response> {
  const { url, authorization, method, body, mediaType, idempotencyKey } = call;
  const type = mediaType ?? 'application/json';
  const isForm = body instanceof URLSearchParams;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const sending = fetch(url, {
    method: verb,
    headers: {
      authorization,
      accept: type,
      ...(body === undefined || isForm ? {} : { 'content-type': type }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  });
  const response = await noteOutcome(url, verb, sending);
  if (!response.ok) throw new IntegrationError(new URL(url).origin, response.status);
  return response;
}

/**
 * Calls an outside system over HTTP with its key and returns the JSON of its reply. Without a body
 * the call is a GET. Throws an `IntegrationError`, or another error when the system cannot be reached
 * within five seconds.
 */
export async function callIntegration(
  url: string,
  key: string,
  body?: unknown,
  idempotencyKey?: string,
): Promise<unknown> {
  return callOutside({ url, authorization: `Bearer ${key}`, body, idempotencyKey });
}

/** Like `callIntegration`, for systems with another header Authorization or other media types. */
export async function callOutside(call: OutgoingCall): Promise<unknown> {
  return (await send(call)).json();
}

/** Like `callOutside`, for replies that are no JSON. */
export async function callForText(call: OutgoingCall): Promise<Buffer> {
  return Buffer.from(await (await send(call)).arrayBuffer());
}

/**
 * Sends a message to a gateway. By the idempotency key the gateway recognises a second attempt. The
 * message is accepted when the reply is a 2xx that is empty or an object, unless the object says
 * `accepted: false`. A page with status 200 comes from a proxy in between. Throws an
 * `IntegrationError`, or another error when the gateway cannot be reached within five seconds.
 */
export async function sendToGateway(
  url: string,
  key: string,
  body: unknown,
  idempotencyKey?: string,
): Promise<void> {
  const response = await send({ url, authorization: `Bearer ${key}`, body, idempotencyKey });
  const text = (await response.text()).trim();
  if (text === '') return;
  const { origin } = new URL(url);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new IntegrationError(origin, response.status, ', unreadable');
  }
  if (typeof answer !== 'object' || answer === null)
    throw new IntegrationError(origin, response.status, ', unreadable');
  if ((answer as { accepted?: unknown }).accepted === false)
    throw new IntegrationError(origin, response.status, ', not accepted');
}
