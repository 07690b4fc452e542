import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { getServices } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';
import type { Database } from '../platform/database/database.ts';
import { demoPassword } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import {
  endPrograms,
  startProgram,
  type RunningProgram,
} from '../testing/programs/running-program.ts';
import { addressThrough, openTcpProxy, type TcpProxy } from '../testing/programs/tcp-proxy.ts';

// The whole product with its database behind a proxy. All modes of the proxy under load:
// npm run trial -- database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const password = { password: demoPassword };
const lines = (program: RunningProgram) => program.errorOutput().trim().split('\n').filter(Boolean);

describe('the product', () => {
  let data: Awaited<ReturnType<typeof cloneProgramData>>;
  let proxy: TcpProxy;
  let program: RunningProgram;
  let database: Database;
  let employee: string;

  beforeAll(async () => {
    data = await cloneProgramData();
    const address = data.settings.DATABASE_URL ?? '';
    proxy = await openTcpProxy(address);
    program = await startProgram({
      ...data.settings,
      DATABASE_URL: addressThrough(proxy, address),
      DATABASE_CONNECTIONS: '4',
      DATABASE_QUERY_SECONDS: '3',
      DATABASE_STATEMENT_SECONDS: '2',
      DATABASE_IDLE_TRANSACTION_SECONDS: '3',
      LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    });
    await program.waitUntilReady();
    database = data.open();
    employee = await signIn();
  });
  afterAll(async () => {
    await database?.destroy();
    await endPrograms();
    await proxy?.close();
    await data?.close();
  });
  // Every test begins with a product that works and that has reported the end of the last outage.
  beforeEach(async () => {
    await proxy.setMode('pass');
    await expect.poll(readiness, { timeout: 60_000 }).toEqual([200, undefined]);
    await expect
      .poll(() => lines(program).at(-1) ?? 'available again', { timeout: 60_000 })
      .toContain('available again');
  });

  async function signIn(): Promise<string> {
    return (await program.call(login, { body: { username: 'employee', ...password } })).body.token;
  }

  async function readiness(): Promise<[number, string | undefined]> {
    const { status, body } = await program.call(getReadiness);
    return [status, (body as { reason?: string }).reason];
  }

  const readCounts = () => program.call(getRequestsCount, { token: employee });

  it.each(['reset'] as const)(
    'answers 503 with Retry-After while its database answers with %s, says why, and reports it once',
    async (mode) => {
      const before = lines(program).length;
      const logged = program.output();
      await proxy.setMode(mode);
      const answers = await Promise.all(Array.from({ length: 12 }, readCounts));
      for (const { status, refused, headers } of [
        ...answers,
        await program.call(login, { body: { username: 'employee', ...password } }),
      ])
        expect([status, refused.error, headers['retry-after']]).toEqual([503, 'ServerBusy', '3']);
      await expect.poll(readiness).toEqual([503, 'unreachable']);
      expect((await program.call(getLiveness)).status).toBe(200);
      expect((await program.call(getServices, { query: {} })).status).toBe(200);
      // The jobs of five seconds run too.
      await sleep(6000);
      expect(lines(program).slice(before)).toEqual([
        expect.stringMatching(/^Database unavailable: .*Calls are answered with 503\.$/),
      ]);
      expect(program.output().slice(logged.length)).toBe('');
      await proxy.setMode('pass');
      await expect.poll(async () => (await readCounts()).status).toBe(200);
      await expect.poll(() => lines(program).length, { timeout: 60_000 }).toBe(before + 2);
      expect(lines(program).at(-1)).toMatch(/^Database available again/);
    },
  );

  it('answers while the network to its database is silent, and serves again after it', async () => {
    const listeners = async () =>
      (
        await sql<{ pid: number }>`
          select pid
          from pg_stat_activity
          where datname = current_database()
            and application_name = 'diwan listener'`.execute(database)
      ).rows.map(({ pid }) => pid);
    const old = await listeners();
    expect(old).toHaveLength(1);
    await proxy.setMode('silence');
    const answers = await Promise.all(Array.from({ length: 12 }, readCounts));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    await expect.poll(readiness).toEqual([503, 'timeout']);
    await proxy.setMode('pass');
    await expect.poll(async () => (await readCounts()).status).toBe(200);
    // The silent connections stay silent: the product opened others, and another one to listen.
    await expect
      .poll(async () => (await listeners()).filter((pid) => !old.includes(pid)).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
  });

  it('names a database that accepts no changes', async () => {
    const name = new URL(data.settings.DATABASE_URL ?? '').pathname.slice(1);
    const setting = sql.raw(`alter database ${name} set default_transaction_read_only = on`);
    await setting.execute(database);
    try {
      // The setting is for new connections.
      await proxy.setMode('reset');
      await proxy.setMode('pass');
      await expect.poll(readiness).toEqual([503, 'readOnly']);
      const { status, refused } = await program.call(login, {
        body: { username: 'employee', ...password },
      });
      expect([status, refused.error]).toEqual([503, 'ServerBusy']);
    } finally {
      await sql
        .raw(
          `set default_transaction_read_only = off;
          alter database ${name} reset default_transaction_read_only`,
        )
        .execute(database);
      await proxy.setMode('reset');
    }
  });
});
