import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, it, vi } from 'vitest';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { bookDueAmount } from '#testing/requests/book-payment.ts';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createRequest } from '@diwan/contract/requests/request-actions';

const number = 'PF100000001';
const fine = { number, place: { ar: 'دبي', en: 'Dubai' }, on: '2026-01-02', amount: 15_000 };

/** A register that does not answer the first payment. */
async function openRegister() {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isPayment = request.url?.endsWith('/payments');
      if (isPayment) keys.push(request.headers['idempotency-key']);
      if (isPayment && keys.length === 1) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ fines: [fine] }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { keys, url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

afterAll(endPrograms);

it(
  'a register is notified with the same key when the program is killed while it waits for the answer',
  { timeout: 120_000 },
  async () => {
    const data = await cloneProgramData();
    const register = await openRegister();
    const start = async () => {
      const program = await startProgram({
        ...data.settings,
        LOG_LEVEL: 'silent',
        FINES_REGISTER_URL: register.url,
        FINES_REGISTER_KEY: 'a-key-of-the-register',
      });
      await program.waitUntilReady();
      return program;
    };
    const first = await start();
    const { token } = (
      await first.call(login, { body: { username: 'individual', password: demoPassword } })
    ).body;
    const { serviceId } = (
      await first.call(getServiceIdByServiceName, {
        query: { serviceName: 'pay-public-parking-fines' },
      })
    ).body;
    const sent = await first.call(createRequest, {
      token,
      body: {
        serviceId,
        attachmentIds: [],
        agreeToTermsAndConditions: true,
        answers: {
          applicantName: 'Sara',
          applicantMobile: '0501234567',
          applicantEmail: 'sara@example.com',
          applicantEmiratesId: '784-1990-1234567-6',
          plateEmirate: 'dubai',
          plateCode: 'B',
          plateNumber: '4123',
          fines: [number],
          payer: 'owner',
        },
      },
    });
    expect(sent.status).toBe(200);
    const database = data.open();
    await inTransaction(database, (transaction) => bookDueAmount(transaction, sent.body.requestId));
    await vi.waitFor(() => expect(register.keys).toHaveLength(1), { timeout: 20_000 });
    first.signal('SIGKILL');
    await first.ended;
    await database
      .updateTable('request_fines')
      .set({ due_at: new Date(0) })
      .execute();
    await start();
    await vi.waitFor(
      async () => {
        const [row] = await database.selectFrom('request_fines').selectAll().execute();
        expect(row?.settled_at).not.toBeNull();
      },
      { timeout: 30_000, interval: 200 },
    );
    const key = `${sent.body.requestNumber}:${number}`;
    expect(register.keys).toEqual([key, key]);
    await database.destroy();
    await endPrograms();
    register.close();
    await data.close();
  },
);
