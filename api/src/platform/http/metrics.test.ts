import { expect, it } from 'vitest';
import { createPayment } from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { insertDemoRequest } from '../../testing/requests/demo-request.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp();

const read = async () => (await app.server.inject('/metrics')).body;

it('reports the process, calls by template and status, and pending payments', async () => {
  const token = await app.signIn('individual');
  const pendingIn = (text: string) => Number(/^diwan_pending_payments (\d+)$/m.exec(text)?.[1]);
  const before = pendingIn(await read());
  const { requestId } = await insertDemoRequest(app, 'individual');
  await app.call(createPayment, { token, params: { requestId } });
  await app.call(getRequestById, { token, query: { RequestId: 999_999 } });
  const text = await read();
  expect(text).toContain('process_resident_memory_bytes');
  expect(text).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/Request\/GetRequestById",status="404"\} 1/,
  );
  expect(pendingIn(text)).toBe(before + 1);
});

it('reports how many documents wait for the scanner', async () => {
  const waiting = async () =>
    Number(/^diwan_documents_waiting_for_scan (\d+)$/m.exec(await read())?.[1]);
  expect(await waiting()).toBe(0);
  const { requestId } = await insertDemoRequest(app, 'individual');
  const held = await app.database
    .updateTable('attachments')
    .set({ scan_state: 'waiting' })
    .where('request_id', '=', requestId)
    .returning('id')
    .execute();
  expect(held.length).toBeGreaterThan(0);
  expect(await waiting()).toBe(held.length);
});

it('replies without a database', async () => {
  await app.database.schema.alterTable('payments').renameTo('hidden').execute();
  const answer = await app.server.inject('/metrics');
  await app.database.schema.alterTable('hidden').renameTo('payments').execute();
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('diwan_pending_payments Nan');
});

it('contains nothing that callers send', async () => {
  await app.server.inject('/api/Request/ReceiveRequest4711?token=secret');
  await app.server.inject('/some/secret/address?code=secret');
  const text = await read();
  // Without the values, which may contain any digits.
  expect(text.replace(/ [\d.e+-]+$/gm, '')).not.toMatch(/secret|4711/);
  expect(text).toContain('route="none"');
});
