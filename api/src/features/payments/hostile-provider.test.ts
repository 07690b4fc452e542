import { silentNotices } from '../messages/notices.actions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import { approveRequest, getRequestById, rejectRequest } from '@diwan/contract/requests/requests';
import type {
  PaymentProvider,
  ProviderEvent,
} from '../../platform/integrations/payment-provider.ts';
import { httpPaymentProvider } from '../../platform/integrations/payment-provider.ts';
import { insertDemoRequest } from '../../testing/demo-request.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { settle, settleReturn, type PaymentsContext } from './payments.actions.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.signIn('individual');
});
afterAll(() => app.close());

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

/** A provider that says what the test tells it to, and counts how often it is asked. */
function lying(
  says: (merchantReference: string) => ProviderEvent[],
): PaymentsContext & { asked: string[]; warnings: string[] } {
  const [asked, warnings] = [[] as string[], [] as string[]];
  const provider: PaymentProvider = {
    open: async () => ({ paymentUrl: 'https://pay.example/1' }),
    read: async (merchantReference) => {
      asked.push(merchantReference);
      return says(merchantReference);
    },
  };
  return {
    database: app.database,
    provider,
    publicUrl: '',
    notices: silentNotices,
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

describe('a provider that lies', () => {
  it('about amount or currency pays nothing, and somebody is told', async () => {
    const { requestId, merchantReference, amount } = await begin();
    const liar = lying(() => [
      event('paid', { amount: amount - 1 }),
      event('paid', { amount, currency: 'USD' }),
      event('paid', { amount: -amount }),
    ]);
    expect((await settle(liar, merchantReference)).status).toBe('pending');
    expect((await record(requestId)).allowedActions).toContain('pay');
    expect(liar.warnings.join()).toContain(merchantReference);
  });

  it('with the event of another payment, or one event twice, books one payment once', async () => {
    const [first, second] = [await begin(), await begin()];
    const said = event('paid', { amount: first.amount });
    const liar = lying(() => [said, said]);
    expect((await settle(liar, first.merchantReference)).status).toBe('paid');
    expect((await settle(liar, second.merchantReference)).status).toBe('pending');
    expect(
      (await record(first.requestId)).history.filter(({ action }) => action === 'pay'),
    ).toHaveLength(1);
    expect((await record(second.requestId)).allowedActions).toContain('pay');
  });

  it('paid late, after a second try has begun: paid once, and the open one can still be asked about', async () => {
    const first = await begin();
    let saysPaid = false;
    const liar = lying((reference) =>
      reference !== first.merchantReference
        ? []
        : [event('declined'), ...(saysPaid ? [event('paid', { amount: first.amount })] : [])],
    );
    expect((await settle(liar, first.merchantReference)).status).toBe('declined');
    const second = (
      await app.call(createPayment, { token, params: { requestId: first.requestId } })
    ).body.merchantReference;
    saysPaid = true;
    expect((await settle(liar, first.merchantReference)).status).toBe('paid');
    expect((await settle(liar, second)).status).toBe('cancelled');
    expect((await record(first.requestId)).payments.map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'paid',
    ]);
  });

  it('paid both tries at once: one is booked, the other is to be refunded', async () => {
    const first = await begin();
    let saysPaid = false;
    const liar = lying(() =>
      saysPaid ? [event('paid', { amount: first.amount })] : [event('declined')],
    );
    await settle(liar, first.merchantReference);
    const second = (
      await app.call(createPayment, { token, params: { requestId: first.requestId } })
    ).body.merchantReference;
    saysPaid = true;
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        settle(liar, index % 2 === 0 ? first.merchantReference : second),
      ),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['paid']));
    expect(
      (await record(first.requestId)).payments.filter(({ status }) => status === 'paid'),
    ).toHaveLength(1);
    expect(
      (await record(first.requestId)).history.filter(({ action }) => action === 'pay'),
    ).toHaveLength(1);
    expect(liar.warnings.filter((warning) => warning.includes('refunded'))).toHaveLength(1);
    // What came twice is on the list of what is to be given back, once.
    expect((await record(first.requestId)).refund).toEqual({
      refundable: first.amount,
      surplus: first.amount,
      refunded: 0,
      refunds: [],
    });
  });

  it('paid after the request was refused: all of it is to be given back, and what was paid twice before stays on top of the fees', async () => {
    const first = await begin();
    await settle(
      lying(() => [event('paid', { amount: first.amount })]),
      first.merchantReference,
    );
    const { id: clerk } = await app.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'employee')
      .executeTakeFirstOrThrow();
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
          lying(() => [event('paid', { amount: 500 })]),
          late,
        )
      ).status,
    ).toBe('paid');
    expect((await record(first.requestId)).refund?.refundable).toBe(fees + 500);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://pay.example/', 'not an address'])(
    'sends nobody to %s',
    async (paymentUrl) => {
      const { createServer } = await import('node:http');
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ paymentUrl })),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address() as { port: number };
      const provider = httpPaymentProvider(`http://127.0.0.1:${address.port}`, 'a key of sixteen.');
      await expect(
        provider.open({
          merchantReference: 'x',
          amount: 1,
          currency: 'AED',
          description: '',
          language: 'en-US',
          returnUrl: 'http://localhost/',
        }),
      ).rejects.toThrow();
      server.close();
    },
  );
});

describe('a stranger', () => {
  const summary = (merchantReference: string) =>
    Buffer.from(JSON.stringify({ merchantReference })).toString('base64url');

  it('cannot make us ask the provider about what is not ours, or again about what is paid', async () => {
    const { merchantReference, amount } = await begin();
    const honest = lying(() => [event('paid', { amount })]);
    for (const reference of ['..', '../messages', 'DW26-00000-00000-00000000', ''])
      await expect(settleReturn(honest, summary(reference))).rejects.toMatchObject({
        refusal: 'PaymentNotFound',
      });
    expect(honest.asked).toEqual([]);
    for (let index = 0; index < 5; index += 1)
      expect((await settleReturn(honest, summary(merchantReference))).isPaid).toBe(true);
    expect(honest.asked).toHaveLength(1);
  });

  it('cannot learn from CreatePayment whether somebody else is paying', async () => {
    const { requestId } = await begin();
    const other = await app.signIn('individual2');
    const answers = await Promise.all(
      [requestId, 999_999].map((id) =>
        app.call(createPayment, { token: other, params: { requestId: id } }),
      ),
    );
    expect(answers[0]?.refused).toEqual(answers[1]?.refused);
    await app.database.updateTable('sandbox.payments').set({ currency: 'USD' }).execute();
    const { checked_at } = await app.database
      .selectFrom('payments')
      .select('checked_at')
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(checked_at).toBeInstanceOf(Date);
  });

  it('who replays a return, even fifty at once, changes nothing', async () => {
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
