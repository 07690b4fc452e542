import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import {
  endPrograms,
  findPostgres,
  newDataDir,
  startProgram,
  type RunningProgram,
} from './testing/programs/running-program.ts';
import {
  expectCompleteDemo,
  expectStopped,
  isReady,
  postgresOf,
} from './testing/programs/started-program.ts';

// The test starts the whole product many times, beside other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
afterAll(endPrograms);

it('a first start that is interrupted is completed by the next start, at whatever point it was interrupted', async () => {
  const dataDir = await newDataDir();
  // On a busy machine a moment may be missed. Then the start is interrupted at its end.
  const prints = (program: RunningProgram, text: string) =>
    program.waitUntil(() => program.output().includes(text) || program.output().includes('Ctrl-C'));
  const list = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  const moments: [string, NodeJS.Signals, (program: RunningProgram) => Promise<unknown>][] = [
    [
      'while the cluster is made',
      'SIGKILL',
      (program) =>
        program
          .waitUntil(() => list(dataDir).some((name) => /^postgres\.new-\w+\.password$/.test(name)))
          .then(() => sleep(200)),
    ],
    [
      'while the requests are simulated',
      'SIGKILL',
      (program) => program.waitUntil(() => list(join(dataDir, 'files')).length > 8),
    ],
    [
      'while the database starts again',
      'SIGINT',
      (program) => prints(program, 'Starting the database').then(() => sleep(50)),
    ],
  ];
  for (const [moment, signal, reach] of moments) {
    const program = await startProgram({ DATA_DIR: dataDir });
    await reach(program);
    program.signal(signal);
    expect([await program.ended, program.errorOutput()], moment).toEqual([
      signal === 'SIGINT' ? 0 : signal,
      '',
    ]);
    if (signal === 'SIGINT') expect(findPostgres(dataDir), moment).toBeUndefined();
  }
  const program = await startProgram({ DATA_DIR: dataDir });
  await program.waitUntilReady();
  expect(await isReady(program)).toBe(true);
  await expectCompleteDemo(dataDir);
  expect((await readdir(dataDir)).sort()).toEqual([
    'files',
    'payment-sandbox',
    'postgres',
    'postgres.log',
    'postgres.password',
  ]);
  await expectStopped(program, postgresOf(dataDir));
});
