import type { BodyInputOf, Call, ParamsOf, QueryInputOf } from '@diwan/contract/wire/call';
import { storedLanguages } from '@diwan/contract/wire/languages';
import { configuration } from '../browser/configuration.ts';
import { takeEarly } from './early-call.ts';
import { currentLanguage } from '../i18n/language.ts';
import { errorFromReply, noConnection, SendError } from './send-error.ts';

type Field<Name extends string, T> = T extends undefined
  ? { [K in Name]?: undefined }
  : { [K in Name]: T };

/** What a call takes, by its contract. */
export type InputOfCall<C extends Call> = Field<'params', ParamsOf<C>> &
  Field<'query', QueryInputOf<C>> &
  Field<'body', BodyInputOf<C>>;

export interface SendOptions {
  signal?: AbortSignal;
  /**
   * The caller shows the error itself: the skip header of specification §7, as an option that never
   * leaves the browser.
   */
  skipErrorHandling?: boolean;
  /** Goes on when the page is left; browsers take 64 kB so. */
  keepalive?: boolean;
}

export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A parameter stands in the path as the specification spells it: `/ReceiveRequest{requestId}`. */
export function addressOf(path: string, input: LooseInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  query.set('ln', storedLanguages[currentLanguage()]);
  return `${configuration().apiBaseUrl}${filled}?${query}`;
}

/**
 * The whole address of a path or address, and whether it leads to our API: `/api/…` there. Anything
 * else, such as a signed address of blob
 * storage or of our own `/storage/…`, is left untouched: no token, no language, no headers of ours.
 * Source: specification §7.
 */
export function resolveAddress(address: string): { href: string; isOurs: boolean } {
  const api = configuration().apiBaseUrl || window.location.origin;
  const url = new URL(address, /^\/(api|storage)\//.test(address) ? api : window.location.origin);
  const isOurs = url.origin === api && url.pathname.startsWith('/api/');
  if (isOurs) url.searchParams.set('ln', storedLanguages[currentLanguage()]);
  return { href: url.href, isOurs };
}

/** `contentType` null: disabled for this call. */
export function headersFor(
  token: string | null,
  contentType: string | null,
): Record<string, string> {
  return {
    'Accept-Language': currentLanguage(),
    'X-Content-Type-Options': 'nosniff',
    ...(contentType === null ? {} : { 'Content-Type': contentType }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/**
 * What was asked to stop stays what it is; anything else that fails on the way is no connection.
 */
export function faultOnTheWay(error: unknown, skip?: boolean): unknown {
  return error instanceof DOMException && error.name === 'AbortError' ? error : noConnection(skip);
}

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The JSON of an answer. A page in its place comes from something between us and the server, such
 * as the sign-in page of a network.
 */
export async function readReply(response: Response, skip?: boolean): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw faultOnTheWay(error, skip);
  });
  const body = parse(text);
  if (body === undefined)
    throw /^\s*</.test(text)
      ? noConnection(skip)
      : new SendError(500, 'InternalServerError', '', {}, skip);
  return body;
}

// Comes with the first call that must carry a token of it; most portals have none (specification
// §1).
let botCheck: typeof import('./bot-check.ts') | undefined;

/**
 * Sends one call once, with the token given, and answers with the raw response. Errors are
 * `SendError`.
 */
export async function transmit(
  call: Call,
  input: LooseInput,
  options: SendOptions,
  token: string | null,
): Promise<Response> {
  const skip = options.skipErrorHandling;
  const checkToken = await botCheck?.botCheckToken(call.name);
  const address = addressOf(call.path, input);
  const response = await (
    takeEarly(call.method, address, token) ??
    fetch(address, {
      method: call.method,
      headers: {
        ...headersFor(token, 'application/json'),
        ...(checkToken === undefined ? {} : { 'Bot-Check-Token': checkToken }),
      },
      body: call.method === 'GET' ? undefined : JSON.stringify(input.body ?? {}),
      signal: options.signal,
      keepalive: options.keepalive,
      // The API may be on another origin; its cookie binds a sign-in by UAE PASS to this browser.
      credentials: 'include',
    })
  ).catch((error: unknown) => {
    throw faultOnTheWay(error, skip);
  });
  if (response.ok) return response;
  // Read in any case, or the connection would stay taken.
  const answer = await response.text().catch(() => '');
  if (response.headers.has('bot-check-site-key')) {
    botCheck ??= await import('./bot-check.ts');
    if (botCheck.learnBotCheck(call.name, response.headers))
      return transmit(call, input, options, token);
  }
  throw errorFromReply(response.status, parse(answer), skip, response.headers.get('retry-after'));
}
