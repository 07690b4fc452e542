import { beforeAll, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { openCalendars, type Calendars } from '#features/calendars/calendars.actions.ts';
import type { PaymentProvider, ProviderEvent } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import { approveRequest, rejectRequest } from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import { silentNotifier } from '../messages/notifications.actions.ts';
import { settle, type PaymentsContext } from './payment-events.actions.ts';
import { settleReturn } from './payments.actions.ts';

// Its own jobs do not run.
const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
let token: string;
let calendars: Calendars;
beforeAll(async () => {
  calendars = await openCalendars(app.database);
  token = await app.signIn('individual');
});

let count = 0;
const event = (kind: ProviderEvent['kind'], parts: Partial<ProviderEvent> = {}): ProviderEvent => ({
  id: `event-${(count += 1)}`,
  kind,
  amount: 0,
  currency: 'AED',
  occurredAt: new Date().toISOString(),
  ...parts,
});
const record = async (requestId: number) =>
  (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;

/** A context whose provider returns the messages of the test and records each call. */
function fakeProvider(
  eventsOf: (merchantReference: string) => ProviderEvent[],
): PaymentsContext & { asked: string[]; warnings: string[] } {
  const [asked, warnings] = [[] as string[], [] as string[]];
  const provider: PaymentProvider = {
    ...payPro({ url: 'http://localhost', key: '' }),
    open: async () => ({ paymentUrl: 'https://pay.example/1', providerReference: null }),
    read: async ({ merchantReference }) => {
      asked.push(merchantReference);
      return eventsOf(merchantReference);
    },
  };
  return {
    database: app.database,
    providers: new Map([['paypro', provider]]),
    publicUrl: '',
    expiryMinutes: 60,
    workflow: storedWorkflows(app.database),
    calendars,
    fines: { database: app.database, register: undefined, warn: () => undefined },
    notifier: silentNotifier,
    warn: (message) => warnings.push(message),
    announce: () => undefined,
    asked,
    warnings,
  };
}

async function begin(): Promise<{ requestId: number; merchantReference: string; amount: number }> {
  const { requestId } = await insertDemoRequest(app, 'individual');
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  return {
    requestId,
    merchantReference: body.merchantReference,
    amount: (await record(requestId)).total,
  };
}

describe('a provider that sends wrong messages', () => {
  it('holds a wrong amount or currency for an admin, each in a case, and the log has a warning', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const provider = fakeProvider(() => [
      event('paid', { amount: amount - 1 }),
      event('paid', { amount, currency: 'USD' }),
      event('paid', { amount: -amount }),
    ]);
    await expect(settle(provider, merchantReference)).resolves.toMatchObject({ status: 'held' });
    const shown = await record(requestId);
    expect(shown.payments[0]?.status).toBe('held');
    expect(shown.history.map(({ action }) => action)).not.toContain('pay');
    expect(provider.warnings.join()).toContain(merchantReference);
    const cases = await app.database
      .selectFrom('payment_cases')
      .select('kind')
      .where('merchant_reference', '=', merchantReference)
      .orderBy('kind')
      .execute();
    expect(cases.map(({ kind }) => kind)).toEqual(['wrongAmount', 'wrongAmount', 'wrongCurrency']);
    // Nobody pays again while an admin decides.
    const again = await app.call(createPayment, { token, params: { requestId } });
    expect(again.refused.error).toBe('PaymentIsHeld');
  });

  it('pays once when it repeats an event or sends it for two payments', async () => {
    const [first, second] = [await begin(), await begin()];
    const said = event('paid', { amount: first.amount });
    const provider = fakeProvider(() => [said, said]);
    expect((await settle(provider, first.merchantReference)).status).toBe('paid');
    expect((await settle(provider, second.merchantReference)).status).toBe('pending');
    expect(
      (await record(first.requestId)).history.filter(({ action }) => action === 'pay'),
    ).toHaveLength(1);
    expect((await record(second.requestId)).allowedActions).toContain('pay');
  });

  it('settles a late first payment once and cancels the open second one', async () => {
    const first = await begin();
    let isPaid = false;
    const provider = fakeProvider((reference) =>
      reference !== first.merchantReference
        ? []
        : [event('declined'), ...(isPaid ? [event('paid', { amount: first.amount })] : [])],
    );
    expect((await settle(provider, first.merchantReference)).status).toBe('declined');
    const second = (
      await app.call(createPayment, { token, params: { requestId: first.requestId } })
    ).body.merchantReference;
    isPaid = true;
    expect((await settle(provider, first.merchantReference)).status).toBe('paid');
    expect((await settle(provider, second)).status).toBe('cancelled');
    expect((await record(first.requestId)).payments.map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'paid',
    ]);
  });

  it('pays one of two payments of a request and records a refund for the other', async () => {
    const first = await begin();
    let isPaid = false;
    const provider = fakeProvider((reference) =>
      isPaid
        ? [event('paid', { id: `charge of ${reference}`, amount: first.amount })]
        : [event('declined')],
    );
    await settle(provider, first.merchantReference);
    const second = (
      await app.call(createPayment, { token, params: { requestId: first.requestId } })
    ).body.merchantReference;
    isPaid = true;
    const all = Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        settle(provider, index % 2 === 0 ? first.merchantReference : second),
      ),
    );
    await expect(all.then((each) => new Set(each.map(({ status }) => status)))).resolves.toEqual(
      new Set(['paid']),
    );
    expect(
      (await record(first.requestId)).payments.filter(({ status }) => status === 'paid'),
    ).toHaveLength(1);
    expect(
      (await record(first.requestId)).history.filter(({ action }) => action === 'pay'),
    ).toHaveLength(1);
    expect(provider.warnings.filter((warning) => warning.includes('goes back'))).toHaveLength(1);
    // The second payment is refundable once.
    expect((await record(first.requestId)).refund).toEqual({
      underway: first.amount,
      refundable: first.amount,
      surplus: first.amount,
      refunded: 0,
      refunds: [],
    });
  });

  it('adds a payment that arrives after the refusal to the refundable amount', async () => {
    const first = await begin();
    await settle(
      fakeProvider(() => [event('paid', { amount: first.amount })]),
      first.merchantReference,
    );
    const clerk = await app.idOf('employee');
    await app.database
      .updateTable('requests')
      .set({ status_id: 4, holder_id: clerk })
      .where('id', '=', first.requestId)
      .execute();
    const employee = await app.signIn('employee');
    expect(
      (
        await app.call(approveRequest, {
          token: employee,
          body: { requestId: first.requestId, fines: 500 },
        })
      ).status,
    ).toBe(200);
    const late = (await app.call(createPayment, { token, params: { requestId: first.requestId } }))
      .body.merchantReference;
    const { body } = await app.call(rejectRequest, {
      token: employee,
      body: {
        requestId: first.requestId,
        requestHistoryRejectionReasonId: 1,
        messageAr: 'لا',
        messageEn: 'No',
        messageUr: 'نہیں',
      },
    });
    expect(body.statusTone).toBe('refused');
    const fees = body.refund?.refundable ?? 0;
    expect(
      (
        await settle(
          fakeProvider(() => [event('paid', { amount: 500 })]),
          late,
        )
      ).status,
    ).toBe('paid');
    expect((await record(first.requestId)).refund?.refundable).toBe(fees + 500);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://pay.example/', 'not an address'])(
    'rejects the payment address %s',
    async (paymentUrl) => {
      const { createServer } = await import('node:http');
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ paymentUrl })),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address() as { port: number };
      const provider = payPro({
        url: `http://127.0.0.1:${address.port}`,
        key: 'a key of sixteen.',
      });
      await expect(
        provider.open({
          merchantReference: 'x',
          amount: 1,
          currency: 'AED',
          description: '',
          language: 'en-US',
          returnUrl: 'http://localhost/',
          messageUrl: 'http://localhost/',
          method: 'card' as const,
        }),
      ).rejects.toThrow();
      server.close();
    },
  );
});

describe('an attacker', () => {
  const summary = (merchantReference: string) =>
    Buffer.from(JSON.stringify({ merchantReference })).toString('base64url');

  it('cannot cause calls to the provider for unknown or paid payments', async () => {
    const { merchantReference, amount } = await begin();
    const provider = fakeProvider(() => [event('paid', { amount })]);
    for (const reference of ['..', '../messages', 'DW26-00000-00000-00000000', ''])
      await expect(settleReturn(provider, summary(reference))).rejects.toMatchObject({
        refusal: 'PaymentNotFound',
      });
    expect(provider.asked).toEqual([]);
    for (let index = 0; index < 5; index += 1)
      expect((await settleReturn(provider, summary(merchantReference))).status).toBe('paid');
    expect(provider.asked).toHaveLength(1);
  });

  it('cannot learn from CreatePayment whether another user is paying', async () => {
    const { requestId } = await begin();
    const other = await app.signIn('individual2');
    const answers = await Promise.all(
      [requestId, 999_999].map((id) =>
        app.call(createPayment, { token: other, params: { requestId: id } }),
      ),
    );
    expect(answers[0]?.refused).toEqual(answers[1]?.refused);
    const { checked_at } = await app.database
      .selectFrom('payments')
      .select('checked_at')
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(checked_at).toBeInstanceOf(Date);
  });

  it('changes nothing by replaying a return fifty times at the same time', async () => {
    const { requestId, merchantReference } = await begin();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.call(postPayProPaymentResult, {
          query: { paymentSummary: summary(merchantReference) },
        }),
      ),
    );
    for (const { status, headers } of answers)
      expect([status, String(headers.location).includes('result=')]).toEqual([302, false]);
    expect((await record(requestId)).payments).toHaveLength(1);
  });
});

it('leaves a ledger that equals payments minus refunds', async () => {
  expect(await findLedgerProblems(app.database)).toEqual([]);
});
