import { randomInt } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import { startPaymentSandbox } from '../sandbox/payments/payment-sandbox.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms } from '../testing/programs/running-program.ts';
import { payAtRandom } from '../testing/load/random-payments.ts';

afterAll(endPrograms);

// Ten thousand: npm run trial:payments.
it(
  'random payments with random faults charge nobody twice, and lose no charge',
  { timeout: 180_000 },
  async () => {
    const data = await cloneProgramData();
    const database = data.open();
    const port = await freePort();
    const provider = {
      url: `http://127.0.0.1:${port}`,
      key: 'the key of the product',
      messageSecret: 'the secret of messages',
    };
    const start = () =>
      startPaymentSandbox({
        ...provider,
        folder: `${data.dataDir}/provider`,
        host: '127.0.0.1',
        port,
        portalUrl: 'http://localhost:3000',
        lateMilliseconds: 500,
        slowMilliseconds: 300,
      });
    let sandbox = await start();
    const seed = randomInt(2 ** 31);
    const { problems, line, faults, done } = await payAtRandom({
      seed,
      payments: 60,
      workers: 8,
      users: 8,
      settings: data.settings,
      database,
      provider: {
        ...provider,
        kill: async () => {
          await sandbox.close();
          sandbox = await start();
        },
      },
      killDatabase: () =>
        sql`
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database()
            and pid <> pg_backend_pid()`
          .execute(database)
          .then(() => undefined),
      faultEvery: 8,
      switchMilliseconds: 500,
    });
    console.log(line);
    expect(problems, `seed ${seed}`).toEqual([]);
    expect(Object.keys(faults)).toEqual(['program', 'database', 'provider', 'slow', 'down']);
    expect(done.forged).toBeGreaterThan(0);
    await sandbox.close();
    await database.destroy();
    await data.close();
  },
);
