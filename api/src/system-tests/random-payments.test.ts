import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import { spawnPaymentSandbox } from '../sandbox/payments/spawn-payment-sandbox.ts';
import { payAtRandom } from '../testing/load/random-payments.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms, newDataDir } from '../testing/programs/running-program.ts';

afterAll(endPrograms);

/** The short form of `npm run trial -- payments`; another seed by PAYMENT_SEED. */
const seed = Number(process.env.PAYMENT_SEED ?? 20_261_125);

it(
  `random payments with faults add up at the product, the provider and its settlement, seed ${seed}`,
  { timeout: 240_000 },
  async () => {
    const data = await cloneProgramData();
    const database = data.open();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const [key, messageSecret] = ['the key of the product', 'the secret of messages'];
    const provider = await spawnPaymentSandbox({
      folder: join(await newDataDir(), 'provider'),
      host: '127.0.0.1',
      port,
      portalUrl: 'http://localhost:3000',
      key,
      messageSecret,
      lateMilliseconds: 300,
      slowMilliseconds: 1000,
    });
    const pidOfProvider = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/health`, { headers }).catch(() => undefined);
      return response?.ok ? ((await response.json()) as { pid: number }).pid : undefined;
    };
    try {
      const { problems, done, faults, line } = await payAtRandom({
        seed,
        payments: 9,
        workers: 8,
        users: 6,
        settings: data.settings,
        database,
        provider: {
          url,
          key,
          messageSecret,
          kill: async () => {
            process.kill((await pidOfProvider()) ?? 0, 'SIGKILL');
            while ((await pidOfProvider()) === undefined) await sleep(20);
          },
        },
        // The server is shared by all tests: its connections end, as when it is killed.
        killDatabase: async () => {
          await sql`
            select pg_terminate_backend(pid)
            from pg_stat_activity
            where datname = current_database()
              and pid <> pg_backend_pid()`.execute(database);
        },
        faultNames: ['program', 'database', 'provider'],
        faultEvery: 3,
        switchMilliseconds: 100,
        checkSeconds: 1,
      });
      expect(problems, line).toEqual([]);
      // A session continues when the program starts again, on another port.
      expect(done).toMatchObject({ believed: 0, signedOut: 0 });
      expect(done.chosen).toBeGreaterThan(0);
      expect(Object.keys(faults)).toEqual(['program', 'database', 'provider']);
    } finally {
      await database.destroy();
      await provider.stop();
      await endPrograms();
      await data.close();
    }
  },
);
