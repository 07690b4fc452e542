import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../config.ts';
import { openDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrations.ts';
import { grantTables } from '../platform/database/roles.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { seedRequests } from '../seed/seed-requests.ts';
import { seedDemo } from '../seed/seed.ts';
import { demoPasswordHash } from './demo-password-hash.ts';
import { buildServer } from './programs/running-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, and the migrated and seeded template database on it. */
    databaseServer: string;
    /** The same server as the role of the product, which owns nothing. */
    productServer: string;
    template: string;
    /** The password hashes of the seed, which the template replaces. */
    seededHashes: (string | null)[];
    /** The DATA_DIR with the documents of the template. */
    templateFiles: string;
  }
}

async function fillTemplate(
  server: string,
  productServer: string,
  template: string,
  folder: string,
): Promise<(string | null)[]> {
  const url = new URL(server);
  url.pathname = `/${template}`;
  const database = openDatabase(url.toString(), () => undefined);
  await migrate(database);
  if (productServer !== server) await grantTables(database, new URL(productServer).username);
  const config = readConfig({ DATA_DIR: join(folder, 'files'), SANDBOX: 'on', SEED: 'demo' });
  await seedDemo(database, config, () => undefined);
  await seedRequests(database, config, () => undefined);
  const users = await database.selectFrom('users').select('password_hash').execute();
  await database.updateTable('users').set({ password_hash: demoPasswordHash }).execute();
  await database.destroy();
  return users.map((user) => user.password_hash);
}

const memoryFolder = '/dev/shm';
/** Bytes. Nineteen files of tests filled 0.3 GB. */
const enoughMemory = 4 * 1024 ** 3;

/**
 * The parent folder of the data of PostgreSQL: in memory where Linux has enough. Opening and closing
 * fourteen test apps took 13.3 s of processor time there and 17.9 s on a disk.
 */
async function findParentFolder(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => undefined);
  return found && found.bavail * found.bsize >= enoughMemory ? memoryFolder : tmpdir();
}

/**
 * Runs once before all tests: a PostgreSQL server (that of DATABASE_URL, else an embedded one) with
 * a template database that test files clone.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Before the workers start: none of them builds it beside another.
  await buildServer();
  const folder = await mkdtemp(join(tmpdir(), 'diwan-test-'));
  const dataFolder = await mkdtemp(join(await findParentFolder(), 'diwan-test-data-'));
  const embedded = process.env.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres(join(dataFolder, 'data'));
  const server = process.env.DATABASE_URL ?? embedded?.connectionString ?? '';
  const productServer = embedded?.serverConnectionString ?? server;
  const template = `diwan_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  // The server is deleted after the run, so its data need not survive a crash of the machine.
  // main.test.ts starts its own servers.
  if (embedded)
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
      await admin.query(`alter system set ${setting} = off`);
  if (embedded) await admin.query('select pg_reload_conf()');
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  const stop = async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
    await embedded?.stop();
    for (const each of [folder, dataFolder]) await rm(each, { recursive: true, force: true });
  };
  try {
    const hashes = await fillTemplate(server, productServer, template, folder);
    project.provide('seededHashes', hashes);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('databaseServer', server);
  project.provide('productServer', productServer);
  project.provide('template', template);
  project.provide('templateFiles', join(folder, 'files'));
  return stop;
}
