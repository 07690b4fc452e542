import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { smallPng } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';

const app = useTestApp({ DATABASE_CONNECTIONS: '2', DATABASE_CONNECT_SECONDS: '3' });
afterEach(() => vi.restoreAllMocks());

it('fails the liveness check when calls have held all connections for a minute', async () => {
  const token = await app.signIn('employee');
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let held = 0;
  const holding = [1, 2].map(() =>
    app.serverDatabase.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      held += 1;
      await ended;
    }),
  );
  await expect.poll(() => held).toBe(2);
  const busy = await app.call(getRequestsCount, { token });
  expect([busy.status, busy.refused.error]).toEqual([503, 'ServerBusy']);
  expect((await app.call(getLiveness)).status).toBe(200);

  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 61_000);
  const stuck = await app.call(getLiveness);
  expect([stuck.status, stuck.body]).toEqual([
    503,
    { status: 'unavailable', reason: 'noFreeConnection' },
  ]);
  clock.mockRestore();
  const ready = await app.call(getReadiness);
  expect([ready.status, ready.body]).toEqual([
    503,
    { status: 'unavailable', reason: 'noFreeConnection' },
  ]);

  end();
  await Promise.all(holding);
  expect((await app.call(getLiveness)).status).toBe(200);
  expect((await app.call(getReadiness)).status).toBe(200);
});

it('is not ready while documents have no disk space, and refuses them for now', async () => {
  const token = await app.signIn('individual');
  const { body: found } = await app.call(getServiceIdByServiceName, {
    query: { serviceName: 'renew-driving-licence' },
  });
  const { body: announced } = await app.call(createAttachment, {
    token,
    body: {
      serviceId: found.serviceId,
      name: 'identityCard',
      fileName: 'card.png',
      mediaType: 'image/png',
      size: smallPng.length,
    },
  });
  const handle = await open(import.meta.filename);
  vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
  );
  await handle.close();
  const sent = await app.call(uploadAttachment, {
    token,
    params: { attachmentId: announced.attachmentId },
    body: smallPng,
  });
  expect([sent.status, sent.refused.error]).toEqual([503, 'ServerBusy']);
  expect(sent.headers['retry-after']).toBe('3');

  // A file instead of the folder, in which the test of the space can write nothing.
  const incoming = join(app.config.DATA_DIR, 'files', 'incoming');
  await rm(incoming, { recursive: true });
  await writeFile(incoming, '');
  const ready = await app.call(getReadiness);
  expect([ready.status, ready.body]).toEqual([
    503,
    { status: 'unavailable', reason: 'noResources' },
  ]);
  await rm(incoming);
  await expect.poll(async () => (await app.call(getReadiness)).status, { timeout: 5000 }).toBe(200);
});
