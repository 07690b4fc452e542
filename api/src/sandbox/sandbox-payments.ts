import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { isProduct, type SandboxOptions } from './sandbox-options.ts';
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

const words = {
  title: {
    'ar-EG': 'صفحة الدفع التجريبية',
    'en-US': 'Sandbox payment page',
    'ur-PK': 'آزمائشی ادائیگی کا صفحہ',
  },
  note: {
    'ar-EG': 'هذا مزود خدمة دفع تجريبي، ولا يُخصم أي مبلغ حقيقي.',
    'en-US': 'This is a stand-in for a payment provider. No real money moves.',
    'ur-PK': 'یہ ادائیگی کے فراہم کنندہ کا آزمائشی متبادل ہے۔ کوئی حقیقی رقم منتقل نہیں ہوتی۔',
  },
  pay: { 'ar-EG': 'ادفع الآن', 'en-US': 'Pay now', 'ur-PK': 'ابھی ادا کریں' },
  decline: {
    'ar-EG': 'محاكاة رفض البطاقة',
    'en-US': 'Simulate a declined card',
    'ur-PK': 'کارڈ مسترد ہونے کی آزمائش',
  },
  cancel: {
    'ar-EG': 'إلغاء والعودة',
    'en-US': 'Cancel and go back',
    'ur-PK': 'منسوخ کر کے واپس جائیں',
  },
  what: { 'ar-EG': 'الدفع مقابل', 'en-US': 'Paying for', 'ur-PK': 'ادائیگی برائے' },
  reference: { 'ar-EG': 'مرجع العملية', 'en-US': 'Reference', 'ur-PK': 'حوالہ' },
  amount: { 'ar-EG': 'المبلغ', 'en-US': 'Amount', 'ur-PK': 'رقم' },
  next: {
    'ar-EG': 'بعد الدفع ستعود تلقائيًا إلى بوابة ديوان.',
    'en-US': 'After paying you return to Diwan by yourself.',
    'ur-PK': 'ادائیگی کے بعد آپ خود بخود دیوان پورٹل پر واپس آ جائیں گے۔',
  },
  closed: {
    'ar-EG': 'انتهت عملية الدفع هذه.',
    'en-US': 'This payment is closed.',
    'ur-PK': 'یہ ادائیگی مکمل یا بند ہو چکی ہے۔',
  },
  back: {
    'ar-EG': 'العودة إلى البوابة',
    'en-US': 'Back to the portal',
    'ur-PK': 'پورٹل پر واپس جائیں',
  },
} satisfies Record<string, LocalizedText>;

interface Shown {
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

function show(payment: Shown, back: string): string {
  const language = payment.language as Language;
  const say = (name: keyof typeof words) => escapeHtml(words[name][language]);
  const amount = `${payment.currency} ${(payment.amount / 100).toFixed(2)}`;
  const choices =
    payment.status === 'open'
      ? `<form method="post"><button name="decision" value="paid">${say('pay')}</button><button name="decision" value="declined">${say('decline')}</button><button name="decision" value="cancelled">${say('cancel')}</button></form><p class="note">${say('next')}</p>`
      : `<p>${say('closed')}</p><p><a href="${escapeHtml(back)}">${say('back')}</a></p>`;
  return page(
    language,
    words.title[language],
    `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div><section>
<h1>${say('amount')}<br><bdi dir="ltr" class="amount">${escapeHtml(amount)}</bdi></h1>
<dl><div><dt>${say('what')}</dt><dd>${escapeHtml(payment.description)}</dd></div><div><dt>${say('reference')}</dt><dd><bdi dir="ltr">${escapeHtml(payment.merchant_reference)}</bdi></dd></div></dl>${choices}</section>`,
  );
}

/**
 * The stand-in payment provider: the product opens payments and reads events; a visitor pays, is
 * declined, or cancels.
 */
export function openPayments(
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
    return `${new URL(portalUrl).protocol}//${new URL(portalUrl).hostname}:${typeof address === 'object' && address ? address.port : ''}`;
  };

  server.post('/payments', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
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
      if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
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
      .send(show(payment, backUrl(payment.return_url, payment.merchant_reference)));
  });

  server.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const given = decision.parse(request.body);
    const payment = await database.transaction().execute(async (transaction) => {
      // Open once, decided once: a second click finds nothing to decide.
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
