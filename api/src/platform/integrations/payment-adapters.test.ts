import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { nGenius } from './n-genius.ts';
import { MessageRefused } from './payment-provider.ts';
import { stripe } from './stripe.ts';

// Stand-ins that answer as the public documentation of the providers says, with its field names.

interface Seen {
  line: string;
  body: string;
  headers: Record<string, unknown>;
}
type Answer = (seen: Seen) => [status: number, body: unknown];

let server: Server | undefined;
afterEach(() => server?.close());

async function standIn(answer: Answer): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer(
    (request, response) =>
      void text(request).then((body) => {
        const one = { line: `${request.method} ${request.url}`, body, headers: request.headers };
        seen.push(one);
        const [status, reply] = answer(one);
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(reply));
      }),
  );
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const order = {
  merchantReference: 'DW26-1',
  amount: 12_345,
  currency: 'AED',
  description: 'A service',
  language: 'en-US' as const,
  returnUrl: 'https://diwan.example/back',
  messageUrl: 'https://diwan.example/message',
  method: 'card' as const,
};
const opened = { merchantReference: 'DW26-1', providerReference: 'ref-1' };
const refund = {
  ...opened,
  amount: 100,
  currency: 'AED',
  idempotencyKey: 'key-1',
  earlierRefunds: [],
};

const session = (parts: object = {}) => ({
  id: 'ref-1',
  object: 'checkout.session',
  client_reference_id: 'DW26-1',
  url: 'https://checkout.stripe.com/c/pay/ref-1',
  status: 'open',
  payment_status: 'unpaid',
  amount_total: 12_345,
  currency: 'aed',
  created: 1_790_000_000,
  payment_intent: 'pi_1',
  ...parts,
});
const stripeAt = (url: string) =>
  stripe({ url, key: 'sk_test_0123456789', messageSecrets: ['whsec_0123456789'] });

it('Stripe opens a session in minor units, with an idempotency key', async () => {
  const { url, seen } = await standIn(() => [200, session()]);
  const page = await stripeAt(url).open(order);
  expect(page).toEqual({ paymentUrl: session().url, providerReference: 'ref-1' });
  const form = new URLSearchParams(seen[0]?.body);
  expect([
    seen[0]?.line,
    seen[0]?.headers['idempotency-key'],
    seen[0]?.headers.authorization,
    form.get('line_items[0][price_data][unit_amount]'),
    form.get('line_items[0][price_data][currency]'),
    form.get('payment_method_types[0]'),
    new URL(form.get('success_url') ?? '').searchParams.get('paymentSummary'),
  ]).toEqual([
    'POST /v1/checkout/sessions',
    'open-DW26-1',
    'Bearer sk_test_0123456789',
    '12345',
    'aed',
    'card',
    'DW26-1',
  ]);
});

it.each([
  [{ status: 'complete', payment_status: 'paid' }, [['paid', 12_345, 'AED']]],
  [{ status: 'expired' }, [['cancelled', 12_345, 'AED']]],
  [{ status: 'complete' }, []],
  [{}, []],
])('Stripe reads a session %j', async (parts, expected) => {
  const { url } = await standIn(() => [200, session(parts)]);
  const events = await stripeAt(url).read(opened);
  expect(events.map(({ kind, amount, currency }) => [kind, amount, currency])).toEqual(expected);
});

it('Stripe dates a payment by its charge, not by the opening of its page', async () => {
  const paid = { status: 'complete', payment_status: 'paid' };
  const payment_intent = { id: 'pi_1', latest_charge: { created: 1_790_100_000 } };
  const { url, seen } = await standIn(() => [200, session({ ...paid, payment_intent })]);
  const [event] = await stripeAt(url).read(opened);
  expect(event?.occurredAt).toBe(new Date(1_790_100_000_000).toISOString());
  expect(seen[0]?.line).toBe(
    'GET /v1/checkout/sessions/ref-1?expand[]=payment_intent.latest_charge',
  );
});

it('Stripe closes an open session, and says so when it was paid', async () => {
  const { url } = await standIn(({ line }) =>
    line.startsWith('POST') ? [400, { error: {} }] : [200, session({ status: 'complete' })],
  );
  expect(await stripeAt(url).cancel(opened)).toBe(false);
  server?.close();
  const other = await standIn(() => [200, session({ status: 'expired' })]);
  expect(await stripeAt(other.url).cancel(opened)).toBe(true);
});

it.each([
  [200, { id: 're_1', status: 'succeeded' }, 'succeeded'],
  [200, { id: 're_1', status: 'pending' }, 'pending'],
  [200, { id: 're_1', status: 'failed' }, 'refused'],
  [400, { error: { code: 'charge_already_refunded' } }, 'refused'],
])('Stripe refunds: %i %j', async (status, body, state) => {
  const { url, seen } = await standIn(({ line }) =>
    line === 'POST /v1/refunds' ? [status, body] : [200, { ...session(), data: [] }],
  );
  expect((await stripeAt(url).refund(refund)).state).toBe(state);
  expect([seen[2]?.body, seen[2]?.headers['idempotency-key']]).toEqual([
    'payment_intent=pi_1&amount=100&metadata%5Brefund_key%5D=key-1',
    'key-1',
  ]);
});

it('Stripe’s refund of an earlier attempt is found by its key, and not made again', async () => {
  const others = { id: 're_0', status: 'failed', metadata: { refund_key: 'key-0' } };
  const own = { id: 're_1', status: 'succeeded', metadata: { refund_key: 'key-1' } };
  const { url, seen } = await standIn(() => [200, { ...session(), data: [others, own] }]);
  expect(await stripeAt(url).refund(refund)).toEqual({ state: 'succeeded', refundId: 're_1' });
  expect(seen.map(({ line }) => line.split('?')[0])).toEqual([
    'GET /v1/checkout/sessions/ref-1',
    'GET /v1/refunds',
  ]);
});

it('Stripe’s outcome is unknown after a 500', async () => {
  const { url } = await standIn(({ line }) =>
    line === 'POST /v1/refunds' ? [500, {}] : [200, { ...session(), data: [] }],
  );
  await expect(stripeAt(url).refund(refund)).rejects.toThrow('500');
});

it('Stripe’s messages are checked over t.body, for five minutes; the event has the id of an answer', () => {
  const body = Buffer.from(
    JSON.stringify({
      id: 'evt_1',
      type: 'checkout.session.completed',
      created: 1_790_000_000,
      data: { object: session({ payment_status: 'paid' }) },
    }),
  );
  const at = 1_790_000_000;
  const signature = createHmac('sha256', 'whsec_0123456789').update(`${at}.${body}`).digest('hex');
  const read = (header: string, seconds = at) =>
    stripeAt('http://localhost').readMessage(
      body,
      { 'stripe-signature': header },
      new Date(seconds * 1000),
    );
  const genuine = `t=${at},v1=${'0'.repeat(64)},v1=${signature}`;
  expect(read(genuine)).toMatchObject({
    merchantReference: 'DW26-1',
    events: [{ id: 'stripe:ref-1:paid', kind: 'paid', amount: 12_345, currency: 'AED' }],
  });
  for (const [header, seconds] of [
    [genuine, at + 301],
    [`t=${at},v1=${signature.replace(/^./, 'x')}`, at],
    [`t=${at + 1},v1=${signature}`, at],
    [`v1=${signature}`, at],
    ['', at],
  ] as const)
    expect(() => read(header, seconds)).toThrow(MessageRefused);
});

it('messages are genuine by the former and by the new secret while one replaces the other', () => {
  const body = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'other', created: 1, data: {} }));
  const at = 1_790_000_000;
  const read = (messageSecrets: string[], secret: string) => {
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
    const account = { url: 'http://localhost', key: 'sk_test_0123456789', messageSecrets };
    try {
      stripe(account).readMessage(body, headers, new Date(at * 1000));
      return 'genuine';
    } catch (error) {
      return (error as MessageRefused).fault;
    }
  };
  const [former, next] = ['whsec_former_secret', 'whsec_newer_secret'];
  const { STRIPE_SECRET: both = [] } = readConfig({ STRIPE_SECRET: `${next}, ${former}` });
  const refused = 'notGenuine';
  expect([read([former], next), read([next], former)]).toEqual([refused, refused]);
  expect(read(both, former)).toBe(read([former], former));
  expect(read(both, next)).toBe(read([next], next));
  expect(read(both, former)).not.toBe(refused);
  const order = (messageSecrets: string[], secret: string) =>
    nGenius({
      url: 'http://localhost',
      key: 'service-account',
      outlet: 'out-1',
      messageSecrets,
    }).readMessage(Buffer.from('{'), { 'x-diwan-secret': secret }, new Date());
  expect(() => order([next], former)).toThrow('notGenuine');
  for (const secret of both) expect(() => order(both, secret)).toThrow('unreadable');
});

const stripeMessage = (type: string, object: object) => {
  const at = 1_790_000_000;
  const body = Buffer.from(JSON.stringify({ id: 'evt_1', type, created: at, data: { object } }));
  const signature = createHmac('sha256', 'whsec_0123456789').update(`${at}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
  return stripeAt('http://localhost').readMessage(body, headers, new Date(at * 1000));
};
const disputed = {
  id: 'dp_1',
  object: 'dispute',
  amount: 12_345,
  charge: 'ch_1',
  currency: 'aed',
  payment_intent: 'pi_1',
  reason: 'fraudulent',
  status: 'needs_response',
};

it.each([
  ['charge.refunded', { id: 'ch_1', object: 'charge', amount_refunded: 100 }],
  ['refund.created', { id: 're_1', object: 'refund', amount: 100, status: 'succeeded' }],
  ['refund.failed', { id: 're_1', object: 'refund', amount: 100, status: 'failed' }],
  ['charge.refund.updated', { id: 're_1', object: 'refund', amount: 100, status: 'succeeded' }],
])('Stripe’s message %s names the charge, and is a reason to ask', (type, object) => {
  expect(stripeMessage(type, { ...object, payment_intent: 'pi_1' })).toEqual({
    merchantReference: '',
    providerReference: null,
    events: [],
    charge: 'pi_1',
  });
  expect(() => stripeMessage(type, { ...object, payment_intent: null })).toThrow(MessageRefused);
});

it.each([
  ['charge.dispute.created', 'needs_response', false],
  ['charge.dispute.closed', 'lost', true],
])('Stripe’s message %s says what is disputed', (type, status, hasEnded) => {
  expect(stripeMessage(type, { ...disputed, status })).toMatchObject({
    charge: 'pi_1',
    dispute: {
      id: 'dp_1',
      amount: 12_345,
      currency: 'AED',
      detail: `fraudulent: ${status}`,
      hasEnded,
    },
  });
  expect(() => stripeMessage(type, { ...disputed, amount: -1 })).toThrow(MessageRefused);
});

it('Stripe lists refunds with our keys, and finds the session of a charge', async () => {
  const refunds = [
    { id: 're_2', amount: 50, metadata: {}, status: 'succeeded' },
    { id: 're_1', amount: 100, metadata: { refund_key: 'key-1' }, status: 'pending' },
  ].map((each) => ({ ...each, currency: 'aed', created: 1_790_000_000 }));
  const { url, seen } = await standIn(({ line }) =>
    line.includes('/refunds?')
      ? [200, { data: refunds }]
      : [200, { ...session(), data: [session()] }],
  );
  expect(await stripeAt(url).readRefunds?.(opened)).toMatchObject([
    { id: 're_2', key: null, amount: 50, currency: 'AED', state: 'succeeded' },
    { id: 're_1', key: 'key-1', amount: 100, state: 'pending' },
  ]);
  expect(await stripeAt(url).findPayment?.('pi_1')).toEqual(opened);
  expect(seen.at(-1)?.line).toBe('GET /v1/checkout/sessions?payment_intent=pi_1&limit=1');
});

it('Stripe lists what was charged since a time, over all pages', async () => {
  const since = new Date(1_790_000_000_000);
  const paid = (id: string, created: number, parts: object = {}) =>
    session({
      id,
      client_reference_id: `DW26-${id}`,
      payment_status: 'paid',
      payment_intent: { id: 'pi_1', latest_charge: { created } },
      ...parts,
    });
  const { url, seen } = await standIn(({ line }) => [
    200,
    line.includes('starting_after')
      ? { data: [paid('third', 1_790_000_005)], has_more: false }
      : {
          data: [
            paid('first', 1_789_999_999),
            paid('second', 1_790_000_000),
            // Not charged, and of another program with the same account.
            session({ id: 'fourth' }),
            paid('fifth', 1_790_000_001, { client_reference_id: null }),
          ],
          has_more: true,
        },
  ]);
  expect(await stripeAt(url).listCharged?.(since)).toEqual(
    ['second', 'third'].map((id) => ({
      merchantReference: `DW26-${id}`,
      providerReference: id,
      amount: 12_345,
      currency: 'AED',
    })),
  );
  // A page that was opened a day before may be paid after it.
  expect(seen[0]?.line).toContain('created%5Bgte%5D=1789913600&status=complete&limit=100');
  expect(seen[1]?.line).toMatch(/starting_after=fifth$/);
});

const payment = (state: string, more: object = {}) => ({
  reference: 'pay-1',
  state,
  amount: { currencyCode: 'AED', value: 12_345 },
  updateDateTime: '2026-11-24T10:00:00.123456789Z',
  ...more,
});
const withRefunds = (...refunds: number[]) =>
  payment('CAPTURED', {
    _embedded: {
      'cnp:capture': [
        {
          _links: { self: { href: 'https://x/captures/cap-1' } },
          amount: { currencyCode: 'AED', value: 12_345 },
        },
      ],
      'cnp:refund': refunds.map((value, index) => ({
        _links: { self: { href: `https://x/refunds/rf-${index + 1}` } },
        amount: { currencyCode: 'AED', value },
      })),
    },
  });
const nGeniusOrder = (...payments: object[]) => ({
  reference: 'ref-1',
  _links: { payment: { href: 'https://paypage.ngenius-payments.com/?code=1' } },
  _embedded: { payment: payments },
});
const token: [number, unknown] = [200, { access_token: 'a-token' }];
const nGeniusAt = (url: string) =>
  nGenius({ url, key: 'service-account', outlet: 'out-1', messageSecrets: ['header-secret-0123'] });
const isToken = ({ line }: Seen) => line === 'POST /identity/auth/access-token';
const answering = (reply: Answer) => standIn((seen) => (isToken(seen) ? token : reply(seen)));

it('N-Genius opens an order in minor units with a token of the service account', async () => {
  const { url, seen } = await answering(() => [201, nGeniusOrder(payment('STARTED'))]);
  const provider = nGeniusAt(url);
  await provider.open(order);
  expect(await provider.open(order)).toEqual({
    paymentUrl: 'https://paypage.ngenius-payments.com/?code=1',
    providerReference: 'ref-1',
  });
  // One token serves both.
  expect(seen.map(({ line }) => line)).toEqual([
    'POST /identity/auth/access-token',
    'POST /transactions/outlets/out-1/orders',
    'POST /transactions/outlets/out-1/orders',
  ]);
  expect([seen[0]?.headers.authorization, seen[1]?.headers.authorization]).toEqual([
    'Basic service-account',
    'Bearer a-token',
  ]);
  expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({
    action: 'PURCHASE',
    amount: { currencyCode: 'AED', value: 12_345 },
    merchantOrderReference: 'DW26-1',
  });
});

it.each([
  ['STARTED', []],
  ['AWAIT_3DS', []],
  ['AUTHORISED', ['authorised']],
  ['CAPTURED', ['paid']],
  ['PURCHASED', ['paid']],
  ['FAILED', ['declined']],
  ['REVERSED', ['cancelled']],
])('N-Genius reads the state %s', async (state, expected) => {
  const { url } = await answering(() => [200, nGeniusOrder(payment(state))]);
  const events = await nGeniusAt(url).read(opened);
  expect(events.map(({ kind }) => kind)).toEqual(expected);
});

it('N-Genius captures and reverses an authorisation, and cannot close an unpaid page', async () => {
  const { url, seen } = await answering(() => [200, nGeniusOrder(payment('AUTHORISED'))]);
  await nGeniusAt(url).capture?.({ ...opened, amount: 12_345, currency: 'AED' });
  expect(await nGeniusAt(url).cancel(opened)).toBe(true);
  const changes = seen.filter((each) => !isToken(each) && !each.line.startsWith('GET'));
  const path = '/transactions/outlets/out-1/orders/ref-1/payments/pay-1';
  expect(changes.map(({ line }) => line)).toEqual([`POST ${path}/captures`, `PUT ${path}/cancel`]);
  server?.close();
  const other = await answering(() => [200, nGeniusOrder(payment('STARTED'))]);
  expect(await nGeniusAt(other.url).cancel(opened)).toBe(false);
});

it('N-Genius refunds a capture, and not again when the order says that it did', async () => {
  const done: number[] = [];
  const { url, seen } = await answering(({ line }) => {
    if (line.startsWith('GET')) return [200, nGeniusOrder(withRefunds(...done))];
    done.push(100);
    return [200, withRefunds(...done)];
  });
  const provider = nGeniusAt(url);
  expect(await provider.refund(refund)).toEqual({ state: 'succeeded', refundId: 'rf-1' });
  // The answer was lost, so the same refund is asked for again.
  expect(await provider.refund(refund)).toEqual({ state: 'succeeded', refundId: 'rf-1' });
  expect(await provider.refund({ ...refund, earlierRefunds: ['rf-1'] })).toEqual({
    state: 'succeeded',
    refundId: 'rf-2',
  });
  expect(seen.filter(({ line }) => line.endsWith('/captures/cap-1/refund'))).toHaveLength(2);
});

it('N-Genius refunds although somebody refunded the same amount by hand before', async () => {
  const done = [100];
  const { url, seen } = await answering(({ line }) => {
    if (line.startsWith('GET')) return [200, nGeniusOrder(withRefunds(...done))];
    done.push(100);
    return [200, withRefunds(...done)];
  });
  const provider = nGeniusAt(url);
  expect(await provider.readRefunds?.(opened)).toMatchObject([
    { id: 'rf-1', key: null, amount: 100 },
  ]);
  expect(await provider.refund({ ...refund, earlierRefunds: ['rf-1'] })).toEqual({
    state: 'succeeded',
    refundId: 'rf-2',
  });
  expect(seen.filter(({ line }) => line.endsWith('/captures/cap-1/refund'))).toHaveLength(1);
});

it('N-Genius dates a payment by its capture, which a refund does not change', async () => {
  const { url } = await answering(() => [
    200,
    nGeniusOrder(
      payment('PARTIALLY_REFUNDED', {
        updateDateTime: '2026-12-24T10:00:00Z',
        _embedded: { 'cnp:capture': [{ createdTime: '2026-11-24T10:00:00Z' }] },
      }),
    ),
  ]);
  expect(await nGeniusAt(url).read(opened)).toMatchObject([
    { kind: 'paid', occurredAt: '2026-11-24T10:00:00.000Z' },
  ]);
});

it('N-Genius’ messages need the header of the portal and only announce something', () => {
  const body = Buffer.from(
    JSON.stringify({ order: { reference: 'ref-1', merchantOrderReference: 'DW26-1' } }),
  );
  const read = (secret: string) =>
    nGeniusAt('http://localhost').readMessage(body, { 'x-diwan-secret': secret }, new Date());
  expect(read('header-secret-0123')).toEqual({ ...opened, events: [] });
  expect(() => read('another')).toThrow(MessageRefused);
});
