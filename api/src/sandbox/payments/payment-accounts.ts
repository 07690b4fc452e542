import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { paymentMethods } from '@diwan/contract/requests/payments';
import { isRealDay } from '@diwan/contract/wire/days';
import { languages } from '@diwan/contract/wire/languages';
import { isAuthorized } from '../sandbox-options.ts';
import { bookEvent } from './payment-events.ts';
import {
  accounts,
  type AccountName,
  type PaymentJournal,
  type SandboxPayment,
  type SandboxRefund,
} from './payment-journal.ts';
import { settlementFile } from './payment-settlement.ts';

const order = z.object({
  merchantReference: z.string().min(1).max(60),
  amount: z.int().positive(),
  currency: z.string().length(3),
  description: z.string().max(1000),
  language: z.enum(languages),
  returnUrl: z.url(),
  messageUrl: z.url().optional(),
  method: z.enum(paymentMethods).default('card'),
});
/** Payments that were made before the sandbox knew them. */
const pastPayments = z
  .array(
    z.object({
      merchantReference: z.string().min(1).max(60),
      eventId: z.string().min(1).max(200),
      amount: z.int().positive(),
      currency: z.string().length(3),
      paidAt: z.iso.datetime(),
    }),
  )
  .max(10_000);
const refundOrder = z.object({ amount: z.int().positive(), currency: z.string().length(3) });

interface AccountOptions {
  key: string;
  slowMilliseconds?: number;
  ownUrl: () => string;
}

type ReferenceRequest = FastifyRequest<{ Params: { reference: string } }>;

/** The calls of the product, to its account at `/` and to the second one at `/reserve`. */
export function serveAccounts(
  server: FastifyInstance,
  journal: PaymentJournal,
  options: AccountOptions,
): void {
  const { key, slowMilliseconds = 7000 } = options;
  server.get('/health', (request, reply) =>
    isAuthorized(request.headers.authorization, key)
      ? reply.send({ pid: process.pid })
      : reply.status(401).send({}),
  );
  for (const account of accounts)
    void server.register(
      async (scope) => {
        scope.addHook('preHandler', async (request, reply) => {
          if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
          const { isDown, isSlow } = journal.switchesOf(account);
          if (isDown) return reply.status(503).send({});
          if (isSlow) await wait(slowMilliseconds);
          return undefined;
        });
        serveAccount(scope, journal, account, options);
      },
      { prefix: account === 'reserve' ? '/reserve' : '' },
    );
}

const sumOf = (list: readonly { amount: number; currency: string }[], currency: string) =>
  list.filter((each) => each.currency === currency).reduce((sum, { amount }) => sum + amount, 0);

/** Refunds once for each key. A refund above what was charged is refused. */
function refund(
  journal: PaymentJournal,
  payment: SandboxPayment,
  { amount, currency, idempotencyKey }: z.output<typeof refundOrder> & { idempotencyKey: string },
): SandboxRefund {
  const known = payment.refunds.find((each) => each.idempotencyKey === idempotencyKey);
  if (known) return known;
  const charged = payment.events.filter(({ kind }) => kind === 'paid');
  const done = payment.refunds.filter(({ state }) => state === 'succeeded');
  const isPossible =
    payment.fault !== 'refundRefused' && sumOf(done, currency) + amount <= sumOf(charged, currency);
  const made: SandboxRefund = {
    id: `rf-${randomUUID().slice(0, 13)}`,
    idempotencyKey,
    amount,
    currency,
    state: isPossible ? 'succeeded' : 'refused',
    createdAt: new Date().toISOString(),
  };
  journal.save({ payment: { ...payment, refunds: [...payment.refunds, made] } });
  return made;
}

function serveAccount(
  server: FastifyInstance,
  journal: PaymentJournal,
  account: AccountName,
  { ownUrl }: AccountOptions,
): void {
  const find = ({ params }: ReferenceRequest) => journal.findByMerchant(account, params.reference);

  server.post('/payments', (request, reply) => {
    const given = order.safeParse(request.body);
    if (!given.success) return reply.status(400).send({});
    const { messageUrl = '', ...wanted } = given.data;
    const known = journal.findByMerchant(account, wanted.merchantReference);
    // The portal may have another address since its last start.
    const moved = known?.status === 'open' && known.returnUrl !== wanted.returnUrl;
    const { returnUrl } = wanted;
    const payment: SandboxPayment = (moved ? { ...known, returnUrl, messageUrl } : known) ?? {
      ...wanted,
      account,
      messageUrl,
      providerReference: randomUUID(),
      status: 'open',
      fault: 'none',
      isAtBank: false,
      createdAt: new Date().toISOString(),
      events: [],
      refunds: [],
    };
    if (!known || moved) journal.save({ payment });
    return reply.send({ paymentUrl: `${ownUrl()}/pay/${payment.providerReference}` });
  });

  // The books of the provider about the account; those with something new since a time.
  server.get<{ Querystring: { since?: string } }>('/payments', async ({ query: { since = '' } }) =>
    journal
      .payments()
      .filter(
        (payment) =>
          payment.account === account &&
          (since === '' || payment.events.some(({ occurredAt }) => occurredAt >= since)),
      ),
  );

  server.post('/past-payments', { bodyLimit: 4 * 1024 * 1024 }, (request, reply) => {
    const given = pastPayments.safeParse(request.body);
    if (!given.success) return reply.status(400).send({});
    for (const { merchantReference, eventId, amount, currency, paidAt } of given.data)
      if (!journal.findByMerchant(account, merchantReference))
        journal.save({
          payment: {
            account,
            merchantReference,
            amount,
            currency,
            providerReference: randomUUID(),
            description: '',
            language: 'en-US',
            returnUrl: ownUrl(),
            messageUrl: '',
            method: 'card',
            status: 'paid',
            fault: 'none',
            isAtBank: false,
            createdAt: paidAt,
            events: [{ id: eventId, kind: 'paid', amount, currency, occurredAt: paidAt }],
            refunds: [],
          },
        });
    return reply.send({});
  });

  server.get(
    '/payments/:reference/events',
    async (request: ReferenceRequest) => find(request)?.events ?? [],
  );
  server.get('/payments/:reference/refunds', async (request: ReferenceRequest) =>
    (find(request)?.refunds ?? []).map(({ idempotencyKey: _key, ...refund }) => refund),
  );

  server.get<{ Params: { day: string } }>('/settlements/:day', async (request, reply) => {
    const { day } = request.params;
    if (!isRealDay(day)) return reply.status(400).send({});
    const payments = journal.payments().filter((payment) => payment.account === account);
    const { hasSettlementDifference } = journal.switchesOf(account);
    return reply.type('text/csv').send(settlementFile(payments, day, hasSettlementDifference));
  });

  server.post('/payments/:reference/capture', async (request: ReferenceRequest, reply) => {
    const payment = find(request);
    if (payment?.status === 'paid') return {};
    if (payment?.status !== 'authorised') return reply.status(422).send({});
    journal.save(
      bookEvent(journal, { ...payment, status: 'paid' }, { kind: 'paid', fault: 'none' }),
    );
    return {};
  });

  server.post('/payments/:reference/cancel', async (request: ReferenceRequest) => {
    const payment = find(request);
    // A payment that never arrived cannot be charged either.
    if (!payment) return { isClosed: true };
    if (payment.status === 'paid') return { isClosed: false };
    journal.save({ payment: { ...payment, status: 'cancelled' } });
    return { isClosed: true };
  });

  server.post('/payments/:reference/refunds', async (request: ReferenceRequest, reply) => {
    const given = refundOrder.safeParse(request.body);
    const idempotencyKey = String(request.headers['idempotency-key'] ?? '');
    if (!given.success || idempotencyKey === '') return reply.status(400).send({});
    const payment = find(request);
    if (!payment) return reply.status(422).send({});
    const { state, id } = refund(journal, payment, { ...given.data, idempotencyKey });
    return { state, refundId: id };
  });
}
