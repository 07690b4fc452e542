import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { silentNotifier } from '#features/messages/notifications.actions.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { createPayment } from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import type { PaymentsContext } from '../payment-events.actions.ts';
import { reconcileRestore } from './restored-payments.actions.ts';

// Its own jobs do not run.
const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
let context: PaymentsContext;
let provider: PaymentProvider;
let token: string;
let warnings: string[];
beforeAll(async () => {
  token = await app.signIn('individual');
  const key = await getOrCreateSecret(app.database, 'sandbox');
  provider = payPro({ url: app.paymentsUrl, key });
  context = {
    database: app.serverDatabase,
    providers: new Map([['paypro', provider]]),
    publicUrl: '',
    expiryMinutes: 60,
    workflow: storedWorkflows(app.serverDatabase),
    calendars: await openCalendars(app.serverDatabase),
    fines: { database: app.serverDatabase, register: undefined, warn: () => undefined },
    notifier: silentNotifier,
    warn: (message) => warnings.push(message),
    announce: () => undefined,
  };
});
beforeEach(async () => {
  warnings = [];
  await sql`delete from restores`.execute(app.database);
});

/** The database is as it was ten minutes ago. */
const mark = () =>
  sql`insert into restores (restored_to) values (now() - interval '10 minutes')`.execute(
    app.database,
  );
const isOpen = async () =>
  (await sql`select from restores where reconciled_at is null`.execute(app.database)).rows.length >
  0;
const read = async (requestId: number) =>
  (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;
const casesOf = (merchantReference: string) =>
  app.database
    .selectFrom('payment_cases')
    .select(['kind', 'amount'])
    .where('merchant_reference', '=', merchantReference)
    .execute();

async function pay(paymentUrl: string) {
  const url = paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl);
  const body = new URLSearchParams({ decision: 'paid', fault: 'messageLost' });
  expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
}

/** A payment that was begun and paid after the time of the restore: the provider alone knows it. */
async function payUnseen(requestNumber: string, amount: number): Promise<string> {
  const merchantReference = `${requestNumber}-0123abcd`;
  const { paymentUrl } = await provider.open({
    merchantReference,
    amount,
    currency: 'AED',
    description: 'A service',
    language: 'en-US',
    returnUrl: 'http://localhost:3000/back',
    messageUrl: 'http://127.0.0.1:1/message',
    method: 'card',
  });
  await pay(paymentUrl);
  return merchantReference;
}

it('takes over a payment that was paid after the time, and one that was begun after it', async () => {
  const begun = await insertDemoRequest(app, 'individual');
  const { body } = await app.call(createPayment, {
    token,
    params: { requestId: begun.requestId },
  });
  const unseen = await insertDemoRequest(app, 'individual');
  await mark();
  await pay(body.paymentUrl);
  await payUnseen(unseen.requestNumber, (await read(unseen.requestId)).total);
  await reconcileRestore(context);
  for (const { requestId } of [begun, unseen]) {
    const { payments, history } = await read(requestId);
    expect(payments.map(({ status }) => status)).toEqual(['paid']);
    expect(history.map(({ action }) => action)).toContain('pay');
  }
  expect(await isOpen()).toBe(false);
  expect(warnings.join()).toContain('1 were added, 0 wait for a decision');
});

it('takes over a payment whose page was opened after the time, in two processes at the same time', async () => {
  const unanswered = await insertDemoRequest(app, 'individual');
  const { total: amount } = await read(unanswered.requestId);
  await app.database
    .insertInto('payments')
    .values({
      request_id: unanswered.requestId,
      merchant_reference: `${unanswered.requestNumber}-0123abcd`,
      amount,
      currency: 'AED',
    })
    .execute();
  await payUnseen(unanswered.requestNumber, amount);
  const unseen = await insertDemoRequest(app, 'individual');
  const merchantReference = await payUnseen(unseen.requestNumber, amount);
  await mark();
  await Promise.all([reconcileRestore(context), reconcileRestore(context)]);
  for (const { requestId } of [unanswered, unseen])
    expect((await read(requestId)).payments.map(({ status }) => status)).toEqual(['paid']);
  expect(await casesOf(merchantReference)).toEqual([]);
});

it('leaves to an admin what nothing here is due for, once', async () => {
  const { requestId, requestNumber } = await insertDemoRequest(app, 'individual');
  const { total } = await read(requestId);
  const other = await payUnseen(requestNumber, total - 1);
  const lost = await payUnseen('DW26-99999-00000', 5000);
  await mark();
  await reconcileRestore(context);
  await mark();
  await reconcileRestore(context);
  expect((await read(requestId)).payments).toEqual([]);
  expect(await casesOf(other)).toEqual([{ kind: 'unknownReference', amount: total - 1 }]);
  expect(await casesOf(lost)).toEqual([{ kind: 'unknownReference', amount: 5000 }]);
});

it('goes on when a provider answers again; messages about requests are paused until then', async () => {
  const { requestId } = await insertDemoRequest(app, 'individual');
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  await pay(body.paymentUrl);
  await mark();
  const isDown = () => Promise.reject(new Error('no answer'));
  const down = { ...provider, read: isDown, listCharged: isDown };
  await reconcileRestore({ ...context, providers: new Map([['paypro', down]]) });
  expect(await isOpen()).toBe(true);
  const message = (kind: 'request' | 'security', recipient: string) => ({
    kind,
    channel: 'email' as const,
    recipient,
    language: 'en-US' as const,
    subject: 'A subject',
    body: 'A text',
    delaySeconds: 3600,
  });
  const stateOf = async (recipient: string) =>
    (
      await app.database
        .selectFrom('messages')
        .select('state')
        .where('recipient', '=', recipient)
        .executeTakeFirstOrThrow()
    ).state;
  await inTransaction(app.database, (transaction) =>
    enqueueMessages(
      transaction,
      message('request', 'notified@example.com'),
      message('security', 'code@example.com'),
    ),
  );
  expect([await stateOf('notified@example.com'), await stateOf('code@example.com')]).toEqual([
    'paused',
    'waiting',
  ]);
  await reconcileRestore(context);
  expect((await read(requestId)).payments.map(({ status }) => status)).toEqual(['paid']);
  expect(await isOpen()).toBe(false);
  await inTransaction(app.database, (transaction) =>
    enqueueMessages(transaction, message('request', 'new@example.com')),
  );
  expect(await stateOf('new@example.com')).toBe('waiting');
});

it('names a provider that lists no charges, whose settlement files tell', async () => {
  await mark();
  const { listCharged: _, ...silent } = provider;
  await reconcileRestore({ ...context, providers: new Map([['n-genius', silent]]) });
  expect(warnings.join()).toMatch(/n-genius lists no charges: import its settlement files since/);
});
