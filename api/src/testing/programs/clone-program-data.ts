import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '#platform/database/database.ts';
import { newDataDir, type ProgramData } from './running-program.ts';

/**
 * Clones the template of this run with its documents, so that a program starts in a second. The
 * database server outlives the program, also when the program is killed.
 */
export async function cloneProgramData(): Promise<ProgramData & { close(): Promise<void> }> {
  const name = `diwan_test_${randomBytes(6).toString('hex')}`;
  const query = async (question: string) => {
    const admin = new pg.Client({ connectionString: inject('databaseServer') });
    await admin.connect();
    await admin.query(question);
    await admin.end();
  };
  await query(`create database ${name} template ${inject('template')}`);
  const [ownerUrl, url] = (['databaseServer', 'productServer'] as const).map((key) => {
    const address = new URL(inject(key));
    address.pathname = `/${name}`;
    return address.toString();
  }) as [string, string];
  const dataDir = await newDataDir();
  await cp(inject('templateFiles'), dataDir, { recursive: true });
  return {
    settings: {
      DATABASE_URL: url,
      MIGRATIONS_DATABASE_URL: ownerUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'on',
      SEED: 'demo',
      // On a busy machine calls wait longer than the server lets people wait.
      CALL_WAIT_MS: '20000',
    },
    dataDir,
    open: () => openDatabase(ownerUrl, () => undefined),
    close: () => query(`drop database if exists ${name} with (force)`),
  };
}
