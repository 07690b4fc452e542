import { expect } from 'vitest';
import { readSeedFiles } from '#seed/seed-files.ts';
import { demoProviders } from '#seed/seed-providers.ts';
import { readDemoRequests } from '#seed/seed-request-files.ts';
import { getReadiness } from '@diwan/contract/wire/health';
import { findInconsistencies } from '../load/consistency.ts';
import { findPostgres, isAlive, openDataDir, type RunningProgram } from './running-program.ts';

/** Whether the program answers that it is ready. */
export async function isReady(program: RunningProgram): Promise<boolean> {
  return (await program.call(getReadiness)).status === 200;
}

/** The process of the PostgreSQL that runs on a DATA_DIR. */
export function postgresOf(dataDir: string): number {
  const running = findPostgres(dataDir);
  if (!running || !isAlive(running.pid)) throw new Error('no PostgreSQL runs there');
  return running.pid;
}

/** The last process of the group may end after its parent. */
export async function expectGroupGone(program: RunningProgram): Promise<void> {
  await expect.poll(() => isAlive(-program.pid)).toBe(false);
}

/** Stops a program with its PostgreSQL. */
export async function expectStopped(program: RunningProgram, postgres: number): Promise<void> {
  program.signal('SIGINT');
  expect([await program.ended, program.errorOutput()]).toEqual([0, '']);
  expect(isAlive(postgres)).toBe(false);
  await expectGroupGone(program);
}

/** Expects all seeded data in the database of a DATA_DIR. */
export async function expectCompleteDemo(dataDir: string): Promise<void> {
  const { services, agencies, categories, people, rejectionReasons } = await readSeedFiles();
  const { requests } = await readDemoRequests();
  const database = openDataDir(dataDir);
  const count = async (
    table:
      | 'services'
      | 'agencies'
      | 'categories'
      | 'users'
      | 'rejection_reasons'
      | 'requests'
      | 'request_history',
  ) =>
    Number(
      (
        await database
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );
  expect({
    services: await count('services'),
    agencies: await count('agencies'),
    categories: await count('categories'),
    users: await count('users'),
    reasons: await count('rejection_reasons'),
  }).toEqual({
    services: services.length,
    agencies: agencies.length,
    categories: categories.length,
    users: people.accounts.length + demoProviders.length,
    reasons: rejectionReasons.length,
  });
  expect({ requests: await count('requests'), steps: await count('request_history') }).toEqual({
    requests: requests.length,
    steps: requests.length + requests.flatMap(({ steps }) => steps).length,
  });
  expect(await findInconsistencies(database, dataDir)).toEqual([]);
  await database.destroy();
}
