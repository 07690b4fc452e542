import { silentNotices } from '../messages/notices.actions.ts';
import { ownSecret } from '../../platform/auth/secrets.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkRequestIsPaid,
  createPayment,
  postPayProPaymentResult,
} from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { insertDemoRequest } from '../../testing/demo-request.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { beginPayment, foldEvents, settle, settleDue } from './payments.actions.ts';
import { httpPaymentProvider } from '../../platform/integrations/payment-provider.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn('individual');
});
afterAll(() => app.close());

const newRequest = () => insertDemoRequest(app, 'individual');

function begin(requestId: number, as = token) {
  return app.call(createPayment, { token: as, params: { requestId } });
}

async function decide(paymentUrl: string, decision: string): Promise<URL> {
  const url = paymentUrl.replace(/^http:\/\/[^/]+/, app.sandboxUrl);
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '');
}

const comeBack = (url: URL) =>
  app.call(postPayProPaymentResult, {
    query: { paymentSummary: url.searchParams.get('paymentSummary') ?? '' },
  });
const record = async (requestId: number) =>
  (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;

describe('the journey of a payment', () => {
  it('is pending before the visitor leaves, then paid, and the request moves on once however often the browser returns', async () => {
    const { requestId, requestNumber } = await newRequest();
    const { body } = await begin(requestId);
    expect((await record(requestId)).payments).toMatchObject([
      { merchantReference: body.merchantReference, status: 'pending' },
    ]);
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: false });

    const back = await decide(body.paymentUrl, 'paid');
    const returns = await Promise.all(Array.from({ length: 20 }, () => comeBack(back)));
    for (const answer of returns)
      expect(answer.headers.location).toBe(
        `/payment-status?result=success&request-number=${requestNumber}`,
      );

    const paid = await record(requestId);
    expect(paid.payments.map((payment) => payment.status)).toEqual(['paid']);
    expect(paid.history.filter((entry) => entry.action === 'pay')).toHaveLength(1);
    expect(paid.allowedActions).not.toContain('pay');
    expect(
      (await app.call(checkRequestIsPaid, { query: { RequestNumber: requestNumber } })).body,
    ).toEqual({ isPaid: true });
  });

  it('declined: the request still waits, and a second try is a payment of its own', async () => {
    const { requestId, requestNumber } = await newRequest();
    const first = (await begin(requestId)).body;
    expect((await comeBack(await decide(first.paymentUrl, 'declined'))).headers.location).toBe(
      `/payment-status?request-number=${requestNumber}`,
    );
    expect((await record(requestId)).allowedActions).toContain('pay');
    const second = (await begin(requestId)).body;
    expect(second.merchantReference).not.toBe(first.merchantReference);
    await comeBack(await decide(second.paymentUrl, 'paid'));
    expect((await record(requestId)).payments.map((payment) => payment.status).sort()).toEqual([
      'declined',
      'paid',
    ]);
  });

  it('paid by a visitor who never comes back: the product asks by itself', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    await app.database
      .updateTable('payments')
      .set({ checked_at: new Date(0) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    const provider = httpPaymentProvider(app.sandboxUrl, await ownSecret(app.database, 'sandbox'));
    await settleDue(
      {
        database: app.database,
        provider,
        publicUrl: '',
        notices: silentNotices,
        warn: () => undefined,
        announce: () => undefined,
      },
      30,
    );
    expect((await record(requestId)).payments[0]?.status).toBe('paid');
  });

  it('paid in a tab that stayed open after the payment was closed here: the product asks for two hours more', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await app.database
      .updateTable('payments')
      .set({ checked_at: new Date(0), status: 'cancelled' })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await decide(body.paymentUrl, 'paid');
    const provider = httpPaymentProvider(app.sandboxUrl, await ownSecret(app.database, 'sandbox'));
    const payments = {
      database: app.database,
      provider,
      publicUrl: '',
      notices: silentNotices,
      warn: () => undefined,
      announce: () => undefined,
    };
    await app.database
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 7_300_000) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await settleDue(payments, 30);
    expect((await record(requestId)).payments[0]?.status).toBe('cancelled');
    await app.database
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 7_000_000) })
      .where('merchant_reference', '=', body.merchantReference)
      .execute();
    await settleDue(payments, 30);
    expect((await record(requestId)).payments[0]?.status).toBe('paid');
    expect((await record(requestId)).history.at(-1)?.action).toBe('pay');
  });
});

describe('CreatePayment', () => {
  it('goes on with the payment that is open, also when two tabs ask at once', async () => {
    const { requestId } = await newRequest();
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(requestId)));
    expect(new Set(answers.map((answer) => answer.body.merchantReference)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.paymentUrl)).size).toBe(1);
  });

  it('refuses a paid request, also when it was paid in another tab a moment ago', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    expect((await begin(requestId)).refused.error).toBe('RequestAlreadyPaid');
    expect((await begin(requestId)).refused.error).toBe('RequestAlreadyPaid');
    expect((await record(requestId)).payments).toHaveLength(1);
  });

  it('knows no request of somebody else', async () => {
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

describe('what the provider says', () => {
  it.each([
    '',
    'x',
    'bm90IGpzb24',
    Buffer.from('{"merchantReference":"DW00-1"}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ])('a return with %s pays nothing', async (paymentSummary) => {
    const answer = await app.call(postPayProPaymentResult, { query: { paymentSummary } });
    expect(answer.status === 400 || answer.headers.location === '/payment-status?').toBe(true);
  });

  it('counts only with our amount and currency, once paid is paid, and the last word otherwise', () => {
    const event = (kind: 'paid' | 'declined' | 'cancelled', amount = 100, currency = 'AED') => ({
      kind,
      amount,
      currency,
    });
    expect(foldEvents([], 100, 'AED')).toBe('pending');
    expect(foldEvents([event('declined')], 100, 'AED')).toBe('declined');
    expect(foldEvents([event('declined'), event('paid')], 100, 'AED')).toBe('paid');
    expect(foldEvents([event('paid'), event('cancelled')], 100, 'AED')).toBe('paid');
    expect(foldEvents([event('paid', 1)], 100, 'AED')).toBe('pending');
    expect(foldEvents([event('paid', 100, 'USD')], 100, 'AED')).toBe('pending');
  });

  it('is appended once and never changed', async () => {
    const { requestId } = await newRequest();
    const { body } = await begin(requestId);
    await decide(body.paymentUrl, 'paid');
    const provider = httpPaymentProvider(app.sandboxUrl, await ownSecret(app.database, 'sandbox'));
    const payments = {
      database: app.database,
      provider,
      publicUrl: '',
      notices: silentNotices,
      warn: () => undefined,
      announce: () => undefined,
    };
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

  it('a provider that is away is a refusal by name, and the request still waits', async () => {
    const { requestId } = await newRequest();
    const away = {
      database: app.database,
      provider: httpPaymentProvider('http://127.0.0.1:9', 'no key'),
      publicUrl: '',
      notices: silentNotices,
      warn: () => undefined,
      announce: () => undefined,
    };
    const user = await app.database
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'individual')
      .executeTakeFirstOrThrow();
    const caller = {
      userId: user.id,
      sessionId: '',
      fullName: user.full_name,
      phoneNumber: user.phone_number,
      roles: ['Client'] as const,
      companyId: null,
      partnerId: null,
    };
    await expect(beginPayment(away, caller, requestId, 'en-US')).rejects.toMatchObject({
      refusal: 'PaymentProviderUnreachable',
    });
    expect((await record(requestId)).allowedActions).toContain('pay');
    // The provider is back: the payment that was begun goes on.
    expect((await begin(requestId)).body.paymentUrl).toContain('/pay/');
  });
});
