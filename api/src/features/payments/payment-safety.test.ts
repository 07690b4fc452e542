import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { nGenius } from '#platform/integrations/n-genius.ts';
import type { OpenedPayment } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { signMessage } from '#platform/integrations/signed-message.ts';
import { stripe } from '#platform/integrations/stripe.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  decidePaymentCase,
  decideRefund,
  getPaymentCases,
  getPaymentTimeline,
  getRefunds,
  getRefusedPaymentMessages,
  requestRefund,
} from '@diwan/contract/payments/events';
import {
  getPaymentRouting,
  savePaymentProvider,
  savePaymentRule,
} from '@diwan/contract/payments/providers';
import { getChanges } from '@diwan/contract/people/changes';
import {
  createPayment,
  getInvoicePathByRequestId,
  getPaymentMethods,
  type PaymentMethod,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { todayInDubai } from '@diwan/contract/wire/days';
import { silentNotifier } from '../messages/notifications.actions.ts';
import { receiveMessage } from './payment-messages.actions.ts';
import { storeMessage } from './payment-messages.store.ts';
import { beginPayment, checkOpenPayments } from './payments.actions.ts';
import { closeUnanswered } from './payments.store.ts';
import { maximumRefundAttempts, sendRefunds, type RefundsContext } from './refunds.actions.ts';
import { startRefund } from './refunds.store.ts';
import { chooseProviders } from './routing/routing.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
let token: string;
let context: RefundsContext;
let messageSecret: string;
beforeAll(async () => {
  token = await app.signIn('individual');
  messageSecret = await getOrCreateSecret(app.database, 'sandbox-messages');
  const key = await getOrCreateSecret(app.database, 'sandbox');
  context = {
    database: app.serverDatabase,
    providers: new Map([
      ['paypro', payPro({ url: app.paymentsUrl, key, messageSecrets: [messageSecret] })],
      [
        'reserve',
        payPro({ url: `${app.paymentsUrl}/reserve`, key, messageSecrets: [messageSecret] }),
      ],
    ]),
    publicUrl: '',
    expiryMinutes: 60,
    approvalAbove: 100_000,
    workingDays: 10,
    workflow: storedWorkflows(app.serverDatabase),
    calendars: await openCalendars(app.serverDatabase),
    fines: { database: app.serverDatabase, register: undefined, warn: () => undefined },
    notifier: silentNotifier,
    warn: () => undefined,
    announce: () => undefined,
  };
});

const record = async (requestId: number) =>
  (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;
const statuses = async (requestId: number) =>
  (await record(requestId)).payments.map(({ status }) => status);

async function begin() {
  const { requestId } = await insertDemoRequest(app, 'individual');
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  const { amount } = (await record(requestId)).payments[0] ?? { amount: 0 };
  return { requestId, amount, ...body };
}

/** Pays on the page of the sandbox. */
async function decide(paymentUrl: string, decision: string, fault = 'none') {
  const url = paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl);
  const body = new URLSearchParams({ decision, fault });
  return fetch(url, { method: 'POST', body, redirect: 'manual' });
}

/** Checks all payments now. One run of the job takes twenty of them. */
async function check() {
  await app.database
    .updateTable('payments')
    .set({ checked_at: new Date(0) })
    .execute();
  const { count } = await app.database
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  for (let checked = 0; checked < count; checked += 20) await checkOpenPayments(context, 1);
}

/** Makes the pending refunds due, and sends them. */
async function send() {
  await app.database
    .updateTable('refunds')
    .set({ next_attempt_at: new Date(0) })
    .where('state', 'in', ['ready', 'sent'])
    .execute();
  await sendRefunds(context);
}

async function post(body: string | Buffer, headers: Record<string, string>, provider = 'paypro') {
  const { statusCode } = await app.server.inject({
    method: 'POST',
    url: `/api/Payment/ReceivePaymentMessage/${provider}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
  return statusCode;
}
const signed = (body: string, at = new Date(), secret = messageSecret) => ({
  'diwan-signature': signMessage(secret, body, at),
});
let count = 0;
const message = (
  merchantReference: string,
  amount: number,
  { kind = 'paid', currency = 'AED', id = `message ${(count += 1)}` } = {},
) =>
  JSON.stringify({
    merchantReference,
    events: [{ id, kind, amount, currency, occurredAt: new Date().toISOString() }],
  });

describe('a message of the provider', () => {
  it('pays once, though it arrives fifty times at the same time', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const body = message(merchantReference, amount);
    const headers = signed(body);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, headers)));
    expect(new Set(answers)).toEqual(new Set([200]));
    const { history, payments } = await record(requestId);
    expect(history.filter(({ action }) => action === 'pay')).toHaveLength(1);
    expect(payments.map(({ status }) => status)).toEqual(['paid']);
    const stored = await app.database
      .selectFrom('payment_messages')
      .select(['times', 'verdict'])
      .where('merchant_reference', '=', merchantReference)
      .execute();
    expect(stored).toEqual([{ times: 50, verdict: 'applied' }]);
    const { rows: sent } = await sql<{ channel: string }>`
      select channel
      from messages
      where request_id = ${requestId}
        and history_id in (select id from request_history where action = 'pay')`.execute(
      app.database,
    );
    expect(sent.map(({ channel }) => channel)).toContain('email');
    expect(new Set(sent.map(({ channel }) => channel)).size).toBe(sent.length);
    const query = { RequestId: requestId, Kind: 'receipt' as const };
    await Promise.all(
      Array.from({ length: 10 }, () => app.call(getInvoicePathByRequestId, { token, query })),
    );
    const receipts = await app.database
      .selectFrom('invoices')
      .select('kind')
      .where('request_id', '=', requestId)
      .where('kind', '=', 'receipt')
      .execute();
    expect(receipts).toHaveLength(1);
  });

  it('is stored while a refund begins: neither waits for the other', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const body = message(merchantReference, amount);
    await post(body, signed(body));
    const payment = await app.database
      .selectFrom('payments')
      .select(['id', 'request_id', 'currency'])
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    await inTransaction(app.database, async (first) => {
      await storeMessage(first, {
        provider: 'paypro',
        digest: `beside a refund of ${requestId}`,
        merchant_reference: merchantReference,
        payment_id: payment.id,
        verdict: 'applied',
      });
      const refund = await inTransaction(app.database, async (second) => {
        await sql`set local lock_timeout = '1s'`.execute(second);
        return startRefund(second, payment, { amount, reason: 'chargedTwice' });
      });
      expect(refund.state).toBe('ready');
    });
  });

  it('about another charge goes back, though many arrive doubled at the same time', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const first = message(merchantReference, amount);
    await post(first, signed(first));
    const charges = Array.from({ length: 8 }, () => message(merchantReference, amount));
    const sent = [...charges, ...charges, ...charges, first];
    const answers = await Promise.all(sent.map((body) => post(body, signed(body))));
    expect(answers).toEqual(sent.map(() => 200));
    const refunds = await app.database
      .selectFrom('refunds')
      .select(['amount', 'reason', 'state'])
      .where('request_id', '=', requestId)
      .execute();
    expect(refunds).toEqual(
      charges.map(() => ({ amount, reason: 'chargedTwice', state: 'ready' })),
    );
    expect(await statuses(requestId)).toEqual(['paid']);
  });

  it('and the return of the visitor do not wait for each other', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const bodies = Array.from({ length: 12 }, () =>
      message(merchantReference, amount, { kind: 'authorised' }),
    );
    const paymentSummary = Buffer.from(JSON.stringify({ merchantReference })).toString('base64url');
    const answers = await Promise.all(
      bodies.flatMap((body) => [
        post(body, signed(body)),
        app
          .call(postPayProPaymentResult, { query: { paymentSummary } })
          .then(({ status }) => status),
      ]),
    );
    expect(answers.toSorted()).toEqual([...bodies.map(() => 200), ...bodies.map(() => 302)]);
    expect(await statuses(requestId)).toEqual(['pending']);
  });

  it('is refused when it is forged, of another provider, old, cut off or too long', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const body = message(merchantReference, amount);
    const old = new Date(Date.now() - 400_000);
    const cut = body.slice(0, -5);
    expect([
      await post(body, {}),
      await post(body, signed(body, new Date(), 'another secret')),
      await post(body.replace(String(amount), '1'), signed(body)),
      await post(body, signed(body), 'stripe'),
      await post(body, signed(body, old)),
      await post(cut, signed(cut)),
      await post(Buffer.alloc(10_000_000, 'x'), {}),
      await post(body, signed(body), 'nobody'),
    ]).toEqual([403, 403, 403, 403, 403, 403, 400, 400]);
    expect(await statuses(requestId)).toEqual(['pending']);
    const { body: refused } = await app.callAs('admin', getRefusedPaymentMessages);
    const of = (reason: string) =>
      refused.filter((row) => row.reason === reason).reduce((sum, { times }) => sum + times, 0);
    expect([of('notGenuine'), of('tooOld'), of('unreadable'), of('tooLarge')]).toEqual([
      4, 1, 1, 1,
    ]);
  });

  it.each([
    ['a negative amount', { amount: -100 }],
    ['a part of a fils', { amount: 0.5 }],
    ['an amount beyond all fees', { amount: 1e14 }],
    ['a currency that is none', { currency: 'dirham' }],
    ['an id that no text column takes', { id: 'evt \0' }],
    ['a day that is none', { occurredAt: '2026-02-30T10:00:00Z' }],
    ['an unknown kind', { kind: 'refunded' }],
  ])('is refused with %s, though it is signed', async (_, wrong) => {
    const { requestId, merchantReference, amount } = await begin();
    const { events } = JSON.parse(message(merchantReference, amount)) as { events: object[] };
    const body = JSON.stringify({ merchantReference, events: [{ ...events[0], ...wrong }] });
    expect(await post(body, signed(body))).toBe(403);
    expect(await statuses(requestId)).toEqual(['pending']);
    const many = JSON.stringify({ merchantReference, events: Array(21).fill(events[0]) });
    expect(await post(many, signed(many))).toBe(403);
  });

  it('from a clock that is ahead is booked today', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const body = message(merchantReference, amount).replace(/"20\d\d-/, '"9999-');
    expect(await post(body, signed(body))).toBe(200);
    expect(await statuses(requestId)).toEqual(['paid']);
    const { day } = await app.database
      .selectFrom('ledger_entries')
      .select(sql<string>`to_char(max(day), 'YYYY-MM-DD')`.as('day'))
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(day).toBe(todayInDubai());
  });

  it('about an unknown payment, or one of another provider, becomes a case', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const [unknown, other] = [message('DW00-1', 500), message(merchantReference, amount)];
    expect(await post(unknown, signed(unknown))).toBe(200);
    expect(await post(other, signed(other), 'reserve')).toBe(200);
    expect(await statuses(requestId)).toEqual(['pending']);
    const { body } = await app.callAs('admin', getPaymentCases, { query: { Take: 100 } });
    expect(
      body.items
        .filter(({ kind }) => kind === 'unknownReference')
        .map((each) => [each.merchantReference, each.amount, each.decisions]),
    ).toEqual([
      ['DW00-1', 500, ['close']],
      [merchantReference, amount, ['close']],
    ]);
  });

  it.each([
    ['stripe', 'a payment', { payment_status: 'paid', status: 'complete' }],
    ['stripe', 'an end', { payment_status: 'unpaid', status: 'expired' }],
    ['n-genius', 'anything', {}],
  ] as const)('of %s about %s of another session becomes a case', async (name, _, said) => {
    const { requestId, merchantReference, amount } = await begin();
    await app.database
      .updateTable('payments')
      .set({ provider: name, provider_reference: 'own-session' })
      .where('merchant_reference', '=', merchantReference)
      .execute();
    const account = { url: 'http://127.0.0.1:1', key: 'a key', messageSecrets: [messageSecret] };
    const real = name === 'stripe' ? stripe(account) : nGenius({ ...account, outlet: 'outlet' });
    const asked: string[] = [];
    const provider = {
      ...real,
      read: async ({ providerReference }: OpenedPayment) => {
        asked.push(providerReference ?? '');
        return [];
      },
      readRefunds: async () => [],
    };
    const receive = async (session: string) => {
      const about = {
        id: session,
        client_reference_id: merchantReference,
        amount_total: amount,
        currency: 'aed',
        created: 1,
        ...said,
      };
      const seconds = Math.floor(Date.now() / 1000);
      const order = { reference: session, merchantOrderReference: merchantReference };
      const type = 'checkout.session.completed';
      const body = JSON.stringify({ type, created: seconds, data: { object: about }, order });
      await receiveMessage(
        { ...context, providers: new Map([[name, provider]]) },
        name,
        Buffer.from(body),
        { 'stripe-signature': signMessage(messageSecret, body), 'x-diwan-secret': messageSecret },
      );
    };
    await receive('other-session');
    expect([await statuses(requestId), asked]).toEqual([['pending'], []]);
    const { payment_id, ...stored } = await app.database
      .selectFrom('payment_messages')
      .select(['payment_id', 'verdict'])
      .where('merchant_reference', '=', merchantReference)
      .executeTakeFirstOrThrow();
    expect([payment_id, stored]).toEqual([null, { verdict: 'unknownReference' }]);
    const { body } = await app.callAs('admin', getPaymentCases, { query: { Take: 100 } });
    expect(body.items.filter((each) => each.merchantReference === merchantReference)).toMatchObject(
      [{ kind: 'unknownReference', detail: 'other-session', decisions: ['close'] }],
    );
    await receive('own-session');
    const after = { payment_status: 'pending', status: 'pending', ...said };
    const own = { paid: 'paid', unpaid: 'cancelled', pending: 'pending' }[after.payment_status];
    expect([await statuses(requestId), asked]).toEqual([
      [own],
      name === 'stripe' ? [] : ['own-session'],
    ]);
  });

  it('in the wrong order ends the same: a late success after a failure is paid', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const failed = message(merchantReference, amount, { kind: 'declined' });
    const paid = message(merchantReference, amount);
    await post(failed, signed(failed));
    expect(await statuses(requestId)).toEqual(['declined']);
    await post(paid, signed(paid));
    await post(failed, signed(failed));
    expect(await statuses(requestId)).toEqual(['paid']);
  });
});

describe('the sandbox', () => {
  it.each([
    ['messageLost', 'paid'],
    ['chargedThenError', 'paid'],
    ['reportedFailed', 'paid'],
    ['authorisedOnly', 'paid'],
    ['wrongAmount', 'held'],
    ['wrongCurrency', 'held'],
  ])('with the switch %s ends as %s', async (fault, status) => {
    const { requestId, paymentUrl } = await begin();
    expect((await decide(paymentUrl, 'paid', fault)).status).toBe(
      fault === 'chargedThenError' ? 502 : 303,
    );
    await check();
    expect(await statuses(requestId)).toEqual([status]);
  });

  it('asks for the bank’s confirmation before it charges', async () => {
    const { requestId, paymentUrl } = await begin();
    await decide(paymentUrl, 'paid', 'threeDSecure');
    await check();
    expect(await statuses(requestId)).toEqual(['pending']);
    await decide(paymentUrl, 'verified', 'none');
    await check();
    expect(await statuses(requestId)).toEqual(['paid']);
  });

  it('that charges twice is paid once, and the second charge is refunded automatically', async () => {
    const { requestId, paymentUrl, amount } = await begin();
    await decide(paymentUrl, 'paid', 'chargedTwice');
    await check();
    await send();
    expect(await statuses(requestId)).toEqual(['paid']);
    expect((await record(requestId)).refund).toMatchObject({
      refundable: amount,
      refunded: amount,
    });
    expect(await refundsOfSandbox(requestId)).toEqual([amount]);
  });

  it('again, and whose message about it is lost, is asked once more after ten minutes', async () => {
    const { requestId, paymentUrl, merchantReference, amount } = await begin();
    await decide(paymentUrl, 'paid');
    await check();
    expect(await statuses(requestId)).toEqual(['paid']);
    const known = context.providers.get('paypro');
    if (!known) throw new Error('no provider');
    let asked = 0;
    const chargedAgain: typeof known = {
      ...known,
      read: async (payment) => {
        const events = await known.read(payment);
        if (payment.merchantReference !== merchantReference) return events;
        asked += 1;
        return [...events, ...events.map((event) => ({ ...event, id: `${event.id} again` }))];
      },
    };
    const providers = new Map([...context.providers, ['paypro', chargedAgain]] as const);
    const look = () => checkOpenPayments({ ...context, providers }, 86_400);
    await look();
    expect(asked).toBe(0);
    await app.database
      .updateTable('payments')
      .set({
        created_at: new Date(Date.now() - 11 * 60_000),
        checked_at: new Date(Date.now() - 9 * 60_000),
      })
      .where('merchant_reference', '=', merchantReference)
      .execute();
    await look();
    await look();
    expect(asked).toBe(1);
    expect((await record(requestId)).refund).toMatchObject({ refundable: amount });
    const refunds = await app.database
      .selectFrom('refunds')
      .select(['amount', 'reason'])
      .where('request_id', '=', requestId)
      .execute();
    expect(refunds).toEqual([{ amount, reason: 'chargedTwice' }]);
  });
});

/** The amounts that the provider gave back for a request. */
async function refundsOfSandbox(requestId: number): Promise<number[]> {
  const authorization = `Bearer ${await getOrCreateSecret(app.database, 'sandbox')}`;
  const listed = (await record(requestId)).payments.map(async ({ merchantReference }) => {
    const url = `${app.paymentsUrl}/payments/${merchantReference}/refunds`;
    const response = await fetch(url, { headers: { authorization } });
    return (await response.json()) as { amount: number; state: string }[];
  });
  const refunds = (await Promise.all(listed)).flat();
  return refunds.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount);
}

it('a page that is continued has the address of today, and leads back to it', async () => {
  const { requestId, paymentUrl, merchantReference } = await begin();
  // As if portal and provider had had other addresses when it was opened.
  await app.database
    .updateTable('payments')
    .set({ payment_url: paymentUrl.replace(/:\d+/, ':1') })
    .where('merchant_reference', '=', merchantReference)
    .execute();
  const order = {
    merchantReference,
    amount: 1,
    currency: 'AED',
    description: '',
    language: 'en-US' as const,
    returnUrl: 'http://localhost:1/back',
    messageUrl: 'http://localhost:1/message',
    method: 'card' as const,
  };
  await context.providers.get('paypro')?.open(order);
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  expect(body.paymentUrl).toBe(paymentUrl);
  const response = await decide(paymentUrl, 'paid');
  expect(response.headers.get('location')).not.toContain('localhost:1/');
  await check();
  expect(await statuses(requestId)).toEqual(['paid']);
});

describe('a provider that cannot be reached', () => {
  const setDown = (isDown: boolean) =>
    fetch(`${app.paymentsUrl}/switches`, {
      method: 'POST',
      body: new URLSearchParams({
        account: 'paypro',
        fault: 'none',
        ...(isDown ? { isDown: 'on' } : {}),
      }),
      redirect: 'manual',
    });
  afterEach(() => setDown(false));

  it('is replaced by the next, once for all tabs, after its payment was closed without an answer', async () => {
    await setDown(true);
    const { requestId } = await insertDemoRequest(app, 'individual');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.call(createPayment, { token, params: { requestId } })),
    );
    const pages = new Set(answers.map(({ body }) => body.paymentUrl));
    expect([pages.size, new Set(answers.map(({ status }) => status))]).toEqual([1, new Set([200])]);
    const rows = await app.database
      .selectFrom('payments')
      .select(['provider', 'status', 'payment_url', 'is_cancel_wanted'])
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute();
    expect(rows.filter(({ status }) => status === 'pending')).toMatchObject([
      { provider: 'reserve' },
    ]);
    for (const row of rows.filter(({ provider }) => provider === 'paypro'))
      expect(row).toMatchObject({ status: 'cancelled', payment_url: null, is_cancel_wanted: true });
    await setDown(false);
    await check();
    const left = await app.database
      .selectFrom('payments')
      .select('id')
      .where('request_id', '=', requestId)
      .where('is_cancel_wanted', '=', true)
      .execute();
    expect(left).toEqual([]);
    await decide([...pages][0] ?? '', 'paid');
    await check();
    expect((await record(requestId)).history.at(-1)?.action).toBe('pay');
  });

  it('is not asked about a page that nobody knows, while another tab closes that payment', async () => {
    const { requestId, merchantReference } = await begin();
    const setPayment = (values: { payment_url?: null; status?: 'cancelled' }) =>
      app.database
        .updateTable('payments')
        .set(values)
        .where('merchant_reference', '=', merchantReference)
        .execute();
    await setPayment({ payment_url: null });
    await setDown(true);
    // The other tab closes it after this one has found it.
    const closing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => row['merchant_reference'] === merchantReference))
          await setPayment({ status: 'cancelled' });
        return result;
      },
    };
    const { user_id: userId } = await app.database
      .selectFrom('requests')
      .select('user_id')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const caller: Caller = {
      userId,
      sessionId: '',
      fullName: '',
      fullNameAr: null,
      phoneNumber: '',
      roles: ['Client'],
      scope: [],
      teams: [],
      companyId: null,
      partnerId: null,
    };
    await beginPayment(
      {
        ...context,
        publicUrl: 'http://localhost:3000',
        database: app.serverDatabase.withPlugin(closing),
      },
      caller,
      requestId,
      { language: 'en-US' },
    );
    expect(await statuses(requestId)).toEqual(expect.arrayContaining(['cancelled', 'pending']));
  });

  it('keeps the payment whose page was stored before another tab could close it', async () => {
    const { requestId } = await begin();
    const [payment] = await app.database
      .selectFrom('payments')
      .select('id')
      .where('request_id', '=', requestId)
      .execute();
    const isClosed = await inTransaction(app.database, (transaction) =>
      closeUnanswered(transaction, payment?.id ?? 0),
    );
    expect(isClosed).toBe(false);
    expect(await statuses(requestId)).toEqual(['pending']);
  });

  it('is chosen by the method of payment, and another method closes the open page first', async () => {
    const offered = async () => (await app.call(getPaymentMethods, { token })).body;
    expect(await offered()).toEqual([]);
    const { body } = await app.callAs('admin', savePaymentRule, {
      body: { method: 'bankAccount', provider: 'reserve' },
    });
    expect(await offered()).toEqual(['card', 'bankAccount']);
    const { requestId } = await insertDemoRequest(app, 'individual');
    const open = async (Method?: PaymentMethod) =>
      (
        await app.call(createPayment, {
          token,
          params: { requestId },
          query: Method ? { Method } : {},
        })
      ).body;
    const payments = async () =>
      app.database
        .selectFrom('payments')
        .select(['provider', 'method', 'status'])
        .where('request_id', '=', requestId)
        .orderBy('id')
        .execute();
    const byCard = await open('card');
    const byAccount = await open('bankAccount');
    for (const again of [await open('bankAccount'), await open()])
      expect(again.merchantReference).toBe(byAccount.merchantReference);
    expect(await payments()).toEqual([
      { provider: 'paypro', method: 'card', status: 'cancelled' },
      { provider: 'reserve', method: 'bankAccount', status: 'pending' },
    ]);
    const pageOf = async (url: string) => (await fetch(url)).text();
    expect(await pageOf(byAccount.paymentUrl)).toContain('name="account"');
    expect(await pageOf(byCard.paymentUrl)).not.toContain('value="paid"');
    // A provider that has no such method is not asked.
    const cardOnly = new Map(
      [...context.providers].map(([name, each]) => [name, { ...each, methods: ['card'] }] as const),
    ) as typeof context.providers;
    expect(
      await chooseProviders(
        { database: app.database, providers: cardOnly },
        { serviceId: 1, agencyId: 1, due: 1, method: 'bankAccount' },
      ),
    ).toEqual([]);
    await decide(byAccount.paymentUrl, 'paid');
    await check();
    // What is paid stays paid: another method opens nothing.
    const more = await app.call(createPayment, {
      token,
      params: { requestId },
      query: { Method: 'card' },
    });
    expect(more.refused.error).toBe('RequestAlreadyPaid');
    const [rule] = body.rules.slice(-1);
    await app.callAs('admin', savePaymentRule, {
      body: { id: rule?.id, version: rule?.version, provider: 'reserve', isDeleted: true },
    });
  });

  it('is chosen by the rules of an admin, and the last one stays on', async () => {
    const { body } = await app.callAs('admin', savePaymentRule, {
      body: { minimum: 1, provider: 'reserve', fallback: 'paypro' },
    });
    const rule = body.rules.at(-1);
    const ofService = await app.callAs('admin', savePaymentRule, {
      body: { serviceId: 1, maximum: 0, provider: 'paypro' },
    });
    const named = ofService.body.rules.at(-1);
    expect(named?.serviceName?.['en-US']).toMatch(/[A-Z]/);
    const logged = await app.callAs('admin', getChanges, {
      query: { Entity: 'paymentRule', EntityId: String(named?.id) },
    });
    expect(logged.body.items[0]?.fields.map(({ field }) => field).sort()).toEqual([
      'maximum',
      'provider',
      'serviceId',
    ]);
    await app.callAs('admin', savePaymentRule, {
      body: { id: named?.id, version: 1, provider: 'paypro', isDeleted: true },
    });
    const { requestId } = await begin();
    const chosen = await app.database
      .selectFrom('payments')
      .select('provider')
      .where('request_id', '=', requestId)
      .execute();
    expect(chosen).toEqual([{ provider: 'reserve' }]);
    const removed = { id: rule?.id ?? 0, provider: 'reserve', isDeleted: true } as const;
    expect(
      (await app.callAs('admin', savePaymentRule, { body: { ...removed, version: 99 } })).refused
        .error,
    ).toBe('RecordHasChanged');
    const other = (
      await app.callAs('admin', savePaymentRule, { body: { minimum: 1, provider: 'paypro' } })
    ).body.rules.at(-1);
    const moveUp = { id: other?.id ?? 0, version: 1, provider: 'paypro', move: 'up' } as const;
    const moved = await Promise.all(
      [1, 2].map(() => app.callAs('admin', savePaymentRule, { body: moveUp })),
    );
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const [ahead] = (await app.callAs('admin', getPaymentRouting)).body.rules.slice(-2);
    expect([ahead?.id, ahead?.version]).toEqual([other?.id, 2]);
    await app.callAs('admin', savePaymentRule, {
      body: { id: moveUp.id, version: 2, provider: 'paypro', isDeleted: true },
    });
    await app.callAs('admin', savePaymentRule, { body: { ...removed, version: 1 } });
    const { providers } = (await app.callAs('admin', getPaymentRouting)).body;
    expect(providers.map(({ name, isConfigured }) => [name, isConfigured])).toEqual([
      ['paypro', true],
      ['reserve', true],
      ['n-genius', false],
      ['stripe', false],
    ]);
    const off = (name: 'paypro' | 'reserve', isEnabled = false, version = 1) =>
      app.callAs('admin', savePaymentProvider, {
        body: { name, isEnabled, position: name === 'paypro' ? 1 : 2, version },
      });
    expect((await off('reserve')).status).toBe(200);
    expect((await off('paypro')).refused.error).toBe('LastPaymentProvider');
    expect((await off('reserve', true, 2)).status).toBe(200);
  });
});

describe('an abandoned payment', () => {
  it('expires after the provider closed its page, and a new attempt is another payment', async () => {
    const { requestId, merchantReference, paymentUrl } = await begin();
    await app.database
      .updateTable('payments')
      .set({ expires_at: new Date(0) })
      .where('merchant_reference', '=', merchantReference)
      .execute();
    await check();
    expect(await statuses(requestId)).toEqual(['expired']);
    await decide(paymentUrl, 'paid');
    await check();
    expect(await statuses(requestId)).toEqual(['expired']);
    const again = await app.call(createPayment, { token, params: { requestId } });
    expect(again.body.merchantReference).not.toBe(merchantReference);
  });

  it('that was paid at the last moment is paid', async () => {
    const { requestId, merchantReference, paymentUrl } = await begin();
    await app.database
      .updateTable('payments')
      .set({ expires_at: new Date(0) })
      .where('merchant_reference', '=', merchantReference)
      .execute();
    await decide(paymentUrl, 'paid');
    await check();
    expect(await statuses(requestId)).toEqual(['paid']);
  });
});

describe('an unexpected amount', () => {
  async function held(difference: number) {
    const begun = await begin();
    const body = message(begun.merchantReference, begun.amount + difference);
    await post(body, signed(body));
    await decide(begun.paymentUrl, 'paid', difference === -1 ? 'wrongAmount' : 'none');
    const { items } = (await app.callAs('admin', getPaymentCases, { query: { Take: 100 } })).body;
    const found = items.find((each) => each.merchantReference === begun.merchantReference);
    if (!found) throw new Error('no case');
    return { ...begun, found };
  }
  const decideOn = (
    { id, version }: { id: number; version: number },
    decision: 'accept' | 'return' | 'close',
  ) => app.callAs('admin', decidePaymentCase, { body: { id, version, decision, note: 'Checked' } });

  it('that is accepted leaves the rest to pay, in another payment', async () => {
    const { requestId, found, amount } = await held(-1);
    expect(found.decisions).toEqual(['accept', 'return']);
    expect((await decideOn(found, 'close')).refused.error).toBe('DecisionNotPossible');
    expect((await decideOn(found, 'accept')).body.decision).toBe('accept');
    expect((await decideOn(found, 'return')).refused.error).toBe('CaseIsDecided');
    expect(await statuses(requestId)).toEqual(['paid']);
    expect((await record(requestId)).allowedActions).toContain('pay');
    const rest = await app.call(createPayment, { token, params: { requestId } });
    await decide(rest.body.paymentUrl, 'paid');
    await check();
    const { payments, history } = await record(requestId);
    expect(payments.map((each) => [each.amount, each.status])).toEqual([
      [amount - 1, 'paid'],
      [1, 'paid'],
    ]);
    expect(history.filter(({ action }) => action === 'pay')).toHaveLength(1);
  });

  it('that is returned goes back in its currency, and the request can be paid', async () => {
    const { requestId, found, merchantReference, amount } = await held(-1);
    await decideOn(found, 'return');
    const [listed] = (await app.callAs('admin', getRefunds, { query: {} })).body.items;
    expect(listed).toMatchObject({
      requestNumber: (await record(requestId)).requestNumber,
      requestedBy: '',
      decidedBy: 'Aisha Al Demo',
      note: 'Checked',
    });
    await send();
    expect(await refundsOfSandbox(requestId)).toEqual([amount - 1]);
    const { body } = await app.callAs('admin', getPaymentTimeline, {
      query: { MerchantReference: merchantReference },
    });
    expect(body.payment).toMatchObject({ status: 'returned', refunded: amount - 1 });
    expect(body.entries.map(({ what, kind }) => `${what} ${kind}`)).toEqual(
      expect.arrayContaining([
        'opened paypro',
        'event paid',
        'message applied',
        'case wrongAmount',
        'decision return',
        'refund succeeded',
      ]),
    );
    expect((await app.call(createPayment, { token, params: { requestId } })).status).toBe(200);
  });
});

describe('a refund', () => {
  /** A paid request of which everything can be refunded. */
  async function paid(fault = 'none') {
    const begun = await begin();
    await decide(begun.paymentUrl, 'paid', fault);
    await check();
    const holder_id = await app.idOf('employee');
    await app.database
      .updateTable('requests')
      .set({ refundable: begun.amount, holder_id })
      .where('id', '=', begun.requestId)
      .execute();
    return begun;
  }
  const ask = (username: string, requestId: number, amount: number, refundedBefore = 0) =>
    app.callAs(username, requestRefund, {
      body: { requestId, amount, refundedBefore, note: 'Rejected' },
    });
  const confirm = (username: string, { id, version }: { id: number; version: number }) =>
    app.callAs(username, decideRefund, { body: { id, version, isConfirmed: true, note: '' } });

  it('goes in parts, never above what was paid, and not when another one came first', async () => {
    const { requestId, amount } = await paid();
    const both = await Promise.all([ask('admin', requestId, 100), ask('admin', requestId, 100)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await ask('admin', requestId, amount - 99, 100)).refused.error).toBe('RefundTooLarge');
    await ask('admin', requestId, amount - 100, 100);
    await send();
    expect((await refundsOfSandbox(requestId)).toSorted((a, b) => a - b)).toEqual([
      100,
      amount - 100,
    ]);
    const { refund } = await record(requestId);
    expect([refund?.refunded, refund?.refunds.length]).toEqual([amount, 2]);
    const [shown] = (await app.callAs('admin', getRefunds, { query: {} })).body.items;
    expect(shown).toMatchObject({ state: 'succeeded', isOwn: true });
    expect(shown?.expectedBy).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('of an employee waits for an admin; who asked cannot confirm', async () => {
    const { requestId } = await paid();
    const [refund] = (await ask('employee', requestId, 100)).body;
    expect(refund?.state).toBe('waiting');
    await send();
    expect(await refundsOfSandbox(requestId)).toEqual([]);
    const own = (await ask('admin', requestId, 100, 100)).body[0];
    await app.database
      .updateTable('refunds')
      .set({ state: 'waiting' })
      .where('id', '=', own?.id ?? 0)
      .execute();
    const { version } = (await app.callAs('admin', getRefunds, { query: {} })).body.items.find(
      ({ id }) => id === own?.id,
    ) ?? { version: 0 };
    expect((await confirm('admin', { id: own?.id ?? 0, version })).refused.error).toBe(
      'RefundNeedsSecondPerson',
    );
    expect((await confirm('admin', refund ?? { id: 0, version: 0 })).body.state).toBe('ready');
    expect((await confirm('admin', refund ?? { id: 0, version: 0 })).refused.error).toBe(
      'RefundIsDecided',
    );
  });

  it('whose answer was lost, or whose process died, is sent again and made once', async () => {
    const { requestId, merchantReference } = await paid();
    const inTimeline = async () => {
      const query = { MerchantReference: merchantReference };
      const { body } = await app.callAs('admin', getPaymentTimeline, { query });
      return body.entries.filter(({ what }) => what === 'refund');
    };
    // What earlier tests left.
    await send();
    await ask('admin', requestId, 100);
    const real = context.providers.get('paypro');
    if (!real) throw new Error('no provider');
    let sent = 0;
    const lossy = {
      ...real,
      refund: async (order: Parameters<typeof real.refund>[0]) => {
        sent += 1;
        const answer = await real.refund(order);
        if (sent === 1) throw new Error('connection lost');
        return answer;
      },
    };
    const waiting = app.database
      .updateTable('refunds')
      .set({ next_attempt_at: new Date(0) })
      .where('request_id', '=', requestId);
    for (let round = 0; round < 3; round += 1) {
      await waiting.where('state', 'in', ['ready', 'sent']).execute();
      await sendRefunds({ ...context, providers: new Map([['paypro', lossy]]) });
      // The error of the server is for its log.
      expect(await inTimeline()).toMatchObject([
        { kind: round === 0 ? 'retried' : 'succeeded', note: 'Rejected' },
      ]);
    }
    expect([sent, await refundsOfSandbox(requestId)]).toEqual([2, [100]]);
    expect((await record(requestId)).refund?.refunded).toBe(100);
  });

  it('that the provider refuses becomes a case, and nothing counts as refunded', async () => {
    const { requestId, merchantReference } = await paid('refundRefused');
    await ask('admin', requestId, 100);
    await send();
    expect((await record(requestId)).refund?.refunded).toBe(0);
    const { items } = (await app.callAs('admin', getPaymentCases, { query: { Take: 100 } })).body;
    expect(items.find((each) => each.merchantReference === merchantReference)).toMatchObject({
      kind: 'refundRefused',
      amount: 100,
      decisions: ['close'],
    });
  });

  it('that never finishes waits for an admin, who lets it be sent again or ends it', async () => {
    const { requestId, merchantReference } = await paid();
    await send();
    await ask('admin', requestId, 100);
    const real = context.providers.get('paypro');
    if (!real) throw new Error('no provider');
    const broken = { ...real, refund: () => Promise.reject(new Error('no answer')) };
    const providers = new Map([['paypro', broken]] as const);
    const refunds = app.database
      .updateTable('refunds')
      .where('request_id', '=', requestId)
      .where('state', 'in', ['ready', 'sent']);
    const fail = async (attempts: number) => {
      await refunds.set({ attempts, next_attempt_at: new Date(0) }).execute();
      await sendRefunds({ ...context, providers });
    };
    const openCase = async () =>
      (await app.callAs('admin', getPaymentCases, { query: { Take: 100 } })).body.items.find(
        (each) => each.merchantReference === merchantReference,
      );
    const decideOn = async (decision: 'retry' | 'notRefunded' | 'close') => {
      const { id = 0, version = 1 } = (await openCase()) ?? {};
      return app.callAs('admin', decidePaymentCase, {
        body: { id, version, decision, note: 'Asked the provider' },
      });
    };
    await fail(maximumRefundAttempts - 1);
    expect(await openCase()).toBeUndefined();
    await fail(maximumRefundAttempts);
    expect(await openCase()).toMatchObject({
      kind: 'refundUnanswered',
      amount: 100,
      decisions: ['retry', 'notRefunded'],
    });
    // It is not sent meanwhile.
    await sendRefunds(context);
    expect(await refundsOfSandbox(requestId)).toEqual([]);
    expect((await decideOn('close')).refused.error).toBe('DecisionNotPossible');
    expect((await decideOn('retry')).body.decision).toBe('retry');
    await fail(maximumRefundAttempts);
    expect((await decideOn('notRefunded')).body.decision).toBe('notRefunded');
    await sendRefunds(context);
    const states = async () =>
      (await app.callAs('admin', getRefunds, { query: { Take: 100 } })).body.items
        .filter((each) => each.merchantReference === merchantReference)
        .map(({ state }) => state);
    expect(await states()).toEqual(['refused']);
    await ask('admin', requestId, 50);
    await fail(maximumRefundAttempts);
    await decideOn('retry');
    await sendRefunds(context);
    expect(await states()).toEqual(['succeeded', 'refused']);
    expect([await openCase(), await refundsOfSandbox(requestId)]).toEqual([undefined, [50]]);
  });

  it('above what was received is refused by the database itself', async () => {
    const { requestId, amount } = await paid();
    const { id } = await app.database
      .selectFrom('payments')
      .select('id')
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    await expect(
      app.database
        .insertInto('refunds')
        .values({
          payment_id: id,
          request_id: requestId,
          amount: amount + 1,
          currency: 'AED',
          reason: 'requested',
          state: 'ready',
          idempotency_key: 'too much',
        })
        .execute(),
    ).rejects.toThrow(/exceed/);
  });
});

it('leaves a ledger that equals payments minus refunds', async () => {
  expect(await findLedgerProblems(app.database)).toEqual([]);
});
