import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { openTestApp, useTestApp, type TestApp } from '#testing/test-app.ts';
import { createPayment } from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { freePort } from '../embedded-postgres/free-port.ts';

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

it('measures statements, connections and the answers of other systems, and says what works', async () => {
  const statements = (text: string) =>
    Number(/^diwan_database_statement_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
  const before = statements(await read());
  const token = await app.signIn('individual');
  const { requestId } = await insertDemoRequest(app, 'individual');
  await app.call(createPayment, { token, params: { requestId } });
  const text = await read();
  expect(statements(text)).toBeGreaterThan(before + 5);
  expect(text).toMatch(/^diwan_database_connections\{state="idle"\} \d+$/m);
  expect(text).toContain(
    `diwan_outside_call_duration_seconds_count{origin="${app.paymentsUrl}",outcome="answer"}`,
  );
  expect(text).toContain('diwan_part_state{part="payments"} 0');
});

it('has every metric that the alerts and the dashboards of deploy/ name', async () => {
  const names = (text: string) => [
    ...new Set([...text.matchAll(/\b(?:diwan|http|process|nodejs)_[a-z\d_]+/g)].map(String)),
  ];
  const root = join(import.meta.dirname, '../../../..');
  const dashboards = await readdir(join(root, 'deploy/monitoring'));
  expect(dashboards.length).toBeGreaterThan(1);
  const shown = await Promise.all(
    dashboards.map(async (file) => {
      const text = await readFile(join(root, 'deploy/monitoring', file), 'utf8');
      const { panels } = JSON.parse(text) as {
        panels: { type: string; title: string; targets?: { expr: string }[] }[];
      };
      for (const { type, title, targets = [] } of panels)
        if (type !== 'row') expect(targets.length, title).toBeGreaterThan(0);
      return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
    }),
  );
  const rules = await readFile(join(root, 'deploy/prometheus/rules.yml'), 'utf8');
  const token = await app.signIn('individual');
  const { requestId } = await insertDemoRequest(app, 'individual');
  await app.call(createPayment, { token, params: { requestId } });
  const exported = names(await read());
  const wanted = names([...shown, rules.replace(/#.*/g, '')].join('\n'));
  expect(wanted.length).toBeGreaterThan(15);
  expect(wanted.filter((name) => !exported.includes(name))).toEqual([]);
});

it('contains nothing that callers send', async () => {
  await app.server.inject('/api/Request/ReceiveRequest4711?token=secret');
  await app.server.inject('/some/secret/address?code=secret');
  const text = await read();
  // Without the values, which may contain any digits.
  expect(text.replace(/ [\d.e+-]+$/gm, '')).not.toMatch(/secret|4711/);
  expect(text).toContain('route="none"');
});

describe('strangers', () => {
  const token = 'prometheus-of-the-ministry';
  const statusOf = async (at: TestApp, authorization?: string) =>
    (
      await at.server.inject({
        url: '/metrics',
        headers: { ...(authorization && { authorization }) },
      })
    ).statusCode;

  it('get nothing where they can connect', async () => {
    const open = await openTestApp({ PUBLIC_URL: 'https://diwan.example' });
    expect(await statusOf(open)).toBe(404);
    await open.close();
  });

  it('need the token where there is one', async () => {
    const guarded = await openTestApp({
      PUBLIC_URL: 'https://diwan.example',
      METRICS_TOKEN: token,
    });
    const given = [undefined, 'Bearer', `Bearer ${token}x`, `Basic ${token}`, `Bearer ${token}`];
    const statuses: number[] = [];
    for (const each of given) statuses.push(await statusOf(guarded, each));
    expect(statuses).toEqual([401, 401, 401, 401, 200]);
    await guarded.close();
  });

  it('take the former token too while a new one replaces it', async () => {
    const next = `${token}-next`;
    const changing = await openTestApp({ METRICS_TOKEN: `${next},${token}` });
    const statuses: number[] = [];
    for (const each of [token, next, `${next},${token}`])
      statuses.push(await statusOf(changing, `Bearer ${each}`));
    expect(statuses).toEqual([200, 200, 401]);
    await changing.close();
  });

  it('do not reach a separate port, which closes with the server', async () => {
    const port = await freePort();
    const separate = await openTestApp({ METRICS_PORT: String(port), METRICS_TOKEN: token });
    await separate.server.ready();
    expect(await statusOf(separate, `Bearer ${token}`)).toBe(404);
    const fetchOwn = (path: string, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    expect((await fetchOwn('/metrics')).status).toBe(401);
    const answer = await fetchOwn('/metrics', { authorization: `Bearer ${token}` });
    expect(await answer.text()).toContain('diwan_pending_payments');
    expect((await fetchOwn('/health/live')).status).toBe(404);
    await separate.close();
    await expect(fetchOwn('/metrics')).rejects.toThrow('fetch failed');
  });
});
