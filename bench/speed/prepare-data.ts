// The data folders of the benchmark. They are stored in `.data/bench-S` and `.data/bench-M`; new
// migrations are run on them, and they are made again when the seeded workflow or an earlier migration
// changes. Each run works on a copy.
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
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { demoPasswordHash } from '../../api/src/testing/demo-password-hash.ts';
import {
  newDataDir,
  openDataDir,
  startProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { root } from '../../scripts/install.mjs';
import { fillRequests, step } from './generate-requests.ts';
import { resizeCatalogue } from './large-catalogue.ts';

export const sizes = {
  S: { services: 150, requests: 10_000 },
  M: { services: 10_000, requests: 1_000_000 },
} as const;
export type Size = keyof typeof sizes;

async function fill(dataDir: string, size: Size): Promise<void> {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  await program.waitUntilReady();
  const database = openDataDir(dataDir);
  await step('catalogue', () => resizeCatalogue(database, sizes[size].services));
  await step('everything', () => fillRequests(database, sizes[size].requests));
  // Loaded by the next start; counts the statements.
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`.execute(database);
  await sql`create schema bench`.execute(database);
  await sql`create extension pg_stat_statements schema bench`.execute(database);
  await database.destroy();
  program.signal('SIGINT');
  await program.ended;
}

/** What data were made with. */
interface DataVersion {
  /** A hash of the workflow that requests keep. */
  workflow: string;
  migrations: string[];
}

function currentVersion(): DataVersion {
  const workflow = readFileSync(join(root, 'api/seed/workflow.json'));
  return {
    workflow: createHash('sha256').update(workflow).digest('hex'),
    migrations: readdirSync(join(root, 'api/database/migrations'))
      .filter((name) => name.endsWith('.sql'))
      .toSorted(),
  };
}

/** Runs new migrations on stored data. */
async function migrate(dataDir: string): Promise<void> {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  await program.waitUntilReady();
  program.signal('SIGINT');
  await program.ended;
}

/** The folder with the stored data of a size, made or brought up to date when it has to be. */
export async function keepData(size: Size): Promise<string> {
  const kept = join(process.env.BENCH_DATA ?? join(root, '.data'), `bench-${size}`);
  const versionFile = `${kept}.version`;
  const current = currentVersion();
  const known = existsSync(versionFile)
    ? (JSON.parse(readFileSync(versionFile, 'utf8')) as DataVersion)
    : undefined;
  const isUsable =
    known?.workflow === current.workflow &&
    known.migrations.every((name, index) => name === current.migrations[index]);
  if (isUsable && known.migrations.length === current.migrations.length) return kept;
  if (isUsable) await migrate(kept);
  else {
    rmSync(versionFile, { force: true });
    rmSync(kept, { recursive: true, force: true });
    const unfinished = `${kept}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(dirname(kept), { recursive: true });
    await fill(unfinished, size);
    renameSync(unfinished, kept);
  }
  writeFileSync(versionFile, JSON.stringify(current));
  return kept;
}

/** A new data folder of this size; `endPrograms` deletes it. */
export async function prepareData(size: Size): Promise<string> {
  const kept = await keepData(size);
  const dataDir = await newDataDir();
  execFileSync('cp', ['-a', '--reflink=auto', kept, dataDir]);
  return dataDir;
}

/**
 * Adds people who send requests, and returns their usernames. Each call reads how many requests its
 * user has sent in a day: a few people would send hundreds.
 */
export async function addSenders(
  database: Database,
  count: number,
  name = 'sender',
): Promise<readonly string[]> {
  const { rows } = await sql<{ username: string }>`
    insert into users (username, password_hash, full_name, phone_number, email, roles)
    select ${name} || '-' || number, ${demoPasswordHash}, full_name, phone_number,
      ${name} || '-' || number || '@example.ae', roles
    from users, generate_series(1, ${count}::int) as number
    where username = 'individual'
    returning username
  `.execute(database);
  return rows.map(({ username }) => username);
}
