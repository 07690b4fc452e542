import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { startPaymentSandbox } from './payment-sandbox.ts';
import { spawnPaymentSandbox } from './spawn-payment-sandbox.ts';

const [key, messageSecret] = ['the key of the product', 'the secret of messages'];
let folder: string;
let port: number;
let url: string;
let sandbox: FastifyInstance;
let provider: PaymentProvider;

interface Received {
  at: number;
  isGenuine: boolean;
  kinds: string[];
}
let receiver: Server;
let receiverUrl: string;
let received: Received[] = [];
let answer = 200;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { events } = provider.readMessage(Buffer.concat(chunks), request.headers, new Date());
      received.push({ at: Date.now(), isGenuine: true, kinds: events.map(({ kind }) => kind) });
      response.writeHead(answer).end('{}');
    });
  });
  const receiverPort = await freePort();
  await new Promise<void>((resolve) => receiver.listen(receiverPort, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${receiverPort}/messages`;
});
afterAll(() => receiver.close());

const options = () => ({
  folder,
  host: '127.0.0.1',
  port,
  portalUrl: 'http://localhost:3000',
  key,
  messageSecret,
  lateMilliseconds: 300,
  slowMilliseconds: 50,
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-payments-'));
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = payPro({ url, key, messageSecrets: [messageSecret] });
  received = [];
  answer = 200;
  sandbox = await startPaymentSandbox(options());
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});
const restart = async () => {
  await sandbox.close();
  sandbox = await startPaymentSandbox(options());
};

let count = 0;
async function open(language: Language = 'en-US') {
  const merchantReference = `order-${(count += 1)}`;
  const { paymentUrl } = await provider.open({
    merchantReference,
    amount: 12_345,
    currency: 'AED',
    description: 'A licence',
    language,
    returnUrl: 'http://localhost:3000/back',
    messageUrl: receiverUrl,
    method: 'card' as const,
  });
  const page = `${url}${new URL(paymentUrl).pathname}`;
  return { page, payment: { merchantReference, providerReference: null } };
}
const post = (address: string, form: Record<string, string>) =>
  fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
const pay = (page: string, fault = 'none', decision = 'paid') => post(page, { decision, fault });

it.each([
  ['ar-EG', /123\.45.درهم/],
  ['en-US', /AED.123\.45/],
  ['ur-PK', /123\.45.درہم/],
] as const)('the page shows the amount as the portal writes it in %s', async (language, amount) => {
  const { page } = await open(language);
  expect(await (await fetch(page)).text()).toMatch(amount);
});

describe('a decision on the page', () => {
  it.each([
    ['none', ['paid']],
    ['messageLost', []],
    ['messageDoubled', ['paid', 'paid']],
    ['chargedTwice', ['paid', 'paid']],
    ['reportedFailed', ['declined', 'paid']],
    ['authorisedOnly', ['authorised']],
  ])('with the switch %s sends the signed messages %j', async (fault, kinds) => {
    const { page } = await open();
    expect((await pay(page, fault)).status).toBe(303);
    await expect
      .poll(() => received.flatMap((each) => each.kinds).toSorted())
      .toEqual(kinds.toSorted());
    expect((await pay(page)).status).toBe(303);
    expect(received).toHaveLength(kinds.length);
  });

  it('sends a message before the visitor returns, or late', async () => {
    const first = await open();
    await pay(first.page, 'messageFirst');
    expect(received).toHaveLength(1);
    const late = await open();
    const start = Date.now();
    await pay(late.page, 'messageLate');
    expect(received).toHaveLength(1);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(2);
    expect(received[1]?.at).toBeGreaterThan(start + 299);
  });

  it('charges another amount or currency, or charges before an error page', async () => {
    const [amount, currency, failed] = [await open(), await open(), await open()];
    await pay(amount.page, 'wrongAmount');
    await pay(currency.page, 'wrongCurrency');
    expect((await pay(failed.page, 'chargedThenError')).status).toBe(502);
    const events = await Promise.all(
      [amount, currency, failed].map(({ payment }) => provider.read(payment)),
    );
    expect(events.flat()).toMatchObject([
      { kind: 'paid', amount: 12_344, currency: 'AED' },
      { kind: 'paid', amount: 12_345, currency: 'USD' },
      { kind: 'paid', amount: 12_345, currency: 'AED' },
    ]);
  });

  it('waits for the bank, which the visitor confirms or not', async () => {
    const [confirmed, refused] = [await open(), await open()];
    for (const { page, payment } of [confirmed, refused]) {
      expect((await pay(page, 'threeDSecure')).headers.get('location')).toContain('/pay/');
      expect(await provider.read(payment)).toEqual([]);
    }
    await post(confirmed.page, { decision: 'verified' });
    await post(refused.page, { decision: 'declined' });
    expect(await provider.read(confirmed.payment)).toMatchObject([{ kind: 'paid' }]);
    expect(await provider.read(refused.payment)).toMatchObject([{ kind: 'declined' }]);
  });

  it('is refused with a wrong card number, in the language of the visitor', async () => {
    const texts = await Promise.all(
      languages.map(async (language) => {
        const { page, payment } = await open(language);
        const wrong = { decision: 'paid', cardNumber: '4000 0000 0000 1001' };
        const response = await post(page, wrong);
        expect(response.status).toBe(422);
        expect(await provider.read(payment)).toEqual([]);
        expect((await post(page, { decision: 'unknown' })).status).toBe(400);
        return response.text();
      }),
    );
    expect(texts.map((text) => /<html lang="(\w+)" dir="(\w+)"/.exec(text)?.slice(1))).toEqual([
      ['ar', 'rtl'],
      ['en', 'ltr'],
      ['ur', 'rtl'],
    ]);
    expect(new Set(texts.map((text) => /class="error"[^>]*>([^<]+)/.exec(text)?.[1])).size).toBe(3);
  });
});

describe('the calls of the product', () => {
  it('need the key, and know neither other references nor wrong amounts', async () => {
    const stranger = payPro({ url, key: 'another key of the product' });
    const { payment } = await open();
    await expect(stranger.read(payment)).rejects.toThrow('401');
    expect((await fetch(`${url}/health`)).status).toBe(401);
    const unknown = { merchantReference: 'nobody', providerReference: null };
    expect(await provider.read(unknown)).toEqual([]);
    expect(await provider.cancel(unknown)).toBe(true);
    const order = { amount: -5, currency: 'AED', idempotencyKey: 'x', earlierRefunds: [] };
    await expect(provider.refund({ ...payment, ...order })).rejects.toThrow('400');
    expect((await provider.refund({ ...unknown, ...order, amount: 5 })).state).toBe('refused');
  });

  it('open one page for one reference, and close it unless it was paid', async () => {
    const { page, payment } = await open();
    count -= 1;
    expect((await open()).page).toBe(page);
    expect(await provider.cancel(payment)).toBe(true);
    await pay(page);
    expect(await provider.read(payment)).toEqual([]);
    const paid = await open();
    await pay(paid.page);
    expect(await provider.cancel(paid.payment)).toBe(false);
  });

  it('refund once for each key, never more than was charged, and not where a switch says so', async () => {
    const [{ page, payment }, refusing] = [await open(), await open()];
    await pay(page);
    await pay(refusing.page, 'refundRefused');
    const refund = (amount: number, idempotencyKey: string, to = payment) =>
      provider.refund({ ...to, amount, currency: 'AED', idempotencyKey, earlierRefunds: [] });
    const same = await Promise.all([1, 2, 3].map(() => refund(12_000, 'one')));
    expect(new Set(same.map(({ refundId }) => refundId)).size).toBe(1);
    expect((await refund(346, 'two')).state).toBe('refused');
    expect((await refund(345, 'three')).state).toBe('succeeded');
    expect((await refund(1, 'four', refusing.payment)).state).toBe('refused');
  });

  it('fail while the account is down, and wait while it is slow; the other account works', async () => {
    const { payment } = await open();
    const other = payPro({ url: `${url}/reserve`, key, messageSecrets: [messageSecret] });
    await post(`${url}/switches`, { account: 'paypro', fault: 'wrongAmount', isDown: 'on' });
    await expect(provider.read(payment)).rejects.toThrow('503');
    expect(await other.read(payment)).toEqual([]);
    await restart();
    await expect(provider.read(payment)).rejects.toThrow('503');
    await post(`${url}/switches`, { account: 'paypro', fault: 'none', isSlow: 'on' });
    const start = Date.now();
    await provider.read(payment);
    expect(Date.now() - start).toBeGreaterThan(49);
    expect((await post(`${url}/switches`, { account: 'nobody' })).status).toBe(400);
  });
});

describe('the store', () => {
  it('survives a restart: payments, refunds, switches and messages that are due', async () => {
    const [{ page, payment }, late] = [await open(), await open()];
    await pay(page);
    await expect.poll(() => received.length).toBe(1);
    const order = {
      ...payment,
      amount: 5,
      currency: 'AED',
      idempotencyKey: 'a',
      earlierRefunds: [],
    };
    const before = [await provider.read(payment), await provider.refund(order)];
    await pay(late.page, 'messageLate');
    // A crash while a line was written.
    await sandbox.close();
    await appendFile(join(folder, 'payments.jsonl'), '{"payment":{"accou');
    sandbox = await startPaymentSandbox(options());
    expect([await provider.read(payment), await provider.refund(order)]).toEqual(before);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(2);
    await restart();
    const lines = (await readFile(join(folder, 'payments.jsonl'), 'utf8')).trim().split('\n');
    // Two accounts, two payments, and the messages that are left.
    expect(lines).toHaveLength(5);
  });

  it('belongs to a separate program, which is started again when it is killed', async () => {
    await sandbox.close();
    const running = await spawnPaymentSandbox(options());
    const findPid = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/health`, { headers }).catch(() => undefined);
      return response?.ok ? ((await response.json()) as { pid: number }).pid : 0;
    };
    const { page, payment } = await open();
    await pay(page);
    const [events, pid] = [await provider.read(payment), await findPid()];
    expect(pid).not.toBe(process.pid);
    // A second process of the product on the same folder uses the same program.
    const second = await spawnPaymentSandbox({ ...options(), port: await freePort() });
    expect(second.port).toBe(port);
    process.kill(pid, 'SIGKILL');
    await expect.poll(findPid, { timeout: 30_000 }).not.toBe(0);
    expect(await provider.read(payment)).toEqual(events);
    await running.stop();
    await expect.poll(findPid, { timeout: 30_000 }).not.toBe(0);
    expect(await provider.read(payment)).toEqual(events);
    await second.stop();
    expect(await findPid()).toBe(0);
  });
});
