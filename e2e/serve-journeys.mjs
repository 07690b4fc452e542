// Serves the product for the journeys on a fresh data folder, or on a fresh database of the server
// of DATABASE_URL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { addEveryKind, addressOf } from './every-kind.mjs';
import { addPeople } from './journey-users.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diwan-journeys-'));
process.env.PORT = process.argv[2];
process.env.DATA_DIR = folder;
process.env.SANDBOX = 'on';
// `journeysPaymentsPort` in server.ts.
process.env.SANDBOX_PAYMENTS_PORT = String(Number(process.argv[2]) + 3);
process.env.SEED = 'demo';
// No journey depends on the hour at which it runs.
process.env.STAFF_DIGEST_HOUR = 'off';
// `journeysPushPort` in server.ts.
process.env.WEB_PUSH_SERVICES = `http://127.0.0.1:${Number(process.argv[2]) + 4}`;
process.env.LOGIN_ATTEMPTS_PER_MINUTE = '1000';
process.env.INQUIRIES_PER_MINUTE = '1000';
process.env.PAYMENT_CHECK_SECONDS = '2';
process.env.UNDO_SECONDS = '4';
// The origin of the second portal of a journey: `otherSitePort` in server.ts.
process.env.PORTAL_ORIGINS = `http://localhost:${Number(process.argv[2]) + 2}`;
if (process.env.DATABASE_URL) {
  const url = new URL(process.env.DATABASE_URL);
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  await client.query('drop database if exists diwan_journeys with (force)');
  await client.query('create database diwan_journeys');
  await client.end();
  url.pathname = '/diwan_journeys';
  process.env.DATABASE_URL = url.toString();
}
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// This import ends when the product stops.
const isReady = () =>
  fetch(`http://localhost:${process.argv[2]}/health/ready`).then(
    (reply) => reply.ok,
    () => false,
  );
void (async () => {
  while (!(await isReady())) await sleep(200);
  const address = process.env.DATABASE_URL ?? addressOf(folder);
  await addPeople(address);
  await addEveryKind(address);
})();
await import('../scripts/start.mjs');
