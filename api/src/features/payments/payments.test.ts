import { beforeAll, describe, expect, it } from 'vitest';
import { openCalendars, type Calendars } from '#features/calendars/calendars.actions.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  checkRequestIsPaid,
  createPayment,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { silentNotifier } from '../messages/notifications.actions.ts';
import { settle, type PaymentsContext } from './payment-events.actions.ts';
import { foldEvents } from './payment-state.ts';
import { beginPayment, checkOpenPayments } from './payments.actions.ts';

const app = useTestApp();
let token: string;
beforeAll(async () => {
  token = await app.signIn('individual');
});

const newRequest = () => insertDemoRequest(app, 'individual');

function begin(requestId: number, as = token) {
  return app.call(createPayment, { token: as, params: { requestId } });
}

let calendars: Calendars;
beforeAll(async () => {
  calendars = await openCalendars(app.database);
});

/** What the actions need, with the given provider and without notifications. */
const paymentsContext = (provider: PaymentProvider): PaymentsContext => ({
  database: app.database,
  providers: new Map([['paypro', provider]]),
  publicUrl: '',
  expiryMinutes: 60,
  workflow: storedWorkflows(app.database),
  calendars,
  fines: { database: app.database, register: undefined, warn: () => undefined },
  notifier: silentNotifier,
  warn: () => undefined,
  announce: () => undefined,
});
const sandboxContext = async () =>
  paymentsContext(
    payPro({ url: app.paymentsUrl, key: await getOrCreateSecret(app.database, 'sandbox') }),
  );

async function decide(paymentUrl: string, decision: string): Promise<URL> {
  const url = paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl);
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '');
}

const returnTo = (url: URL) =>
  app.call(postPayProPaymentResult, {
    query: { paymentSummary: url.searchParams.get('paymentSummary') ?? '' },
  });
const record = async (requestId: number) =>
  (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;

describe('a payment', () => {
  it('is pending before the visitor leaves, then paid once, even if the browser returns 20 times', async () => {
    const { requestId, requestNumber } = await newRequest();
    const { body } = await begin(requestId);
    expect((await record(requestId)).payments).toMatchObject([
      { merchantReference: body.merchantReference, status: 'pending' },
    ]);
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: false, lastPayment: 'pending' });

    const back = await decide(body.paymentUrl, 'paid');
    const returns = await Promise.all(Array.from({ length: 20 }, () => returnTo(back)));
    for (const answer of returns)
      expect(answer.headers.location).toBe(
        `/payment-status?result=success&request-number=${requestNumber}&merchant-reference=${body.merchantReference}`,
      );

    const paid = await record(requestId);
    expect(paid.payments.map((payment) => payment.status)).toEqual(['paid']);
    expect(paid.history.filter((entry) => entry.action === 'pay')).toHaveLength(1);
    expect(paid.allowedActions).not.toContain('pay');
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: true });
  });

  it('leaves the request payable when it is declined; the second attempt is a new payment', async () => {
    const { requestId, requestNumber } = await newRequest();
    const first = (await begin(requestId)).body;
    expect((await returnTo(await decide(first.paymentUrl, 'declined'))).headers.location).toBe(
      `/payment-status?request-number=${requestNumber}&merchant-reference=${first.merchantReference}&reason=declined`,
    );
    expect((await record(requestId)).allowedActions).toContain('pay');
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: false, lastPayment: 'declined' });
    const second = (await begin(requestId)).body;
    expect(second.merchantReference).not.toBe(first.merchantReference);
    await returnTo(await decide(second.paymentUrl, 'paid'));
    expect((await record(requestId)).payments.map((payment) => payment.status).sort()).toEqual([
      'declined',
      'paid',
    ]);
  });

  it('is settled by the periodic check when the visitor does not return', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    await app.database
      .updateTable('payments')
      .set({ checked_at: new Date(0) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await checkOpenPayments(await sandboxContext(), 30);
    expect((await record(requestId)).payments[0]?.status).toBe('paid');
  });

  it('is checked for two hours after it was cancelled here, because a tab may still be open', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await app.database
      .updateTable('payments')
      .set({ checked_at: new Date(0), status: 'cancelled' })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await decide(body.paymentUrl, 'paid');
    const payments = await sandboxContext();
    await app.database
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 7_300_000) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await checkOpenPayments(payments, 30);
    expect((await record(requestId)).payments[0]?.status).toBe('cancelled');
    await app.database
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 7_000_000) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await checkOpenPayments(payments, 30);
    expect((await record(requestId)).payments[0]?.status).toBe('paid');
    expect((await record(requestId)).history.at(-1)?.action).toBe('pay');
  });
});

describe('CreatePayment', () => {
  it('returns the open payment, also to several tabs at the same time', async () => {
    const { requestId } = await newRequest();
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(requestId)));
    expect(new Set(answers.map((answer) => answer.body.merchantReference)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.paymentUrl)).size).toBe(1);
  });

  it('refuses a paid request, also when another tab has just paid it', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    expect((await begin(requestId)).refused.error).toBe('RequestAlreadyPaid');
    expect((await begin(requestId)).refused.error).toBe('RequestAlreadyPaid');
    expect((await record(requestId)).payments).toHaveLength(1);
  });

  it('refuses a request that does not wait for a payment', async () => {
    const { requestId } = await newRequest();
    await app.database
      .updateTable('requests')
      .set({ status_id: 5 })
      .where('id', '=', requestId)
      .execute();
    expect((await begin(requestId)).refused.error).toBe('RequestNotPayable');
  });

  it('refuses the requests of other users with RequestNotFound', async () => {
    const { requestId } = await newRequest();
    expect((await begin(requestId, await app.signIn('individual2'))).refused.error).toBe(
      'RequestNotFound',
    );
    expect((await begin(requestId, await app.signIn('company'))).refused.error).toBe(
      'RequestNotFound',
    );
    expect((await begin(999_999)).refused.error).toBe('RequestNotFound');
    expect((await record(requestId)).payments).toEqual([]);
  });
});

describe('messages of the provider', () => {
  it.each([
    '',
    'x',
    'bm90IGpzb24',
    Buffer.from('{"merchantReference":"DW00-1"}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ])('pays nothing for a return with the summary "%s"', async (paymentSummary) => {
    const answer = await app.call(postPayProPaymentResult, { query: { paymentSummary } });
    expect(answer.status === 400 || answer.headers.location === '/payment-status?').toBe(true);
  });

  it('decide by a fold: a charge is final, an unexpected one waits for an admin, else the last one', () => {
    type Kind = Parameters<typeof foldEvents>[0][number]['kind'];
    const event = (kind: Kind, amount = 100, currency = 'AED') => ({ kind, amount, currency });
    const fold = (...events: ReturnType<typeof event>[]) =>
      foldEvents(events, { amount: 100, currency: 'AED' });
    expect(fold()).toBe('pending');
    expect(fold(event('authorised'))).toBe('pending');
    expect(fold(event('declined'))).toBe('declined');
    expect(fold(event('declined'), event('paid'))).toBe('paid');
    expect(fold(event('paid'), event('cancelled'))).toBe('paid');
    expect(fold(event('expired'), event('paid'))).toBe('paid');
    expect(fold(event('paid', 1))).toBe('held');
    expect(fold(event('paid', 100, 'USD'), event('declined'))).toBe('held');
    expect(fold(event('paid', 1), event('returned', 1))).toBe('returned');
    expect(fold(event('paid', 1), event('returned', 1), event('paid', 2))).toBe('held');
    expect(fold(event('paid', 1), event('accepted', 1))).toBe('paid');
  });

  it('are appended once and never changed', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    const payments = await sandboxContext();
    await Promise.all(Array.from({ length: 50 }, () => settle(payments, body.merchantReference)));
    const events = await app.database
      .selectFrom('payment_events')
      .innerJoin('payments', 'payments.id', 'payment_events.payment_id')
      .select('payment_events.id')
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    expect(events).toHaveLength(1);
    await expect(
      app.database.updateTable('payment_events').set({ kind: 'declined' }).execute(),
    ).rejects.toThrow(/append-only/);
    await expect(app.database.deleteFrom('payment_events').execute()).rejects.toThrow(
      /append-only/,
    );
  });

  it('are unavailable while the provider is down: the call is refused and the request stays payable', async () => {
    const { requestId } = await newRequest();
    const payments = paymentsContext(payPro({ url: 'http://127.0.0.1:9', key: 'no key' }));
    const user = await app.database
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'individual')
      .executeTakeFirstOrThrow();
    const caller = {
      userId: user.id,
      sessionId: '',
      fullName: user.full_name,
      fullNameAr: null,
      phoneNumber: user.phone_number,
      roles: ['Client'] as const,
      scope: [],
      teams: [],
      companyId: null,
      partnerId: null,
    };
    await expect(
      beginPayment(payments, caller, requestId, { language: 'en-US' }),
    ).rejects.toMatchObject({
      refusal: 'PaymentProviderUnreachable',
    });
    expect((await record(requestId)).allowedActions).toContain('pay');
    // The provider is available again, and the payment continues.
    expect((await begin(requestId)).body.paymentUrl).toContain('/pay/');
  });
});
