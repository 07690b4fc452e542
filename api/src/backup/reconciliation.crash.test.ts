import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { startPaymentSandbox } from '#sandbox/payments/payment-sandbox.ts';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createPayment } from '@diwan/contract/requests/payments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import type { Database } from '../platform/database/database.ts';
import { demoPassword } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
  type ProgramData,
  type RunningProgram,
} from '../testing/programs/running-program.ts';
import { makeAnswers, uploadRequiredDocuments } from '../testing/requests/demo-request.ts';
import { paidService } from '../testing/requests/request-stage.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const [key, messageSecret] = ['the key of the product', 'the secret of messages'];
let source: ProgramData & { close(): Promise<void> };
let provider: FastifyInstance;
let folder: string;
let settings: Record<string, string>;
let lost: RunningProgram;

// The provider is outside: it keeps its books while the product is restored.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-reconciliation-'));
  const [port, productPort] = [await freePort(), await freePort()];
  provider = await startPaymentSandbox({
    folder: join(folder, 'provider'),
    host: '127.0.0.1',
    port,
    portalUrl: `http://localhost:${productPort}`,
    key,
    messageSecret,
  });
  settings = {
    PORT: String(productPort),
    PAYMENT_PROVIDER_URL: `http://127.0.0.1:${port}`,
    PAYMENT_PROVIDER_KEY: key,
    PAYMENT_PROVIDER_SECRET: messageSecret,
  };
  source = await cloneProgramData();
  lost = await startProgram({ ...source.settings, ...settings });
  await lost.waitUntilReady();
});
afterAll(async () => {
  await endPrograms();
  await source.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Runs a command of operators to its end. */
async function run(args: readonly string[], own: Record<string, string>): Promise<string> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, args, { env: { ...inherited, ...settings, ...own } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
  return output;
}

async function signIn(program: RunningProgram): Promise<string> {
  const body = { username: 'individual', password: demoPassword };
  return (await program.call(login, { body })).body.token;
}

async function send(program: RunningProgram, token: string) {
  const { body: found } = await program.call(getServiceIdByServiceName, {
    query: { serviceName: paidService },
  });
  const { body: service } = await program.call(getService, {
    query: { serviceId: found.serviceId },
  });
  const { status, body } = await program.call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: await uploadRequiredDocuments(program, token, service),
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    },
  });
  expect(status).toBe(200);
  return body;
}

const begin = async (program: RunningProgram, token: string, requestId: number) =>
  (await program.call(createPayment, { token, params: { requestId } })).body;

async function pay(paymentUrl: string): Promise<void> {
  const url = paymentUrl.replace(/^http:\/\/[^/]+/, settings.PAYMENT_PROVIDER_URL ?? '');
  const body = new URLSearchParams({ decision: 'paid', fault: 'none' });
  expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
}

const read = async (program: RunningProgram, token: string, requestId: number) =>
  (await program.call(getRequestById, { token, query: { RequestId: requestId } })).body;

const deliveries = async (database: Database) =>
  (await database.selectFrom('sandbox.messages').select(['recipient', 'subject']).execute()).length;
const numbersOf = async (database: Database) =>
  (await database.selectFrom('invoices').select('number').execute()).map(({ number }) => number);

it('what happened after a backup is asked, not sent again and not numbered again', async () => {
  const token = await signIn(lost);
  const begun = await send(lost, token);
  const page = await begin(lost, token, begun.requestId);
  const waits = await send(lost, token);
  const before = source.open();
  // The series of numbers have begun: the payments of the demo have their invoices.
  await vi.waitFor(
    async () => {
      const due = before.selectFrom('payments').select('id').where('status', '=', 'paid');
      expect(await due.where('invoiced_at', 'is', null).execute()).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
  const backup = join(folder, 'backup');
  await run(['scripts/backup.mjs', 'backup', backup], source.settings);

  // One payment was begun before the backup, one after it, and one request is lost altogether.
  const later = await begin(lost, token, waits.requestId);
  const gone = await send(lost, token);
  const ofGone = await begin(lost, token, gone.requestId);
  for (const { paymentUrl } of [page, later, ofGone]) await pay(paymentUrl);
  const paidReferences = [page, later, ofGone].map(({ merchantReference }) => merchantReference);
  // Their invoices are numbered, and people have heard of it.
  await vi.waitFor(
    async () => {
      const invoiced = await before
        .selectFrom('payments')
        .select('id')
        .where('merchant_reference', 'in', paidReferences)
        .where('invoiced_at', 'is not', null)
        .execute();
      expect(invoiced).toHaveLength(3);
      const waiting = await before
        .selectFrom('messages')
        .select('id')
        .where('state', '=', 'waiting')
        .where('request_id', 'in', [begun.requestId, waits.requestId, gone.requestId])
        .execute();
      expect(waiting).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
  const given = await numbersOf(before);
  await before.destroy();
  lost.signal('SIGKILL');
  await lost.ended;

  const restored = { DATA_DIR: await newDataDir() };
  const said = await run(['scripts/backup.mjs', 'restore', backup], restored);
  expect(said).toMatch(/INV-\d{4}: numbers \d+ to \d+ are not given again/);
  const program = await startProgram({ ...settings, ...restored });
  await program.waitUntilReady();
  const database = openDataDir(restored.DATA_DIR);
  const deliveredBefore = await deliveries(database);
  const again = await signIn(program);
  // Asked before the first caller.
  for (const { requestId } of [begun, waits]) {
    const { payments, history } = await read(program, again, requestId);
    expect(payments.map(({ status }) => status)).toEqual(['paid']);
    expect(history.filter(({ action }) => action === 'pay')).toHaveLength(1);
  }
  const cases = await database
    .selectFrom('payment_cases')
    .select(['kind', 'merchant_reference'])
    .execute();
  expect(cases).toEqual([
    { kind: 'unknownReference', merchant_reference: ofGone.merchantReference },
  ]);
  // They are notified once: what would notify them again waits for an administrator.
  const paused = await database
    .selectFrom('messages')
    .select('request_id')
    .where('state', '=', 'paused')
    .execute();
  for (const { requestId } of [begun, waits])
    expect(paused.some((row) => row.request_id === requestId)).toBe(true);
  expect(await deliveries(database)).toBe(deliveredBefore);
  // The invoices and receipts of the two payments have numbers that nobody has.
  const issued = await vi.waitFor(
    async () => {
      const rows = await database
        .selectFrom('invoices')
        .innerJoin('payments', 'payments.id', 'payment_id')
        .select('number')
        .where('merchant_reference', 'in', [page.merchantReference, later.merchantReference])
        .execute();
      expect(rows.length).toBeGreaterThanOrEqual(4);
      return rows;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(issued.filter(({ number }) => given.includes(number))).toEqual([]);
  await database.destroy();
  expect(await run(['scripts/diwan.mjs', 'check-integrity'], restored)).toContain('No problems');
  // The books of both sides agree about the two.
  const charged = await payPro({ url: settings.PAYMENT_PROVIDER_URL ?? '', key }).listCharged?.(
    new Date(0),
  );
  expect(charged).toHaveLength(3);
});
