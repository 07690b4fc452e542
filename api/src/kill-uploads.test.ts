import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { getService, getServiceIdByServiceName } from '@diwan/contract/services';
import { login } from '@diwan/contract/users';
import { openDatabase } from './platform/database.ts';
import { demoPassword } from './seed.ts';
import { paidService } from './testing/request-stage.ts';
import { endPrograms, newDataDir, startProgram } from './testing/running-program.ts';
import { findHalves, largePdf, sendUntilGone } from './testing/upload-load.ts';

const name = `diwan_test_${randomBytes(6).toString('hex')}`;
afterAll(async () => {
  await endPrograms();
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

// Fifty times: npm run bench:uploads.
it('a crash in the middle of uploads leaves every acknowledged document whole, and no half of one', async () => {
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject('template')}`);
  await admin.end();
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${name}`;
  const dataDir = await newDataDir();
  const database = openDatabase(url.toString(), () => undefined);
  const settings = { DATABASE_URL: url.toString(), DATA_DIR: dataDir, SANDBOX: 'on', SEED: 'demo', LOG_LEVEL: 'error', LOGIN_ATTEMPTS_PER_MINUTE: '1000' };
  const content = largePdf(3_000_000);
  const acknowledged: string[] = [];
  for (const ms of [700, 1300]) {
    const program = await startProgram(settings);
    await program.ready();
    const { token } = (await program.call(login, { body: { username: 'individual', password: demoPassword } })).body;
    const { serviceId } = (await program.call(getServiceIdByServiceName, { query: { serviceName: paidService } })).body;
    const service = (await program.call(getService, { query: { serviceId } })).body;
    const sending = sendUntilGone(program, token, { serviceId, name: service.attachments.find(({ mediaTypes }) => mediaTypes.includes('application/pdf'))?.name ?? '' }, content);
    setTimeout(() => program.signal('SIGKILL'), ms);
    acknowledged.push(...(await sending));
    await program.ended;
    expect(await findHalves(database, dataDir, acknowledged, content)).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThan(2);
  await database.destroy();
});
