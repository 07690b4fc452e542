import type { BodyInputOf, Call, ParamsOf, QueryInputOf } from '@diwan/contract/call';
import { storedLanguages } from '@diwan/contract/languages';
import { configuration } from './configuration.ts';
import { currentLanguage } from './language.ts';
import { errorFromReply, SendError } from './send-error.ts';

type Field<Name extends string, T> = T extends undefined ? { [K in Name]?: undefined } : { [K in Name]: T };

/** What a call takes, by its contract. */
export type InputOfCall<C extends Call> = Field<'params', ParamsOf<C>> & Field<'query', QueryInputOf<C>> & Field<'body', BodyInputOf<C>>;

export interface SendOptions {
  signal?: AbortSignal;
  /** The caller shows the error itself. Source: specification §7. */
  skipErrorHandling?: boolean;
}

export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A parameter stands in the path as the specification spells it: `/ReceiveRequest{requestId}`. */
export function addressOf(path: string, input: LooseInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  query.set('ln', storedLanguages[currentLanguage()]);
  return `${configuration().apiBaseUrl}${filled}?${query}`;
}

export function headersFor(token: string | null, contentType: string | null): Record<string, string> {
  return {
    'Accept-Language': currentLanguage(),
    'X-Content-Type-Options': 'nosniff',
    ...(contentType === null ? {} : { 'Content-Type': contentType }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/** Sends one call once, with the token given, and answers with the raw response. Errors are `SendError`. */
export async function transmit(call: Call, input: LooseInput, options: SendOptions, token: string | null): Promise<Response> {
  const skip = options.skipErrorHandling ?? false;
  let response: Response;
  try {
    response = await fetch(addressOf(call.path, input), {
      method: call.method,
      headers: headersFor(token, 'application/json'),
      body: call.method === 'GET' ? undefined : JSON.stringify(input.body ?? {}),
      signal: options.signal,
      credentials: 'same-origin',
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new SendError(0, 'ServerNotConnected', '', {}, skip);
  }
  if (response.ok) return response;
  // A proxy in front of a dead server answers 502 to 504 without our form.
  const body: unknown = await response.json().catch(() => undefined);
  if (body === undefined && response.status >= 502 && response.status <= 504) throw new SendError(0, 'ServerNotConnected', '', {}, skip);
  throw errorFromReply(response.status, body, skip);
}
