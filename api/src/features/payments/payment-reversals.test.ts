import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { sql } from '#platform/database/sql.ts';
import { stripe } from '#platform/integrations/stripe.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  decidePaymentCase,
  getPaymentCases,
  getRefunds,
  requestRefund,
} from '@diwan/contract/payments/events';
import { createPayment } from '@diwan/contract/requests/payments';
import { silentNotifier } from '../messages/notifications.actions.ts';
import { receiveMessage } from './payment-messages.actions.ts';
import { sendRefunds, type RefundsContext } from './refunds.actions.ts';

// Stripe as its documentation describes it: sessions, charges and refunds, with a dashboard in which
// somebody refunds by hand.

interface StripeRefund {
  id: string;
  amount: number;
  currency: string;
  created: number;
  status: string;
  metadata: Record<string, string>;
}
const account = {
  sessions: new Map<string, { reference: string; amount: number; created: number }>(),
  refunds: new Map<string, StripeRefund[]>(),
};
const intentOf = (session: string) => session.replace('cs_', 'pi_');

function refundAt(intent: string, amount: number, metadata: Record<string, string> = {}) {
  const made: StripeRefund = {
    id: `re_${intent}_${(account.refunds.get(intent)?.length ?? 0) + 1}`,
    amount,
    currency: 'aed',
    created: Math.floor(Date.now() / 1000),
    status: 'succeeded',
    metadata,
  };
  account.refunds.set(intent, [...(account.refunds.get(intent) ?? []), made]);
  return made;
}

function describeSession(id: string) {
  const { reference, amount, created } = account.sessions.get(id) ?? {
    reference: '',
    amount: 0,
    created: 0,
  };
  return {
    id,
    client_reference_id: reference,
    status: 'complete',
    payment_status: 'paid',
    amount_total: amount,
    currency: 'aed',
    created: created - 86_400,
    payment_intent: intentOf(id),
  };
}

function answer(path: string, query: URLSearchParams, form: URLSearchParams | undefined): unknown {
  if (path === '/v1/refunds' && form)
    return refundAt(form.get('payment_intent') ?? '', Number(form.get('amount')), {
      refund_key: form.get('metadata[refund_key]') ?? '',
    });
  const intent = query.get('payment_intent') ?? '';
  if (path === '/v1/refunds') return { data: account.refunds.get(intent) ?? [] };
  if (path === '/v1/checkout/sessions')
    return {
      data: [...account.sessions.keys()]
        .filter((id) => intentOf(id) === intent)
        .map(describeSession),
    };
  return describeSession(path.split('/').at(-1) ?? '');
}

const server = createServer(
  (request, response) =>
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
      const form = request.method === 'POST' ? new URLSearchParams(body) : undefined;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer(pathname, searchParams, form)));
    }),
);

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
const messageSecret = 'whsec_0123456789';
let context: RefundsContext;
let token: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  token = await app.signIn('individual');
  context = {
    database: app.serverDatabase,
    providers: new Map([
      ['stripe', stripe({ url, key: 'sk_test', messageSecrets: [messageSecret] })],
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
afterAll(() => server.close());

let messages = 0;
async function tell(type: string, object: object) {
  const at = Math.floor(Date.now() / 1000);
  const body = Buffer.from(
    JSON.stringify({ id: `evt_${(messages += 1)}`, type, created: at, data: { object } }),
  );
  const signature = createHmac('sha256', messageSecret).update(`${at}.${body}`).digest('hex');
  await receiveMessage(context, 'stripe', body, { 'stripe-signature': `t=${at},v1=${signature}` });
}

/** A request that was paid at Stripe. */
async function pay() {
  const { requestId } = await insertDemoRequest(app, 'individual');
  const { merchantReference } = (await app.call(createPayment, { token, params: { requestId } }))
    .body;
  const id = `cs_${requestId}`;
  const { amount } = await app.database
    .updateTable('payments')
    .set({ provider: 'stripe', provider_reference: id })
    .where('merchant_reference', '=', merchantReference)
    .returning('amount')
    .executeTakeFirstOrThrow();
  const created = Math.floor(Date.now() / 1000);
  account.sessions.set(id, { reference: merchantReference, amount, created });
  await tell('checkout.session.completed', describeSession(id));
  await app.database
    .updateTable('requests')
    .set({ holder_id: await app.idOf('employee') })
    .where('id', '=', requestId)
    .execute();
  return { requestId, merchantReference, amount, intent: intentOf(id) };
}

const record = async (requestId: number) =>
  (await openRequestStage(app).read('admin', requestId)).body;
const casesOf = async (merchantReference: string) =>
  (await app.callAs('admin', getPaymentCases, { query: { Take: 100 } })).body.items.filter(
    (each) => each.merchantReference === merchantReference,
  );
const refundsOf = async (merchantReference: string) =>
  (await app.callAs('admin', getRefunds, { query: { Take: 100 } })).body.items
    .filter((each) => each.merchantReference === merchantReference)
    .map(({ amount, reason, state }) => [amount, reason, state]);
const makeRefundable = (requestId: number, refundable: number) =>
  app.database.updateTable('requests').set({ refundable }).where('id', '=', requestId).execute();
const ask = async (requestId: number, amount: number, refundedBefore = 0) =>
  app.callAs('admin', requestRefund, {
    body: { requestId, amount, refundedBefore, note: 'Rejected' },
  });
const send = async () => {
  await app.database
    .updateTable('refunds')
    .set({ next_attempt_at: new Date(0) })
    .where('state', 'in', ['ready', 'sent'])
    .execute();
  await sendRefunds(context);
};

describe('a refund that somebody made at the provider', () => {
  it('is recorded once, is booked in the ledger, and becomes a case', async () => {
    const { requestId, merchantReference, intent } = await pay();
    const made = refundAt(intent, 2500);
    for (const type of ['charge.refunded', 'refund.created', 'refund.updated'])
      await tell(type, { ...made, payment_intent: intent });
    expect(await refundsOf(merchantReference)).toEqual([[2500, 'madeElsewhere', 'succeeded']]);
    expect((await record(requestId)).refund).toMatchObject({ refunded: 2500, refundable: 2500 });
    const [found, ...others] = await casesOf(merchantReference);
    expect([found, others]).toMatchObject([
      { kind: 'refundElsewhere', amount: 2500, detail: made.id, decisions: ['close'] },
      [],
    ]);
    const { rows } = await sql<{ amount: number }>`
      select ledger_lines.amount
      from ledger_entries
      join ledger_lines
        on entry_id = ledger_entries.id
      where request_id = ${requestId}
        and kind = 'refund'
        and account = 'providerCash'`.execute(app.database);
    expect(rows).toEqual([{ amount: -2500 }]);
    expect(await findLedgerProblems(app.database)).toEqual([]);
    const { id = 0, version = 0 } = found ?? {};
    const body = { id, version, decision: 'close' as const, note: 'Agreed by telephone' };
    expect((await app.callAs('admin', decidePaymentCase, { body })).body.decision).toBe('close');
  });

  it('is found before the next one of ours is sent, which is sent too', async () => {
    const { requestId, merchantReference, amount, intent } = await pay();
    await makeRefundable(requestId, amount);
    // The message about it was lost.
    refundAt(intent, 100);
    await ask(requestId, 100);
    await send();
    expect(account.refunds.get(intent)?.map((each) => each.amount)).toEqual([100, 100]);
    expect((await refundsOf(merchantReference)).toSorted()).toEqual([
      [100, 'madeElsewhere', 'succeeded'],
      [100, 'requested', 'succeeded'],
    ]);
    expect((await record(requestId)).refund?.refunded).toBe(200);
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('while one of ours is on its way is recorded after it', async () => {
    const { requestId, merchantReference, amount, intent } = await pay();
    await makeRefundable(requestId, amount);
    await ask(requestId, 300);
    // The answer about ours was lost, so nothing says which of the two is ours.
    await app.database
      .updateTable('refunds')
      .set({ state: 'sent', earlier_refunds: [] })
      .where('request_id', '=', requestId)
      .execute();
    const made = refundAt(intent, 300);
    await tell('charge.refunded', { ...made, payment_intent: intent });
    expect(await refundsOf(merchantReference)).toEqual([[300, 'requested', 'sent']]);
    await send();
    expect((await refundsOf(merchantReference)).toSorted()).toEqual([
      [300, 'madeElsewhere', 'succeeded'],
      [300, 'requested', 'succeeded'],
    ]);
    expect(account.refunds.get(intent)).toHaveLength(2);
  });

  it('withdraws ours where nothing is left for it', async () => {
    const { requestId, merchantReference, amount, intent } = await pay();
    await makeRefundable(requestId, amount);
    await ask(requestId, 400);
    refundAt(intent, amount);
    await send();
    expect(account.refunds.get(intent)?.map((each) => each.amount)).toEqual([amount]);
    expect((await refundsOf(merchantReference)).toSorted()).toEqual(
      [
        [400, 'requested', 'withdrawn'],
        [amount, 'madeElsewhere', 'succeeded'],
      ].toSorted(),
    );
    expect((await record(requestId)).refund).toMatchObject({ refunded: amount, underway: 0 });
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('of more than was received is a case alone', async () => {
    const { requestId, merchantReference, amount, intent } = await pay();
    const made = refundAt(intent, amount + 1);
    await tell('charge.refunded', { ...made, payment_intent: intent });
    expect(await refundsOf(merchantReference)).toEqual([]);
    expect(await casesOf(merchantReference)).toMatchObject([{ kind: 'refundElsewhere' }]);
    expect((await record(requestId)).refund).toBeUndefined();
  });

  it('that the bank of the payer sends back later becomes another case', async () => {
    const { merchantReference, intent } = await pay();
    const made = refundAt(intent, 100);
    await tell('refund.created', { ...made, payment_intent: intent });
    made.status = 'failed';
    await tell('refund.failed', { ...made, payment_intent: intent });
    expect((await casesOf(merchantReference)).map(({ kind }) => kind)).toEqual([
      'refundElsewhere',
      'refundRefused',
    ]);
  });
});

it('a dispute becomes a case, and its end another one', async () => {
  const { merchantReference, amount, intent } = await pay();
  const about = { id: `dp_${intent}`, amount, currency: 'aed', payment_intent: intent };
  const said = { ...about, reason: 'fraudulent', status: 'needs_response' };
  await tell('charge.dispute.created', said);
  await tell('charge.dispute.updated', { ...said, status: 'under_review' });
  await tell('charge.dispute.closed', { ...said, status: 'lost' });
  expect(await casesOf(merchantReference)).toMatchObject([
    { kind: 'dispute', amount, detail: 'fraudulent: needs_response', decisions: ['close'] },
    { kind: 'disputeEnded', amount, detail: 'fraudulent: lost', decisions: ['close'] },
  ]);
});

it('a message about the charge of nobody changes nothing and becomes a case', async () => {
  const { merchantReference } = await pay();
  await tell('charge.refunded', { id: 'ch_1', payment_intent: 'pi_other' });
  expect(await refundsOf(merchantReference)).toEqual([]);
  const { items } = (await app.callAs('admin', getPaymentCases, { query: { Take: 100 } })).body;
  expect(items.find(({ detail }) => detail === 'pi_other')?.kind).toBe('unknownReference');
});
