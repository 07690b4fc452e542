import { Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { callKeyHeader, type Call } from '@diwan/contract/wire/call';
import type { Answer, TestApp } from '../../api/src/testing/test-app.ts';

/** Makes a call of the contract; `key` is that of the act, which each repeat has too. */
export type PortalCall = <C extends Call>(
  call: C,
  parts?: Parameters<TestApp['call']>[1] & { key?: string },
) => Promise<Answer<C>>;

/** What an answer looked like from outside. Times are milliseconds of `performance.now()`. */
export interface Observed {
  /** 0: there was no answer. */
  status: number;
  begin: number;
  end: number;
  hasRetryAfter: boolean;
  call: string;
  /** The name of a refusal; empty where the proxy answered. */
  error: string;
}

/** How long a caller waits for an answer at most, in milliseconds. */
const patience = 30_000;

type Options = Parameters<typeof request>[1];

async function exchange(url: string, options: Options, body: Buffer | undefined) {
  const sent = request(url, { ...options, signal: AbortSignal.timeout(patience) });
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  sent.end(body);
  const incoming = await answered;
  const content = await buffer(incoming);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, content };
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    // The proxy answers with a page.
    return {};
  }
}

/**
 * Makes calls of the contract at the address of the portal, as one browser does. Each answer is
 * observed. A call without an answer has the status 0.
 */
export function openCaller(
  portal: string,
  certificate: string,
  observe: (observed: Observed) => void,
): PortalCall {
  const agent = new Agent({ keepAlive: true, ca: certificate });
  return async (call, { params = {}, query, body, token, key, language = 'en-US' } = {}) => {
    const path = call.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String(params[key])),
    );
    const file = Buffer.isBuffer(body) ? body : undefined;
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const content = file ?? text;
    const headers = {
      'accept-language': language,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { [callKeyHeader]: key } : {}),
      ...(content === undefined
        ? {}
        : { 'content-type': file ? 'application/octet-stream' : 'application/json' }),
    };
    const begin = performance.now();
    const url = `${portal}${path}?${new URLSearchParams(query as Record<string, string>)}`;
    const answer = await exchange(url, { agent, method: call.method, headers }, content).catch(
      () => ({ status: 0, headers: {}, content: Buffer.alloc(0) }),
    );
    const { status } = answer;
    const parsed = parse(answer.content);
    const error = String((parsed as { error?: string }).error ?? '');
    const hasRetryAfter = 'retry-after' in answer.headers;
    observe({ status, begin, end: performance.now(), hasRetryAfter, call: call.name, error });
    return { status, body: parsed, refused: parsed, headers: answer.headers } as Answer<
      typeof call
    >;
  };
}
