// Uploads as browsers send them: npm run bench -- uploads. 100 documents of 20 MB at the same time,
// with the server's memory compared to idle; then the server is killed 50 times during uploads, and
// no acknowledged document may be missing or incomplete. ROUNDS and UPLOADS change the numbers.
import { readFileSync } from 'node:fs';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { sql } from '../api/src/platform/database/sql.ts';
import { demoPassword } from '../api/src/seed/seed.ts';
import {
  findUploadProblems,
  largePdf,
  withRetries,
  sendInBlocks,
  sendUntilKilled,
  type UploadTarget,
} from '../api/src/testing/load/upload-load.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
  type RunningProgram,
} from '../api/src/testing/programs/running-program.ts';

const uploads = Number(process.env.UPLOADS ?? 100);
const rounds = Number(process.env.ROUNDS ?? 50);
const maximumMegabytes = 300;
const megabyte = 1024 * 1024;
const serviceName = 'register-renew-tenancy-contract';

const dataDir = await newDataDir();
const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error', LOGIN_ATTEMPTS_PER_MINUTE: '1000' };
const memoryOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function open(): Promise<{ program: RunningProgram; token: string; target: UploadTarget }> {
  const program = await startProgram(settings);
  await program.waitUntilReady();
  const { token } = (
    await program.call(login, { body: { username: 'individual', password: demoPassword } })
  ).body;
  const { serviceId } = (await program.call(getServiceIdByServiceName, { query: { serviceName } }))
    .body;
  const { attachments } = (await program.call(getService, { query: { serviceId } })).body;
  return { program, token, target: { serviceId, name: attachments[0]?.name ?? '' } };
}

async function allowLarge(): Promise<void> {
  const { program } = await open();
  const database = openDataDir(dataDir);
  await sql`
    update services
    set attachments = jsonb_set(
      attachments, '{0,maximumBytes}', ${String(25 * megabyte)}::jsonb
    )
    where replaced_name = ${serviceName}
  `.execute(database);
  await database.destroy();
  program.signal('SIGINT');
  await program.ended;
}

async function measureMemory(): Promise<boolean> {
  const { program, token, target } = await open();
  await pause(3000);
  const atRest = memoryOf(program.pid);
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, memoryOf(program.pid));
  }, 50);
  const content = largePdf(20 * megabyte - 200);
  const began = Date.now();
  const retries = new Map<string, number>();
  const retry = withRetries((reason) => retries.set(reason, (retries.get(reason) ?? 0) + 1));
  const done = await Promise.allSettled(
    Array.from({ length: uploads }, () => sendInBlocks({ program, token, target, content }, retry)),
  );
  const seconds = (Date.now() - began) / 1000;
  clearInterval(watch);
  const arrived = done.filter(({ status }) => status === 'fulfilled').length;
  const database = openDataDir(dataDir);
  const acknowledged = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const uploadProblems = await findUploadProblems(database, { dataDir, acknowledged, content });
  await sql`delete from attachments where file_name = 'load.pdf'`.execute(database);
  await database.destroy();
  console.log(
    `${uploads} parallel uploads of 20 MB: ${arrived} arrived in ${seconds.toFixed(1)} s; ` +
      `the idle server ${atRest.toFixed(0)} MB, ` +
      `at most ${highest.toFixed(0)} MB (limit ${maximumMegabytes} MB)`,
  );
  for (const { reason } of done.filter((each) => each.status === 'rejected').slice(0, 3))
    console.error(String(reason), (reason as Error).cause ?? '');
  for (const [reason, times] of retries) console.log(`retried ${times} times: ${reason}`);
  for (const problem of uploadProblems) console.error(problem);
  program.signal('SIGINT');
  await program.ended;
  return arrived === uploads && uploadProblems.length === 0 && highest < maximumMegabytes;
}

async function killRepeatedly(): Promise<boolean> {
  const content = largePdf(3 * megabyte);
  const acknowledged: string[] = [];
  const problems: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { program, token, target } = await open();
    const database = openDataDir(dataDir);
    // The limit by hour does not allow that many.
    await sql`update attachments set created_at = now() - interval '2 hours'`.execute(database);
    await database.destroy();
    const sending = sendUntilKilled({ program, token, target, content });
    setTimeout(() => program.signal('SIGKILL'), 200 + Math.random() * 1500);
    acknowledged.push(...(await sending));
    await program.ended;
  }
  const { program } = await open();
  const database = openDataDir(dataDir);
  problems.push(...(await findUploadProblems(database, { dataDir, acknowledged, content })));
  await database.destroy();
  console.log(
    `killed ${rounds} times during uploads: ${acknowledged.length} acknowledged, ` +
      `${problems.length} missing or incomplete`,
  );
  for (const problem of problems) console.error(problem);
  program.signal('SIGINT');
  await program.ended;
  return problems.length === 0 && acknowledged.length > 0;
}

try {
  await allowLarge();
  const isFlat = uploads === 0 || (await measureMemory());
  const isWhole = rounds === 0 || (await killRepeatedly());
  process.exitCode = isFlat && isWhole ? 0 : 1;
} finally {
  await endPrograms();
}
