import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { requestRefund } from '@diwan/contract/payments/events';
import { login } from '@diwan/contract/people/users';
import { checkRequestIsPaid, createPayment } from '@diwan/contract/requests/payments';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import { demoPassword } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '../testing/programs/running-program.ts';
import { insertDemoRequest } from '../testing/requests/demo-request.ts';
import type { TestApp } from '../testing/test-app.ts';

afterAll(endPrograms);

const allMoments = ['ready', 'sent', 'refunded', 'booked'] as const;
type Moment = (typeof allMoments)[number];

/** `REFUND_KILLS=all` kills at each step: each costs a start of the program. */
const moments: readonly Moment[] = process.env.REFUND_KILLS === 'all' ? allMoments : ['refunded'];

/**
 * A provider that makes each refund once for its key, during which the program can be killed. It
 * answers about a refund once `canAnswer` has resolved.
 */
async function openProvider(kill: (moment: Moment) => boolean, canAnswer: () => Promise<void>) {
  let charged = 0;
  const refunds = new Map<string, number>();
  const port = await freePort();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { amount } = JSON.parse(text || '{"amount":0}') as { amount: number };
      const reply = (value: unknown) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      const at = '2026-01-01T00:00:00.000Z';
      if (request.url?.endsWith('/events'))
        return reply([
          { id: 'charge', kind: 'paid', amount: charged, currency: 'AED', occurredAt: at },
        ]);
      if (!request.url?.endsWith('/refunds')) {
        charged = amount;
        return reply({ paymentUrl: `http://127.0.0.1:${port}/pay` });
      }
      const key = String(request.headers['idempotency-key']);
      if (kill('sent')) return response.destroy();
      refunds.set(key, amount);
      if (kill('refunded')) return response.destroy();
      return void canAnswer().then(() => reply({ state: 'succeeded', refundId: key.slice(-20) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}`, refunds, server };
}

it(
  'a refund is made once, though the program is killed in between',
  { timeout: 180_000 },
  async () => {
    const data = await cloneProgramData();
    const database = data.open();
    let killAt: Moment | undefined;
    let held = Promise.resolve();
    const provider = await openProvider(
      (moment) => {
        if (killAt !== moment) return false;
        killAt = undefined;
        program.signal('SIGKILL');
        return true;
      },
      () => held,
    );
    const start = async () => {
      const started = await startProgram({
        ...data.settings,
        PAYMENT_PROVIDER_URL: provider.url,
        PAYMENT_PROVIDER_KEY: 'the key of the product',
        PAYMENT_CHECK_SECONDS: '1',
        LOG_LEVEL: 'silent',
      });
      await started.waitUntilReady();
      return started;
    };
    let program = await start();
    const signIn = async (username: string) =>
      (await program.call(login, { body: { username, password: demoPassword } })).body.token;
    const asApp = { call: program.call, signIn } as unknown as TestApp;
    const { requestId, requestNumber } = await insertDemoRequest(asApp, 'individual');
    const token = await signIn('individual');
    await program.call(createPayment, { token, params: { requestId } });
    const query = { RequestNumber: requestNumber };
    expect((await program.call(checkRequestIsPaid, { query })).body.isPaid).toBe(true);
    await sql`update requests set refundable = total where id = ${requestId}`.execute(database);

    const selectStates = async () =>
      (await database.selectFrom('refunds').select('state').orderBy('id').execute()).map(
        ({ state }) => state,
      );
    for (const [index, moment] of moments.entries()) {
      killAt = moment;
      const ask = async () =>
        program.call(requestRefund, {
          token: await signIn('admin'),
          body: { requestId, amount: 100, refundedBefore: index * 100, note: 'Rejected' },
        });
      if (moment === 'booked')
        // The answer has arrived, and its transaction waits for the request.
        await inTransaction(database, async (transaction) => {
          let release: () => void = () => undefined;
          held = new Promise((resolve) => (release = resolve));
          await ask();
          await sql`select from requests where id = ${requestId} for update`.execute(transaction);
          release();
          await expect.poll(() => countLockWaits(database), { timeout: 30_000 }).toBeGreaterThan(0);
          program.signal('SIGKILL');
          await program.ended;
        });
      else await ask();
      if (moment === 'ready') program.signal('SIGKILL');
      await program.ended;
      program = await start();
      await sql`update refunds set next_attempt_at = now() where state = 'sent'`.execute(database);
      await expect
        .poll(selectStates, { timeout: 30_000 })
        .toEqual(Array.from({ length: index + 1 }, () => 'succeeded'));
    }
    expect([...provider.refunds.values()]).toEqual(moments.map(() => 100));
    const { refunded } = await database
      .selectFrom('requests')
      .select('refunded')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const { rows: booked } = await sql<{ reference: string }>`
      select reference
      from request_refunds
      where request_id = ${requestId}`.execute(database);
    expect([refunded, new Set(booked.map(({ reference }) => reference)).size]).toEqual([
      moments.length * 100,
      moments.length,
    ]);
    program.signal('SIGTERM');
    await program.ended;
    provider.server.close();
    await database.destroy();
    await data.close();
  },
);
