import { afterEach, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { useTestApp } from '#testing/test-app.ts';
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
