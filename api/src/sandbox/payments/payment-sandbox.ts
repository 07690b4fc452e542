import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { page } from '../sandbox-page.ts';
import { createSandboxServer } from '../sandbox-server.ts';
import { serveAccounts } from './payment-accounts.ts';
import { startDelivery } from './payment-delivery.ts';
import { bookEvent } from './payment-events.ts';
import {
  accounts,
  faults,
  type EventKind,
  type Fault,
  PaymentJournal,
  type SandboxMessage,
  type SandboxPayment,
} from './payment-journal.ts';
import { paymentPage, providerPage, testCard } from './payment-pages.ts';

/** What the payment sandbox needs; all of it can be sent to another process. */
export interface PaymentSandboxOptions {
  /** The folder of its store. */
  folder: string;
  host: string;
  port: number;
  /** The portal, to which its pages lead back. */
  portalUrl: string;
  /** The key of every call by the product. */
  key: string;
  /** Signs the messages. */
  messageSecret: string;
  /** When the switch for late messages is on. Default: a minute. */
  lateMilliseconds?: number;
  /** When the switch for slow answers is on. Default: longer than the product waits. */
  slowMilliseconds?: number;
}

const decision = z.object({
  decision: z.enum(['paid', 'declined', 'cancelled', 'verified']),
  fault: z.enum(faults).default('none'),
  cardNumber: z.string().max(40).default(testCard),
});
const switches = z.object({
  account: z.enum(accounts),
  isSlow: z.literal('on').optional(),
  isDown: z.literal('on').optional(),
  hasSettlementDifference: z.literal('on').optional(),
  fault: z.enum(faults),
});

/** The address to which the provider sends the visitor back. */
function backUrl({ returnUrl, merchantReference }: SandboxPayment): string {
  const url = new URL(returnUrl);
  url.searchParams.set(
    'paymentSummary',
    Buffer.from(JSON.stringify({ merchantReference })).toString('base64url'),
  );
  return url.toString();
}

/** Whether a number of 12 to 19 digits has the check digit of a card (Luhn). */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function kindOf(decided: z.output<typeof decision>['decision'], fault: Fault): EventKind {
  if (decided !== 'paid' && decided !== 'verified') return decided;
  return fault === 'authorisedOnly' ? 'authorised' : 'paid';
}

/** Decides an open payment, and returns the messages about it. A second decision changes nothing. */
function decide(
  journal: PaymentJournal,
  payment: SandboxPayment,
  decided: { kind: EventKind; fault: Fault },
  lateMilliseconds: number,
): SandboxMessage[] | undefined {
  if (payment.status !== 'open') return undefined;
  const { kind, fault } = decided;
  const isCharged = kind === 'paid';
  const kinds: { kind: EventKind; fault: Fault }[] = [decided];
  if (isCharged && fault === 'reportedFailed') kinds.unshift({ kind: 'declined', fault: 'none' });
  if (isCharged && fault === 'chargedTwice') kinds.push({ kind: 'paid', fault: 'none' });
  let changed: SandboxPayment = { ...payment, status: kind, fault };
  const messages: SandboxMessage[] = [];
  for (const each of kinds) {
    const booked = bookEvent(journal, changed, { ...each, lateMilliseconds });
    changed = booked.payment;
    messages.push(...booked.messages);
  }
  journal.save({ payment: changed, messages });
  return messages;
}

function servePages(
  server: FastifyInstance,
  journal: PaymentJournal,
  { messageSecret, lateMilliseconds = 60_000 }: PaymentSandboxOptions,
): void {
  const delivery = startDelivery(journal, messageSecret);
  server.addHook('onClose', async () => {
    await delivery.stop();
    await journal.close();
  });
  const sendPage = (reply: FastifyReply, html: string, status = 200) =>
    reply.status(status).type('text/html').send(html);
  const sendMissing = (reply: FastifyReply) =>
    sendPage(reply, page('en-US', 'Not found', '<h1>There is no such payment.</h1>'), 404);
  const sendPayment = (reply: FastifyReply, payment: SandboxPayment, hasCardError = false) => {
    const { fault } = journal.switchesOf(payment.account);
    const html = paymentPage(payment, { fault, back: backUrl(payment), hasCardError });
    return sendPage(reply, html, hasCardError ? 422 : 200);
  };

  // The bank's step comes between the card and the charge.
  const sendToBank = (reply: FastifyReply, payment: SandboxPayment) => {
    journal.save({ payment: { ...payment, fault: 'threeDSecure', isAtBank: true } });
    return reply.redirect(`/pay/${encodeURIComponent(payment.providerReference)}`, 303);
  };

  server.get<{ Params: { reference: string } }>('/pay/:reference', (request, reply) => {
    const payment = journal.find(request.params.reference);
    return payment ? sendPayment(reply, payment) : sendMissing(reply);
  });

  server.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const given = decision.safeParse(request.body);
    if (!given.success) return reply.status(400).send({});
    const { decision: decided, fault, cardNumber } = given.data;
    const payment = journal.find(request.params.reference);
    if (!payment) return sendMissing(reply);
    const isPaying = decided === 'paid' && payment.status === 'open' && !payment.isAtBank;
    if (isPaying && !isCardNumber(cardNumber)) return sendPayment(reply, payment, true);
    if (isPaying && fault === 'threeDSecure') return sendToBank(reply, payment);
    const kind = kindOf(decided, fault);
    const messages = decide(journal, payment, { kind, fault }, lateMilliseconds);
    if (messages && fault === 'messageFirst') await delivery.deliver(messages);
    else delivery.wake();
    if (messages && kind === 'paid' && fault === 'chargedThenError')
      return sendPage(reply, page('en-US', 'Error', '<h1>502 Bad Gateway</h1>'), 502);
    return reply.redirect(backUrl(payment), 303);
  });

  server.get('/', (_request, reply) => sendPage(reply, providerPage(journal)));
  server.post('/switches', (request, reply) => {
    const given = switches.safeParse(request.body);
    if (!given.success) return reply.status(400).send({});
    const { account, isSlow, isDown, hasSettlementDifference, fault } = given.data;
    journal.save({
      switches: {
        account,
        isSlow: isSlow !== undefined,
        isDown: isDown !== undefined,
        hasSettlementDifference: hasSettlementDifference !== undefined,
        fault,
      },
    });
    return reply.redirect('/', 303);
  });
}

/**
 * Starts the sandbox of the payment provider, with an account for the product and a second one. It is
 * a server with its own store, and knows nothing of the product's database: the product calls it
 * over HTTP and receives its signed messages. Visitors pay on its page; its switches make it fail in
 * the ways in which providers fail.
 */
export async function startPaymentSandbox(
  options: PaymentSandboxOptions,
): Promise<FastifyInstance> {
  const { folder, host, portalUrl } = options;
  const journal = new PaymentJournal();
  const server = createSandboxServer(portalUrl);
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  server.addHook('onRequest', () => opened);
  // Nothing is answered before it is in the file.
  server.addHook('onSend', () => journal.settled());
  const { protocol, hostname } = new URL(portalUrl);
  serveAccounts(server, journal, {
    ...options,
    ownUrl: () => {
      const address = server.server.address();
      const port = typeof address === 'object' && address ? address.port : '';
      return `${protocol}//${hostname}:${port}`;
    },
  });
  servePages(server, journal, options);
  // The port is the lock of the file: of two processes at the same time, one opens it.
  await server.listen({ host, port: options.port });
  await journal.open(folder);
  open();
  // Other processes of the product on this folder find it there.
  await writeFile(join(folder, 'port'), String(options.port));
  return server;
}
