import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../platform/database/database.ts';
import { newDataDir, type ProgramPlace } from './running-program.ts';

/**
 * A clone of the filled template of this run with its documents: a program is there in a second.
 * The server outlives the program, as it does when a program is killed.
 */
export async function clonedPlace(): Promise<ProgramPlace & { close(): Promise<void> }> {
  const name = `diwan_test_${randomBytes(6).toString('hex')}`;
  const ask = async (question: string) => {
    const admin = new pg.Client({ connectionString: inject('databaseServer') });
    await admin.connect();
    await admin.query(question);
    await admin.end();
  };
  await ask(`create database ${name} template ${inject('template')}`);
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${name}`;
  const dataDir = await newDataDir();
  await cp(inject('templateFiles'), dataDir, { recursive: true });
  return {
    settings: { DATABASE_URL: url.toString(), DATA_DIR: dataDir, SANDBOX: 'on', SEED: 'demo' },
    dataDir,
    open: () => openDatabase(url.toString(), () => undefined),
    close: () => ask(`drop database if exists ${name} with (force)`),
  };
}
