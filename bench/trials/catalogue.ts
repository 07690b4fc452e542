// Large changes of the catalogue: npm run trial -- catalogue. One process with SERVICES (5,000) services
// answers 50 calls of visitors a second while an admin changes all services together, cancels such
// a change, exports the catalogue, and imports, cancels and imports again a file of twice as many
// services, as JSON and as a workbook. Prints time, memory and how long visitors waited. Fails when a
// call of a visitor fails, when a cancelled job leaves a change, or when no progress was seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import * as transfer from '@diwan/contract/catalogue/transfer';
import { login } from '@diwan/contract/people/users';
import type { Database } from '../../api/src/platform/database/database.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  endPrograms,
  newDataDir,
  openDataDir,
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { openLoadGenerator } from '../load/load-generator.ts';
import { resizeCatalogue } from '../speed/large-catalogue.ts';
import { machine, percentile } from '../speed/report.ts';

const servicesCount = Number(process.env.SERVICES ?? 5000);
const perSecond = 50;

const megabytes = (pid: number, field: string): number =>
  Math.round(
    Number(
      new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(
        readFileSync(`/proc/${pid}/status`, 'utf8'),
      )?.[1],
    ) / 1024,
  );
const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const generator = openLoadGenerator();
const lines: string[] = [];

/** Does a part of the work under load of visitors and adds a line with its figures. */
async function measure<T>(
  { pid, port }: RunningProgram,
  name: string,
  work: () => Promise<{ result: T; found: string }>,
): Promise<T> {
  forgetPeak(pid);
  let isOver = false;
  const waits: number[] = [];
  const loading = (async () => {
    while (!isOver) {
      const results = await generator.run({
        port,
        seconds: 0.5,
        perSecond,
        calls: [
          { group: 'visitors', path: `${getServices.path}?PageSize=20`, isDistinct: true },
          { group: 'visitors', path: `${getService.path}?serviceId=2`, isDistinct: true },
        ],
      });
      for (const { served, refused, failed, reasons } of Object.values(results)) {
        waits.push(...served);
        if (refused.length > 0 || failed > 0)
          throw new Error(`visitors were refused: ${JSON.stringify(reasons)}`);
      }
    }
  })();
  const start = performance.now();
  const { result, found } = await work();
  const took = performance.now() - start;
  isOver = true;
  await loading;
  const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
  const memory = `${megabytes(pid, 'VmHWM')} MB`;
  const visitors = [p50, p99, Math.max(...waits)].map((wait) => wait.toFixed(0)).join(' / ');
  lines.push(`| ${name} | ${seconds(took)} | ${memory} | ${visitors} | ${found} |`);
  console.log(lines.at(-1));
  return result;
}

async function changeCatalogue(program: RunningProgram, database: Database): Promise<void> {
  const { call, port } = program;
  const body = { username: 'admin', password: demoPassword };
  const { token } = (await call(login, { body })).body;
  const checked = <T>({ status, body: reply }: { status: number; body: T }): T => {
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(reply).slice(0, 500)}`);
    return reply;
  };
  const changesCount = async () => {
    const counted = await database
      .selectFrom('changes')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return Number(counted.count);
  };
  const read = async (jobId: string) =>
    checked(await call(transfer.getCatalogueJob, { token, query: { jobId } }));
  const ready = (job: transfer.CatalogueJob) => {
    if (job.state !== 'ready') throw new Error(JSON.stringify(job.problems.slice(0, 3)));
    return { result: job.jobId, found: `${job.changesCount} changes` };
  };

  /** Runs a job as the page does; with `stopAt` it is cancelled at that share. */
  const run = async (jobId: string, stopAt = 2) => {
    checked(await call(transfer.runCatalogueJob, { token, body: { jobId } }));
    const shares = new Set<number>();
    let stopped = 0;
    for (;;) {
      const job = await read(jobId);
      if (job.state !== 'running') {
        if (job.state !== (stopped ? 'cancelled' : 'done')) throw new Error(`job: ${job.state}`);
        const after = stopped ? `, ended ${seconds(performance.now() - stopped)} later` : '';
        return { result: undefined, found: `${shares.size} steps of progress seen${after}` };
      }
      shares.add(job.done);
      if (!stopped && job.done / job.total >= stopAt) {
        checked(await call(transfer.cancelCatalogueJob, { token, body: { jobId } }));
        stopped = performance.now();
      }
      await sleep(100);
    }
  };
  const cancelled = async (name: string, jobId: string) => {
    const before = await changesCount();
    await measure(program, `${name}, cancelled at half`, () => run(jobId, 0.5));
    if ((await changesCount()) !== before) throw new Error('a cancelled job left a change');
  };

  const bulk = { all: {}, workingDays: 9, fee: { change: 'percent', value: 5 } } as const;
  const prepareBulk = async () =>
    ready(checked(await call(transfer.prepareBulkChange, { token, body: bulk })));
  await measure(program, 'nothing', async () => (await sleep(5000), { result: 0, found: '' }));
  const first = await measure(program, 'bulk change, preview', prepareBulk);
  await cancelled('bulk change', first);
  const second = await measure(program, 'bulk change, preview again', prepareBulk);
  await measure(program, 'bulk change', () => run(second));

  const fetchExport = async (Format: transfer.CatalogueFormat) => {
    const answer = await fetch(
      `http://127.0.0.1:${port}${transfer.exportCatalogue.path}?Format=${Format}`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    const content = Buffer.from(await answer.arrayBuffer());
    return { result: content, found: `${(content.length / 1e6).toFixed(1)} MB` };
  };
  const json = await measure(program, 'export, JSON', () => fetchExport('json'));
  await measure(program, 'export, XLSX', () => fetchExport('xlsx'));
  const file = JSON.parse(json.toString()) as CatalogueFile;
  const doubled = (offset: number) => ({
    ...file,
    services: [0, 1].flatMap((copy) =>
      file.services.map((service) => ({
        ...service,
        replacedName: `${service.replacedName}-copy-${offset + copy}`,
        isRetired: copy === 1,
      })),
    ),
  });
  const importFile = async (Format: transfer.CatalogueFormat, content: Buffer) => {
    const prepare = async () => {
      const query = { Format };
      return ready(
        checked(
          await call(transfer.prepareCatalogueImport, { token, query, body: content as never }),
        ),
      );
    };
    const size = `${(content.length / 1e6).toFixed(0)} MB of ${Format.toUpperCase()}`;
    const one = await measure(program, `import, preview of ${size}`, prepare);
    await cancelled(`import of ${Format.toUpperCase()}`, one);
    const other = await measure(program, `import, preview of ${size} again`, prepare);
    await measure(program, `import of ${Format.toUpperCase()}`, () => run(other));
  };
  await importFile('json', Buffer.from(JSON.stringify(doubled(0))));
  const { writeWorkbook } =
    await import('../../api/src/features/services/transfer/export.actions.ts');
  await importFile('xlsx', await writeWorkbook(doubled(2), 'en-US'));
}

const dataDir = await newDataDir();
try {
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const filling = await startProgram(settings);
  await filling.waitUntilReady();
  const opened = openDataDir(dataDir);
  await resizeCatalogue(opened, servicesCount);
  await opened.destroy();
  filling.signal('SIGINT');
  await filling.ended;
  const program = await startProgram(settings);
  await program.waitUntilReady();
  console.log(machine());
  const database = openDataDir(dataDir);
  await changeCatalogue(program, database);
  await database.destroy();
} finally {
  generator.close();
  await endPrograms();
}
