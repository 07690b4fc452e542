// Lists over the requests of a DATA_DIR that generate-requests.ts filled: npm run bench:requests --
// <DATA_DIR>. Measures each question inside the server's function and over HTTP; median and 95th
// percentile in milliseconds. Fails above 50 ms, and writes the plans to docs/query-plans.md.
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { login } from '@diwan/contract/people/users';
import {
  endPrograms,
  openDataDir,
  startProgram,
} from '../api/src/testing/programs/running-program.ts';
import { demoPassword } from '../api/src/seed/seed.ts';
import { askers, day, questions, type Asker, type Question } from './list-questions.ts';
import { openListBench } from './list-bench-app.ts';

const rounds = Number(process.env.ROUNDS ?? 40);
const mostMilliseconds = 50;
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('Which DATA_DIR? npm run bench:requests -- <DATA_DIR>');

function figures(times: number[]): [number, number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [
    sorted[Math.floor(sorted.length / 2)] as number,
    sorted[Math.floor(sorted.length * 0.95)] as number,
  ];
}

async function measure(run: () => Promise<unknown>): Promise<[number, number]> {
  for (let warm = 0; warm < 3; warm += 1) await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return figures(times);
}

const program = await startProgram({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  LOGIN_ATTEMPTS_PER_MINUTE: '1000',
  INQUIRIES_PER_MINUTE: '100000',
});
const agent = new Agent({ keepAlive: true });
const tokens = new Map<string, string>();

async function ask(username: string, path: string): Promise<string> {
  const known =
    tokens.get(username) ??
    (await program.call(login, { body: { username, password: demoPassword } })).body.token;
  tokens.set(username, known);
  return new Promise((resolve, reject) => {
    get(
      {
        agent,
        host: '127.0.0.1',
        port: program.port,
        path,
        headers: { authorization: `Bearer ${known}` },
      },
      (response) => {
        let body = '';
        response
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () =>
            response.statusCode === 200
              ? resolve(body)
              : reject(new Error(`${path}: ${response.statusCode} ${body.slice(0, 200)}`)),
          );
      },
    ).on('error', reject);
  });
}

const cell = ([median, p95]: [number, number]) =>
  `${median.toFixed(1).padStart(7)} ${p95.toFixed(1).padStart(7)}`;
const tooSlow: string[] = [];
const plans: string[] = [];
const measured: string[] = [];

function printRow(name: string, within: string, outside: string, found = ''): void {
  console.log(name.padEnd(58), within.padStart(15), outside.padStart(15), ` ${found}`);
  const columns = [within, outside].map((times) => times.trim().replace(/ +/, ' / '));
  measured.push(`| ${name} | ${columns.join(' | ')} | ${found} |`);
}

function checkLimit(name: string, times: readonly [number, number][]): void {
  if (times.some(([, p95]) => p95 > mostMilliseconds)) tooSlow.push(name);
}

try {
  await program.waitUntilReady();
  const database = openDataDir(dataDir);
  const inside = await openListBench(dataDir);
  const { size, words } = await inside.about();
  // Other load on the machine affects the result.
  const machine = [
    `${size} requests`,
    new Date().toISOString().slice(0, 16),
    `${availableParallelism()} of ${cpus().length} processors (${cpus()[0]?.model.trim()})`,
    `load ${loadavg()[0]?.toFixed(1)}`,
    `${rounds} rounds`,
  ].join(', ');
  console.log(
    `${machine}\n${''.padEnd(58)} ${'inside'.padStart(15)} ${'over HTTP'.padStart(15)}   median, p95 in ms; found`,
  );
  const one = async (asker: Asker, question: Question) => {
    const query = question.query(words);
    const path = `/api/Request/GetRequestsByStatusId?${new URLSearchParams(query)}`;
    const name = `${asker}: ${question.name}`;
    const within = await measure(() => inside.list(asker, query));
    const outside = await measure(() => ask(asker, path));
    const { totalCount, isTotalAtLeast } = JSON.parse(await ask(asker, path)) as {
      totalCount: number;
      isTotalAtLeast?: true;
    };
    checkLimit(name, [within, outside]);
    printRow(name, cell(within), cell(outside), `${totalCount}${isTotalAtLeast ? '+' : ''}`);
    if (asker === 'employee' || question.isPlanShown)
      plans.push(`## ${name}\n\n${await inside.plansOf(asker, query)}`);
  };
  // PostgreSQL has just started, so its own cache is empty; the cache of the operating system may
  // hold the files.
  for (const asker of askers) {
    await ask(asker, '/health/live');
    const start = performance.now();
    await ask(asker, '/api/Request/GetRequestsByStatusId?Take=20');
    const time = performance.now() - start;
    printRow(`${asker}: first page, the first after a start`, '', cell([time, time]));
  }
  printRow('an empty route', '', cell(await measure(() => ask('employee', '/health/live'))));
  for (const asker of askers)
    for (const question of questions)
      if (question.askers.includes(asker)) await one(asker, question);
  for (const [asker, path] of [
    ['employee', '/api/Request/GetRequestsCount'],
    ['supervisor', '/api/Request/GetRequestsCount'],
    ['employee', `/api/Request/GetRequestByRequestNoOrMobileNoV2?SearchKeyword=${words.phone}`],
    ['individual', '/api/Request/GetRequestByRequestNoOrMobileNoV2?SearchKeyword=0500000008'],
  ] as const) {
    const times = await measure(() => ask(asker, path));
    checkLimit(path, [times]);
    printRow(`${asker}: ${path.slice(13).split('?')[0]}`, '', cell(times));
  }
  // Fifty parallel clients, each with the next question as soon as it has a reply, beside an empty
  // route in the same minute.
  const {
    items: [latest],
  } = JSON.parse(await ask('employee', '/api/Request/GetRequestsByStatusId?Take=1')) as {
    items: { requestId: number }[];
  };
  for (const path of [
    '/health/live',
    '/api/Request/GetRequestsCount',
    `/api/Request/GetRequestById?RequestId=${latest?.requestId}`,
    '/api/Request/GetRequestsByStatusId?StatusId=3&Take=20',
    '/health/live',
  ]) {
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const start = performance.now();
          await ask('employee', path);
          times.push(performance.now() - start);
        }
      }),
    );
    printRow(`fifty at once: ${path.split('/').at(-1)?.split('?')[0]}`, '', cell(figures(times)));
  }
  for (const asker of ['admin', 'supervisor', 'company'] as const) {
    for (const [length, most] of [
      [30, 9],
      [366, 9],
    ] as const) {
      const times: number[] = [];
      for (let ago = 0; ago < most; ago += 1) {
        const start = performance.now();
        await ask(
          asker,
          `/api/Report/GetRequestFigures?${new URLSearchParams({ DateFrom: day(ago + length - 1), DateTo: day(ago) })}`,
        );
        times.push(performance.now() - start);
      }
      printRow(`${asker}: GetRequestFigures, ${length} days`, '', cell(figures(times)));
    }
  }
  await writeFile(
    new URL('../docs/query-plans.md', import.meta.url),
    `# Query plans

PostgreSQL's plans of lists over a million requests, written by \`npm run bench:requests\`. Each part of a
list walks an index in its order; then the rows of the page are read by their ids, which is left out here.
A second plan is that of the count. Decision 0026.

${machine} at the beginning, ${loadavg()[0]?.toFixed(1)} at the end. Median / 95th percentile in milliseconds.

| Question | Inside the handler | Over HTTP | Found |
|---|---|---|---|
${measured.join('\n')}

${plans.join('\n\n')}
`,
  );
  await inside.close();
  await database.destroy();
  agent.destroy();
  program.signal('SIGINT');
  await program.ended;
} finally {
  await endPrograms();
}
console.log(
  tooSlow.length === 0
    ? `every p95 within ${mostMilliseconds} ms`
    : `above ${mostMilliseconds} ms:\n  ${tooSlow.join('\n  ')}`,
);
process.exit(tooSlow.length === 0 ? 0 : 1);
