import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import { demoPassword } from '#seed/seed.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { login } from '@diwan/contract/people/users';

vi.setConfig({ testTimeout: 180_000 });
const folder = await mkdtemp(join(tmpdir(), 'diwan-planted-'));
afterAll(async () => {
  await endPrograms();
  await rm(folder, { recursive: true });
});

/** The command lines and environments of the processes of a group. */
function readProcesses(group: number): { lines: string; environments: string; count: number } {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const own = readdirSync('/proc').filter(
    // The fifth field is the group; the second one may hold spaces.
    (pid) => /^\d+$/.test(pid) && read(pid, 'stat').split(') ')[1]?.split(' ')[2] === String(group),
  );
  return {
    lines: own.map((pid) => read(pid, 'cmdline')).join('\n'),
    environments: own.map((pid) => read(pid, 'environ')).join('\n'),
    count: own.length,
  };
}

it('shows no secret in the list of processes, logs, errors, messages and metrics', async () => {
  const place = await cloneProgramData();
  const database = place.open();
  const word = () => `planted${randomBytes(12).toString('hex')}`;
  const key = () => randomBytes(32).toString('base64');
  const closed = await freePort();
  // Outside systems that refuse every connection: their errors go to logs and to the database.
  const words = { mail: word(), redis: word(), sms: word(), uaePass: word(), check: word() };
  const secrets: Record<string, string> = {
    DATABASE_URL: place.settings.DATABASE_URL ?? '',
    MIGRATIONS_DATABASE_URL: place.settings.MIGRATIONS_DATABASE_URL ?? '',
    SMTP_URL: `smtp://user:${words.mail}@127.0.0.1:${closed}`,
    REDIS_URL: `redis://user:${words.redis}@127.0.0.1:${closed}`,
    SMS_GATEWAY_KEY: words.sms,
    UAE_PASS_CLIENT_SECRET: words.uaePass,
    BOT_CHECK_SECRET: words.check,
    METRICS_TOKEN: word(),
    STRIPE_KEY: word(),
    STRIPE_SECRET: word(),
    REQUEST_LINK_KEY: key(),
    SECOND_FACTOR_KEY: key(),
    WEB_PUSH_KEY: key(),
  };
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries(secrets)) {
    files[`${name}_FILE`] = join(folder, name);
    await writeFile(join(folder, name), `${value}\n`, { mode: 0o600 });
  }
  const { DATABASE_URL: _server, MIGRATIONS_DATABASE_URL: _owner, ...settings } = place.settings;
  const program = await startProgram({
    ...settings,
    ...files,
    SMS_GATEWAY_URL: `http://127.0.0.1:${closed}`,
    UAE_PASS: 'staging',
    UAE_PASS_CLIENT_ID: 'portal',
    UAE_PASS_URL: `https://127.0.0.1:${closed}`,
    STRIPE_URL: `http://127.0.0.1:${closed}`,
    LOG_LEVEL: 'debug',
  });
  await program.waitUntilReady();
  const base = `http://127.0.0.1:${program.port}`;
  const token = secrets.METRICS_TOKEN ?? '';
  const answers = await Promise.all(
    [
      fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${token}` } }),
      fetch(`${base}/metrics?token=wrong`),
      fetch(`${base}/openapi.json`),
      fetch(`${base}/configuration.json`),
      fetch(`${base}/api/User/UeaPassInegration?code=a&state=b`),
      fetch(`${base}/`),
    ].map(async (answer) => (await answer).text()),
  );
  const { body } = await program.call(login, {
    body: { username: 'individual', password: demoPassword },
  });
  expect(body.token).toBeTruthy();
  // A message that cannot be sent has its error in the table.
  await sql`
    insert into messages (kind, channel, recipient, language, body)
    values ('requestSent', 'email', 'person@mail.example', 'en-US', 'text'),
      ('requestSent', 'sms', '+971501234567', 'en-US', 'text')
  `.execute(database);
  const failed = async () =>
    (
      await sql`
        select channel
        from messages
        where tries > 0 and fault_detail <> ''
        group by channel
      `.execute(database)
    ).rows.length;
  await expect.poll(failed, { timeout: 60_000 }).toBe(2);
  await program.waitUntil(() => /redis/i.test(program.output() + program.errorOutput()));
  const { lines, environments, count } = readProcesses(program.pid);
  expect(count).toBeGreaterThan(1);
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(messages::text, ' '), '') as text
    from messages
  `.execute(database);
  const places = {
    lines,
    environments,
    output: program.output() + program.errorOutput(),
    answers: answers.join('\n'),
    messages: rows[0]?.text ?? '',
  };
  const databaseWord = decodeURIComponent(new URL(secrets.DATABASE_URL ?? '').password);
  for (const [where, text] of Object.entries(places)) {
    for (const value of [...Object.values(secrets), ...Object.values(words), databaseWord])
      expect(text.includes(value), `${where} shows ${value}`).toBe(false);
  }
  program.signal('SIGTERM');
  await program.ended;
  await database.destroy();
  await place.close();
});

it('shows no password of a database or storage that refuses the start', async () => {
  const place = await cloneProgramData();
  const wrong = new URL(place.settings.DATABASE_URL ?? '');
  wrong.password = 'planted-wrong-word';
  const program = await startProgram({
    ...place.settings,
    DATABASE_URL: wrong.href,
    MIGRATIONS_DATABASE_URL: wrong.href,
    LOG_LEVEL: 'debug',
  });
  expect(await program.ended).toBe(1);
  expect(program.errorOutput()).toMatch(/^Setting MIGRATIONS_DATABASE_URL cannot be used: /);
  expect(program.output() + program.errorOutput()).not.toContain('planted-wrong-word');
  await place.close();
});
