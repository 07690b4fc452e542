import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { languages } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../platform/database/database.ts';
import { isAuthorized, type SandboxOptions } from './sandbox-options.ts';
import { faults, paymentPage, switchesPage, type Fault } from './sandbox-payment-pages.ts';
import { enqueueMessage, startDelivery, type MessageTiming } from './sandbox-payment-messages.ts';
import { page } from './sandbox-page.ts';

const order = z.object({
  merchantReference: z.string().min(1),
  amount: z.int().positive(),
  currency: z.string(),
  description: z.string(),
  language: z.enum(languages),
  returnUrl: z.url(),
  messageUrl: z.url().optional(),
});
const decision = z.object({
  decision: z.enum(['paid', 'declined', 'cancelled', 'verified']),
  fault: z.enum(faults).default('none'),
});
const refundOrder = z.object({ amount: z.int().positive(), currency: z.string() });
const switches = z.object({
  account: z.enum(['paypro', 'reserve']),
  is_slow: z.literal('on').optional(),
  is_down: z.literal('on').optional(),
  has_settlement_difference: z.literal('on').optional(),
  fault: z.enum(faults),
});

/** Longer than the product waits. */
const slowMilliseconds = 7000;

function backUrl(returnUrl: string, merchantReference: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set(
    'paymentSummary',
    Buffer.from(JSON.stringify({ merchantReference })).toString('base64url'),
  );
  return url.toString();
}

const timings: Partial<Record<Fault, MessageTiming>> = {
  messageLost: 'lost',
  messageDoubled: 'doubled',
  messageLate: 'late',
};

type Kind = 'authorised' | 'paid' | 'declined' | 'cancelled';
type PaymentRow = NonNullable<Awaited<ReturnType<typeof findByProvider>>>;

function findByProvider(database: Database | Transaction, providerReference: string) {
  return database
    .selectFrom('sandbox.payments')
    .selectAll()
    .where('provider_reference', '=', providerReference)
    .executeTakeFirst();
}

/** Stores an event and the message about it. Returns the id of the message. */
async function recordEvent(
  transaction: Transaction,
  payment: PaymentRow,
  kind: Kind,
  fault: Fault,
): Promise<number | undefined> {
  const isCharged = kind === 'paid';
  const event = await transaction
    .insertInto('sandbox.payment_events')
    .values({
      id: randomUUID(),
      merchant_reference: payment.merchant_reference,
      kind,
      amount: payment.amount - (isCharged && fault === 'wrongAmount' ? 1 : 0),
      currency: isCharged && fault === 'wrongCurrency' ? 'USD' : payment.currency,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (payment.message_url === '') return undefined;
  const { id, amount, currency, occurred_at } = event;
  const body = JSON.stringify({
    merchantReference: payment.merchant_reference,
    events: [{ id, kind, amount, currency, occurredAt: occurred_at.toISOString() }],
  });
  return enqueueMessage(
    transaction,
    { account: payment.account, url: payment.message_url, body },
    timings[fault] ?? 'now',
  );
}

/** Decides an open payment. A second decision changes nothing. */
async function decide(
  transaction: Transaction,
  reference: string,
  { decision: decided, fault }: { decision: Kind; fault: Fault },
): Promise<{ payment: PaymentRow; messageId: number | undefined } | undefined> {
  const payment = await transaction
    .updateTable('sandbox.payments')
    .set({ status: decided, fault })
    .where('provider_reference', '=', reference)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst();
  if (!payment) return undefined;
  if (decided === 'paid' && fault === 'reportedFailed')
    await recordEvent(transaction, payment, 'declined', 'none');
  const messageId = await recordEvent(transaction, payment, decided, fault);
  if (decided === 'paid' && fault === 'chargedTwice')
    await recordEvent(transaction, payment, 'paid', 'none');
  return { payment, messageId };
}

/**
 * The sandbox of the payment provider, with an account for the product and a second one. Its store is
 * the schema `sandbox`, which no feature of the product reads. Visitors pay on its page; its switches
 * make it fail in the ways in which providers fail.
 */
export function servePayments(server: FastifyInstance, options: SandboxOptions): void {
  const { database, portalUrl, key } = options;
  const delivery = startDelivery(options);
  server.addHook('onClose', async () => delivery.stop());
  const ownUrl = () => {
    const address = server.server.address();
    const port = typeof address === 'object' && address ? address.port : '';
    const { protocol, hostname } = new URL(portalUrl);
    return `${protocol}//${hostname}:${port}`;
  };
  const getSwitches = (account: string) =>
    database
      .selectFrom('sandbox.payment_switches')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirstOrThrow();

  for (const [account, path] of [
    ['paypro', ''],
    ['reserve', '/reserve'],
  ] as const)
    void server.register(
      async (scope) => {
        scope.addHook('preHandler', async (request, reply) => {
          if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
          const { is_down: isDown, is_slow: isSlow } = await getSwitches(account);
          if (isDown) return reply.status(503).send({});
          if (isSlow) await wait(slowMilliseconds);
          return undefined;
        });
        serveAccount(scope, { database, account, ownUrl });
      },
      { prefix: path },
    );

  server.get<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const payment = await findByProvider(database, request.params.reference);
    if (!payment)
      return reply
        .status(404)
        .type('text/html')
        .send(page('en-US', 'Not found', '<h1>There is no such payment.</h1>'));
    const { fault } = await getSwitches(payment.account);
    return reply
      .type('text/html')
      .send(
        paymentPage(
          payment,
          fault as Fault,
          backUrl(payment.return_url, payment.merchant_reference),
        ),
      );
  });

  server.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const given = decision.parse(request.body);
    const { reference } = request.params;
    const known = await findByProvider(database, reference);
    if (!known) return reply.status(404).send({});
    const back = backUrl(known.return_url, known.merchant_reference);
    // The bank's step comes between the card and the charge.
    if (given.decision === 'paid' && given.fault === 'threeDSecure' && known.status === 'open') {
      await database
        .updateTable('sandbox.payments')
        .set({ fault: 'threeDSecure', is_3ds_passed: true })
        .where('provider_reference', '=', reference)
        .execute();
      return reply.redirect(`/pay/${encodeURIComponent(reference)}`, 303);
    }
    const kind =
      given.decision === 'verified' || given.decision === 'paid'
        ? given.fault === 'authorisedOnly'
          ? 'authorised'
          : 'paid'
        : given.decision;
    const decided = await database
      .transaction()
      .execute((transaction) => decide(transaction, reference, { ...given, decision: kind }));
    if (decided?.messageId !== undefined && given.fault === 'messageFirst')
      await delivery.deliver(decided.messageId);
    else delivery.wake();
    if (decided && kind === 'paid' && given.fault === 'chargedThenError')
      return reply
        .status(502)
        .type('text/html')
        .send(page('en-US', 'Error', '<h1>502 Bad Gateway</h1>'));
    return reply.redirect(back, 303);
  });

  const showSwitches = async (reply: FastifyReply) =>
    reply
      .type('text/html')
      .send(
        switchesPage(
          await database
            .selectFrom('sandbox.payment_switches')
            .selectAll()
            .orderBy('account')
            .execute(),
        ),
      );
  server.get('/payment-switches', (_request, reply) => showSwitches(reply));
  server.post('/payment-switches', async (request, reply) => {
    const given = switches.parse(request.body);
    await database
      .updateTable('sandbox.payment_switches')
      .set({
        is_slow: given.is_slow !== undefined,
        is_down: given.is_down !== undefined,
        has_settlement_difference: given.has_settlement_difference !== undefined,
        fault: given.fault,
      })
      .where('account', '=', given.account)
      .execute();
    return reply.redirect('/payment-switches', 303);
  });
}

interface Account {
  database: Database;
  account: 'paypro' | 'reserve';
  ownUrl: () => string;
}

type ReferenceRequest = FastifyRequest<{ Params: { reference: string } }>;

/** The calls of the product to one account. */
function serveAccount(server: FastifyInstance, { database, account, ownUrl }: Account): void {
  const lock = (transaction: Transaction, reference: string) =>
    transaction
      .selectFrom('sandbox.payments')
      .selectAll()
      .where('merchant_reference', '=', reference)
      .where('account', '=', account)
      .forUpdate()
      .executeTakeFirst();

  server.post('/payments', async (request) => {
    const given = order.parse(request.body);
    await database
      .insertInto('sandbox.payments')
      .values({
        account,
        merchant_reference: given.merchantReference,
        provider_reference: randomUUID(),
        amount: given.amount,
        currency: given.currency,
        description: given.description,
        language: given.language,
        return_url: given.returnUrl,
        message_url: given.messageUrl ?? '',
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { provider_reference } = await database
      .selectFrom('sandbox.payments')
      .select('provider_reference')
      .where('merchant_reference', '=', given.merchantReference)
      .executeTakeFirstOrThrow();
    return { paymentUrl: `${ownUrl()}/pay/${provider_reference}` };
  });

  server.get('/payments/:reference/events', async (request: ReferenceRequest) => {
    const rows = await database
      .selectFrom('sandbox.payment_events as event')
      .innerJoin(
        'sandbox.payments as payment',
        'payment.merchant_reference',
        'event.merchant_reference',
      )
      .select(['event.id', 'kind', 'occurred_at'])
      .select(sql<number>`coalesce(event.amount, payment.amount)`.as('amount'))
      .select(sql<string>`coalesce(event.currency, payment.currency)`.as('currency'))
      .where('event.merchant_reference', '=', request.params.reference)
      .where('account', '=', account)
      .orderBy('occurred_at')
      .execute();
    return rows.map(({ occurred_at, ...row }) => ({
      ...row,
      occurredAt: occurred_at.toISOString(),
    }));
  });

  server.post('/payments/:reference/capture', async (request: ReferenceRequest, reply) => {
    const isCaptured = await database.transaction().execute(async (transaction) => {
      const payment = await lock(transaction, request.params.reference);
      if (payment?.status === 'paid') return true;
      if (payment?.status !== 'authorised') return false;
      await transaction
        .updateTable('sandbox.payments')
        .set({ status: 'paid' })
        .where('merchant_reference', '=', payment.merchant_reference)
        .execute();
      await recordEvent(transaction, payment, 'paid', 'none');
      return true;
    });
    return isCaptured ? {} : reply.status(422).send({});
  });

  server.post('/payments/:reference/cancel', (request: ReferenceRequest) =>
    database.transaction().execute(async (transaction) => {
      const { reference } = request.params;
      const payment = await lock(transaction, reference);
      // A payment that never arrived cannot be charged either.
      if (!payment) return { isClosed: true };
      if (payment.status === 'paid') return { isClosed: false };
      await transaction
        .updateTable('sandbox.payments')
        .set({ status: 'cancelled' })
        .where('merchant_reference', '=', reference)
        .execute();
      return { isClosed: true };
    }),
  );

  server.post('/payments/:reference/refunds', async (request: ReferenceRequest, reply) => {
    const given = refundOrder.parse(request.body);
    const idempotencyKey = String(request.headers['idempotency-key'] ?? '');
    if (idempotencyKey === '') return reply.status(400).send({});
    const refund = await database.transaction().execute(async (transaction) => {
      const payment = await lock(transaction, request.params.reference);
      if (!payment) return undefined;
      const rows = await transaction
        .selectFrom('sandbox.payment_refunds')
        .selectAll()
        .where('merchant_reference', '=', payment.merchant_reference)
        .execute();
      const known = rows.find((row) => row.idempotency_key === idempotencyKey);
      if (known) return known;
      const sumOf = (list: readonly { amount: number | null; currency: string | null }[]) =>
        list
          .filter(({ currency }) => (currency ?? payment.currency) === given.currency)
          .reduce((sum, { amount }) => sum + (amount ?? payment.amount), 0);
      const charged = await transaction
        .selectFrom('sandbox.payment_events')
        .select(['amount', 'currency'])
        .where('merchant_reference', '=', payment.merchant_reference)
        .where('kind', '=', 'paid')
        .execute();
      const done = rows.filter(({ state }) => state === 'succeeded');
      const isPossible =
        payment.fault !== 'refundRefused' && sumOf(done) + given.amount <= sumOf(charged);
      return transaction
        .insertInto('sandbox.payment_refunds')
        .values({
          id: `rf-${randomUUID().slice(0, 13)}`,
          account,
          merchant_reference: payment.merchant_reference,
          idempotency_key: idempotencyKey,
          amount: given.amount,
          currency: given.currency,
          state: isPossible ? 'succeeded' : 'refused',
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    if (!refund) return reply.status(422).send({});
    return { state: refund.state, refundId: refund.id };
  });
}
