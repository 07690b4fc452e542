import {
  noTextsVersion,
  textsVersionHeader,
  type BodyInputOf,
  type Call,
  type ParamsOf,
  type QueryInputOf,
} from '@diwan/contract/wire/call';
import { storedLanguages } from '@diwan/contract/wire/languages';
import { configuration } from '../browser/configuration.ts';
import { currentLanguage } from '../i18n/language.ts';
import { errorFromReply, connectionError, ApiError } from './api-error.ts';
import { callHeaders } from './call-headers.ts';
import { takePrefetched } from './prefetch.ts';
import { activityHeaders } from './user-activity.ts';

type Field<Name extends string, T> = T extends undefined
  ? { [K in Name]?: undefined }
  : { [K in Name]: T };

/** The input of a call, by its contract. */
export type InputOfCall<C extends Call> = Field<'params', ParamsOf<C>> &
  Field<'query', QueryInputOf<C>> &
  Field<'body', BodyInputOf<C>>;

export interface SendOptions {
  signal?: AbortSignal;
  /**
   * The caller shows the error. This is the skip header of specification §7; it is an option, which
   * is not sent.
   */
  skipErrorHandling?: boolean;
  /** The call continues when the user leaves the page, where its body is small enough. */
  keepalive?: boolean;
  /** The content of a call for bytes. */
  content?: Blob;
}

/** `headers`: those of a call with a key. */
export interface FetchOptions extends SendOptions {
  headers?: Record<string, string>;
}

export interface UntypedInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Parameters are in the path as the specification spells them: `/ReceiveRequest{requestId}`. */
export function addressOf(path: string, input: UntypedInput): string {
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
 * The whole address of a path or address, and whether it belongs to our API: `/api/…` there. Other
 * addresses, such as a signed one of blob storage or our own `/storage/…`, do not change and get no
 * token, no language and no headers. Source: specification §7.
 */
export function resolveAddress(address: string): { href: string; isOurs: boolean } {
  const api = configuration().apiBaseUrl || window.location.origin;
  const url = new URL(address, /^\/(api|storage)\//.test(address) ? api : window.location.origin);
  const isOurs = url.origin === api && url.pathname.startsWith('/api/');
  if (isOurs) url.searchParams.set('ln', storedLanguages[currentLanguage()]);
  return { href: url.href, isOurs };
}

/**
 * Runs work that ends like a failed connection when it takes longer than `milliseconds`. A network
 * that was silent for a while leaves connections behind that take calls and answer none.
 */
export async function endAfter<Reply>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException('No answer', 'TimeoutError')),
    milliseconds,
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a failed fetch: an abort stays an abort, any other failure means no connection. */
export function networkError(error: unknown, skip?: boolean): unknown {
  return error instanceof DOMException && error.name === 'AbortError'
    ? error
    : connectionError(skip);
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The JSON of an answer. HTML comes from a device between the browser and the server, such as the
 * sign-in page of a network, and counts as no connection.
 */
export async function readReply(response: Response, skip?: boolean): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw networkError(error, skip);
  });
  const body = parseJson(text);
  if (body === undefined)
    throw /^\s*</.test(text)
      ? connectionError(skip)
      : new ApiError(500, 'InternalServerError', '', { skipErrorHandling: skip });
  return body;
}

// Loaded when the server first asks for a token of it; most portals have none (specification §1).
let botCheck: typeof import('./bot-check.ts') | undefined;

/** Browsers refuse a longer body that outlives its page: 64 kB. A character has up to three bytes. */
const maximumKeepaliveLength = 20_000;
const isShort = (body: string | Blob | undefined): boolean =>
  typeof body === 'string' && body.length < maximumKeepaliveLength;

const bodyOf = (call: Call, input: UntypedInput, { content }: SendOptions) =>
  content ?? (call.method === 'GET' ? undefined : JSON.stringify(input.body ?? {}));

/** Sends a call once with this token; returns the raw response. Throws `ApiError`. */
export async function fetchCall(
  call: Call,
  input: UntypedInput,
  options: FetchOptions,
  token: string | null,
): Promise<Response> {
  const skip = options.skipErrorHandling;
  const checkToken = await botCheck?.createBotCheckToken(call.name);
  const address = addressOf(call.path, input);
  const body = bodyOf(call, input, options);
  const response = await (
    takePrefetched(call.method, address, token) ??
    fetch(address, {
      method: call.method,
      headers: {
        ...callHeaders(
          currentLanguage(),
          token,
          options.content ? 'application/octet-stream' : 'application/json',
        ),
        ...options.headers,
        ...activityHeaders(),
        ...(checkToken === undefined ? {} : { 'Bot-Check-Token': checkToken }),
      },
      body,
      signal: options.signal,
      keepalive: options.keepalive && isShort(body),
      // The API may be on another origin; its cookie binds a sign-in by UAE PASS to this browser.
      credentials: 'include',
    })
  ).catch((error: unknown) => {
    throw networkError(error, skip);
  });
  const texts = response.headers.get(textsVersionHeader);
  if (texts && texts !== (document.documentElement.dataset['texts'] ?? noTextsVersion))
    void import('../i18n/refresh-texts.ts').then(({ refreshTexts }) => refreshTexts(texts));
  if (response.ok) return response;
  // An unread body would keep the connection open.
  const answer = await response.text().catch(() => '');
  if (response.headers.has('bot-check-site-key')) {
    botCheck ??= await import('./bot-check.ts');
    if (botCheck.rememberBotCheck(call.name, response.headers))
      return fetchCall(call, input, options, token);
  }
  throw errorFromReply(
    response.status,
    parseJson(answer),
    skip,
    response.headers.get('retry-after'),
  );
}
