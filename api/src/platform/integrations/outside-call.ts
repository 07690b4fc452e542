/**
 * An outside party that answered, and not with what was asked for. `detail` holds nothing of what
 * it said.
 */
export class OutsideRefusal extends Error {
  readonly status: number;
  readonly detail: string;

  constructor(origin: string, status: number, note = '') {
    super(`${origin} answered ${status}${note}`);
    this.status = status;
    this.detail = `HTTP ${status}${note}`;
  }
}

async function ask(url: string, key: string, body?: unknown, once?: string): Promise<Response> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(once === undefined ? {} : { 'idempotency-key': once }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) throw new OutsideRefusal(new URL(url).origin, response.status);
  return response;
}

/**
 * A call of an outside party over HTTP with its key; five seconds at most. Throws an
 * `OutsideRefusal`, or another error when it cannot be reached.
 */
export async function callOutside(url: string, key: string, body?: unknown): Promise<unknown> {
  return (await ask(url, key, body)).json();
}

/**
 * Hands a message to a gateway, under the key `once` by which it knows a second try of the same;
 * five seconds at most. Taken is what is answered by a 2xx that is empty or an object,
 * unless it says `accepted: false`. Throws an `OutsideRefusal` for anything else: a page with
 * status 200 is of a proxy in between; or another error when the gateway cannot be reached.
 */
export async function handToGateway(
  url: string,
  key: string,
  body: unknown,
  once?: string,
): Promise<void> {
  const response = await ask(url, key, body, once);
  const text = (await response.text()).trim();
  if (text === '') return;
  const { origin } = new URL(url);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new OutsideRefusal(origin, response.status, ', unreadable');
  }
  if (typeof answer !== 'object' || answer === null)
    throw new OutsideRefusal(origin, response.status, ', unreadable');
  if ((answer as { accepted?: unknown }).accepted === false)
    throw new OutsideRefusal(origin, response.status, ', not accepted');
}
