import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { login } from '@diwan/contract/people/users';
import { freePort } from './platform/embedded-postgres/free-port.ts';
import { demoAccounts } from './seed/demo-callers.ts';
import { demoPassword } from './seed/seed.ts';
import { killWhileActing } from './testing/load/kill-while-acting.ts';
import {
  endPrograms,
  findPostgres,
  isAlive,
  newDataDir,
  openDataDir,
  startProgram,
  type RunningProgram,
} from './testing/programs/running-program.ts';
import {
  expectCompleteDemo,
  expectGroupGone,
  expectStopped,
  isReady,
  postgresOf,
} from './testing/programs/started-program.ts';

// The tests start the whole product many times, beside other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
afterAll(endPrograms);

async function signIn(program: RunningProgram, username: string): Promise<string> {
  return (await program.call(login, { body: { username, password: demoPassword } })).body.token;
}

async function expectRefused(
  settings: Record<string, string>,
  line: RegExp,
  meanwhile: (program: RunningProgram) => Promise<void> = async () => undefined,
): Promise<void> {
  const program = await startProgram(settings);
  await meanwhile(program);
  expect([await program.ended, program.errorOutput()]).toEqual([1, expect.stringMatching(line)]);
  expect(program.errorOutput().trimEnd().split('\n')).toHaveLength(1);
  await expectGroupGone(program);
}

describe('the program', () => {
  let dataDir: string;
  let program: RunningProgram;

  beforeAll(async () => {
    dataDir = await newDataDir();
    program = await startProgram({ DATA_DIR: dataDir });
    await program.waitUntilReady();
  });

  it('serves after its first start, and prints its address and the demo accounts', async () => {
    expect(await isReady(program)).toBe(true);
    const openApi = (await (
      await fetch(`http://127.0.0.1:${program.port}/openapi.json`)
    ).json()) as { openapi: string; paths: object };
    expect(openApi.openapi).toMatch(/^3\.1/);
    expect(Object.keys(openApi.paths)).toContain('/api/Request/CreateRequest');
    expect(program.output()).toContain(`http://localhost:${program.port}`);
    expect(program.output()).toContain(demoPassword);
    const printed =
      program
        .output()
        .split('\n')
        .find((line) => line.includes('individual2')) ?? '';
    expect(printed.trim().split(/\s+/).sort()).toEqual(demoAccounts.toSorted());
    for (const username of demoAccounts)
      expect(await signIn(program, username), username).toEqual(expect.any(String));
    await expectCompleteDemo(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(program.output()).toContain(
      'Mode: sandbox on, demo accounts on, UAE PASS sandbox, only this machine can connect',
    );
  });

  it('ends a start with one line when a setting is wrong, and leaves nothing', async () => {
    const fresh = await newDataDir();
    const server = 'postgres://nobody:x@127.0.0.1';
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'abc' }, /\bPORT\b.*abc/],
      [{ DATABASE_URL: `${server}:${await freePort()}/none` }, /\bDATABASE_URL\b/],
      [{ PORT: String(program.port) }, /\bPORT\b/],
      [{ SANDBOX_PORT: String(program.port) }, /\bSANDBOX_PORT\b/],
      [{ HOST: '192.0.2.1' }, /\bHOST\b/],
      [{ SANDBOX_HOST: '192.0.2.1' }, /\bSANDBOX_HOST\b/],
      [{ DATA_DIR: '/dev/null/data' }, /\bDATA_DIR\b/],
    ];
    // The checks of single values are in config.test.ts. Two starts at a time, because there may be only
    // two processors.
    for (let index = 0; index < wrong.length; index += 2)
      await Promise.all(
        wrong
          .slice(index, index + 2)
          .map(([settings, line]) => expectRefused({ DATA_DIR: fresh, ...settings }, line)),
      );
    expect(findPostgres(fresh)).toBeUndefined();
  });

  it('refuses a second start on the same folder, and continues to serve', async () => {
    await expectRefused({ DATA_DIR: dataDir }, /\bDATA_DIR\b.*in use/);
    expect(await isReady(program)).toBe(true);
    await signIn(program, 'admin');
  });

  it('does not open accounts with the published password to others, unless SEED says so', async () => {
    const { port = 0 } = findPostgres(dataDir) ?? {};
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8');
    const url = `postgres://diwan:${password}@127.0.0.1:${port}/diwan`;
    const settings = { DATABASE_URL: url, DATA_DIR: await newDataDir(), HOST: '0.0.0.0' };
    await expectRefused(settings, /\bSEED\b.*published password.*admin/);
    // Without the sandbox the portal is in use, also on the local machine.
    const inUse = { HOST: '127.0.0.1', SANDBOX: 'off', SEED: 'none' };
    await expectRefused({ ...settings, ...inUse }, /\bSEED\b.*published password.*admin/);
    await expectRefused({ ...settings, SEED: 'demo' }, /\bSEED\b.*SANDBOX=on/);
    const open = await startProgram({ ...settings, SEED: 'demo', SANDBOX: 'on' });
    await open.waitUntilReady();
    expect(open.output()).toContain('WARNING: this is a demonstration that others can reach.');
    open.signal('SIGINT');
    expect(await open.ended).toBe(0);
  });

  it('stops everything that it started, also after two signals', async () => {
    const postgres = postgresOf(dataDir);
    // Two signals of the same kind at the same time would count as one.
    program.signal('SIGTERM');
    await expectStopped(program, postgres);
    expect(findPostgres(dataDir)).toBeUndefined();
  });

  it('leaves no database running when a start fails late', async () => {
    await expectRefused({ DATA_DIR: dataDir, WORKFLOW_FILE: '/nowhere.json' }, /\bWORKFLOW_FILE\b/);
    expect(findPostgres(dataDir)).toBeUndefined();
    const [port, otherServer] = [await freePort(), createServer()];
    await expectRefused({ DATA_DIR: dataDir, PORT: String(port) }, /\bPORT\b/, async (starting) => {
      await starting.waitUntil(() => starting.output().includes('Starting the database'));
      otherServer.listen(port, '127.0.0.1');
    }).finally(() => otherServer.close());
    expect(findPostgres(dataDir)).toBeUndefined();
  });

  // Fifty rounds: npm run trial -- kill-actions.
  it('loses no confirmed action and leaves none incomplete when it is killed; its database continues', async () => {
    const seen = new Set<number>();
    const open = () => {
      seen.add(postgresOf(dataDir));
      return openDataDir(dataDir);
    };
    const {
      problems,
      interrupted: cut,
      actions,
      output,
    } = await killWhileActing({ settings: { DATA_DIR: dataDir }, dataDir, open }, 2);
    expect(problems).toEqual([]);
    // Every kill interrupted actions, from all parts of the life of a request.
    expect(cut).toBe(2);
    expect(Object.keys(actions)).toEqual(expect.arrayContaining(['create', 'receive', 'approve']));
    expect(output).not.toMatch(/Seeded|Migrated/);
    // The same database server continues. A second one on the same folder would destroy the data.
    expect(seen.size).toBe(1);
    expect([...seen].filter(isAlive)).toEqual([]);
  });
});
