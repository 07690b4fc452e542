// The data folders of the benchmark. They are kept in `.data/bench-S` and `.data/bench-M` until the
// migrations or the seeded workflow change; each run works on a copy.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { root } from '../scripts/install.mjs';
import {
  newDataDir,
  openDataDir,
  startProgram,
} from '../api/src/testing/programs/running-program.ts';
import { fillRequests, step } from './generate-requests.ts';
import { resizeCatalogue } from './large-catalogue.ts';

export const sizes = {
  S: { services: 150, requests: 10_000 },
  M: { services: 10_000, requests: 1_000_000 },
} as const;
export type Size = keyof typeof sizes;

/** The people whose password the benchmark knows: `person-1` and so on, without a company. */
export const applicants = Array.from({ length: 64 }, (_, index) => index + 1)
  .filter((number) => number % 4 !== 0)
  .map((number) => `person-${number}`);

async function fill(dataDir: string, size: Size): Promise<void> {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  await program.waitUntilReady();
  const database = openDataDir(dataDir);
  await step('catalogue', () => resizeCatalogue(database, sizes[size].services));
  await step('everything', () => fillRequests(database, sizes[size].requests));
  await sql`
    update users
    set password_hash = (select password_hash from users where username = 'individual')
    where username = any(${applicants})
  `.execute(database);
  // Loaded by the next start; counts the statements.
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`.execute(database);
  await sql`create schema bench`.execute(database);
  await sql`create extension pg_stat_statements schema bench`.execute(database);
  await database.destroy();
  program.signal('SIGINT');
  await program.ended;
}

/** A hash of the names of the migrations and of the workflow that requests keep. */
function dataVersion(): string {
  const migrations = readdirSync(join(root, 'api/migrations')).toSorted();
  const workflow = readFileSync(join(root, 'api/seed/workflow.json'));
  return createHash('sha256').update(migrations.join()).update(workflow).digest('hex');
}

/** A new data folder of this size; `endPrograms` deletes it. */
export async function prepareData(size: Size): Promise<string> {
  const kept = process.env.BENCH_DATA ?? join(root, '.data', `bench-${size}`);
  const versionFile = `${kept}.version`;
  const version = dataVersion();
  if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
    rmSync(kept, { recursive: true, force: true });
    const unfinished = `${kept}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(dirname(kept), { recursive: true });
    await fill(unfinished, size);
    renameSync(unfinished, kept);
    writeFileSync(versionFile, version);
  }
  const dataDir = await newDataDir();
  execFileSync('cp', ['-a', '--reflink=auto', kept, dataDir]);
  return dataDir;
}
