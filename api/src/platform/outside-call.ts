/** An outside party that answered, and not with what was asked for. */
export class OutsideRefusal extends Error {
  readonly status: number;

  constructor(origin: string, status: number) {
    super(`${origin} answered ${status}`);
    this.status = status;
  }
}

/** A call of an outside party over HTTP with its key; five seconds at most. `once` is a key by which it knows a second try of the same. Throws an `OutsideRefusal`, or another error when it cannot be reached. */
export async function callOutside(url: string, key: string, body?: unknown, once?: string): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(once === undefined ? {} : { 'idempotency-key': once }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) throw new OutsideRefusal(new URL(url).origin, response.status);
  return response.json();
}
