import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { createTranslator } from '../platform/core/locale-texts.ts';
import { isAuthorized, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const order = z.object({
  merchantReference: z.string().min(1),
  amount: z.int().positive(),
  currency: z.string(),
  description: z.string(),
  language: z.enum(languages),
  returnUrl: z.url(),
});
const decision = z.object({ decision: z.enum(['paid', 'declined', 'cancelled']) });

const t = createTranslator('sandbox-payments');

interface ShownPayment {
  merchant_reference: string;
  amount: number;
  currency: string;
  description: string;
  language: string;
  status: string;
}

function backUrl(returnUrl: string, merchantReference: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set(
    'paymentSummary',
    Buffer.from(JSON.stringify({ merchantReference })).toString('base64url'),
  );
  return url.toString();
}

function paymentPage(payment: ShownPayment, back: string): string {
  const language = payment.language as Language;
  const say = (key: string) => escapeHtml(t(key, language));
  const amount = `${payment.currency} ${(payment.amount / 100).toFixed(2)}`;
  const buttons = [
    `<button name="decision" value="paid">${say('pay')}</button>`,
    `<button name="decision" value="declined">${say('decline')}</button>`,
    `<button name="decision" value="cancelled">${say('cancel')}</button>`,
  ].join('');
  const choices =
    payment.status === 'open'
      ? `<form method="post">${buttons}</form><p class="note">${say('next')}</p>`
      : `<p>${say('closed')}</p><p><a href="${escapeHtml(back)}">${say('back')}</a></p>`;
  const reference = `<bdi dir="ltr">${escapeHtml(payment.merchant_reference)}</bdi>`;
  const body = [
    `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div><section>\n`,
    `<h1>${say('amount')}<br>`,
    `<bdi dir="ltr" class="amount">${escapeHtml(amount)}</bdi></h1>\n<dl>`,
    `<div><dt>${say('what')}</dt><dd>${escapeHtml(payment.description)}</dd></div>`,
    `<div><dt>${say('reference')}</dt><dd>${reference}</dd></div></dl>${choices}</section>`,
  ];
  return page(language, t('title', language), body.join(''));
}

/**
 * The sandbox of the payment provider. The product opens payments and reads events. A visitor pays,
 * is declined, or cancels.
 */
export function servePayments(
  server: FastifyInstance,
  { database, portalUrl, key }: SandboxOptions,
): void {
  const find = (providerReference: string) =>
    database
      .selectFrom('sandbox.payments')
      .selectAll()
      .where('provider_reference', '=', providerReference)
      .executeTakeFirst();
  const ownUrl = () => {
    const address = server.server.address();
    const port = typeof address === 'object' && address ? address.port : '';
    const { protocol, hostname } = new URL(portalUrl);
    return `${protocol}//${hostname}:${port}`;
  };

  server.post('/payments', async (request, reply) => {
    if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
    const given = order.parse(request.body);
    const row = {
      merchant_reference: given.merchantReference,
      provider_reference: randomUUID(),
      amount: given.amount,
      currency: given.currency,
      description: given.description,
      language: given.language,
      return_url: given.returnUrl,
    };
    await database
      .insertInto('sandbox.payments')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { provider_reference } = await database
      .selectFrom('sandbox.payments')
      .select('provider_reference')
      .where('merchant_reference', '=', given.merchantReference)
      .executeTakeFirstOrThrow();
    return { paymentUrl: `${ownUrl()}/pay/${provider_reference}` };
  });

  server.get<{ Params: { reference: string } }>(
    '/payments/:reference/events',
    async (request, reply) => {
      if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
      const rows = await database
        .selectFrom('sandbox.payment_events')
        .innerJoin(
          'sandbox.payments',
          'sandbox.payments.merchant_reference',
          'sandbox.payment_events.merchant_reference',
        )
        .select(['sandbox.payment_events.id', 'kind', 'amount', 'currency', 'occurred_at'])
        .where('sandbox.payment_events.merchant_reference', '=', request.params.reference)
        .orderBy('occurred_at')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        currency: row.currency,
        occurredAt: row.occurred_at.toISOString(),
      }));
    },
  );

  server.get<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const payment = await find(request.params.reference);
    if (!payment)
      return reply
        .status(404)
        .type('text/html')
        .send(page('en-US', 'Not found', '<h1>There is no such payment.</h1>'));
    return reply
      .type('text/html')
      .send(paymentPage(payment, backUrl(payment.return_url, payment.merchant_reference)));
  });

  server.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const given = decision.parse(request.body);
    const payment = await database.transaction().execute(async (transaction) => {
      // Only an open payment can be decided, so a second click has no effect.
      const decided = await transaction
        .updateTable('sandbox.payments')
        .set({ status: given.decision })
        .where('provider_reference', '=', request.params.reference)
        .where('status', '=', 'open')
        .returningAll()
        .executeTakeFirst();
      if (decided)
        await transaction
          .insertInto('sandbox.payment_events')
          .values({
            id: randomUUID(),
            merchant_reference: decided.merchant_reference,
            kind: given.decision,
          })
          .execute();
      return (
        decided ??
        (await transaction
          .selectFrom('sandbox.payments')
          .selectAll()
          .where('provider_reference', '=', request.params.reference)
          .executeTakeFirst())
      );
    });
    if (!payment) return reply.status(404).send({});
    return reply.redirect(backUrl(payment.return_url, payment.merchant_reference), 303);
  });
}
