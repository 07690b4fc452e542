// npm run bench -- --plans: the questions of docs/lab/query-plans.md over a million requests, inside the
// server's function and over HTTP; median and 95th percentile in milliseconds. Fails above 50 ms.
import { login } from '@diwan/contract/people/users';
import { demoPassword } from '../../api/src/seed/seed.ts';
import type { RunningProgram } from '../../api/src/testing/programs/running-program.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { openListBench } from './list-bench-app.ts';
import { askers, day, questions, type Asker, type Question } from './list-questions.ts';
import { machine, percentile, readDocument, writeDocument } from './report.ts';

const mostMilliseconds = 50;

type Times = [median: number, p95: number];

const timesOf = (values: readonly number[]): Times => [
  percentile(values, 0.5),
  percentile(values, 0.95),
];
const cell = (times: Times | undefined) =>
  times ? times.map((time) => time.toFixed(1)).join(' / ') : '';

async function measure(run: () => Promise<unknown>, rounds: number, warmUps = 3): Promise<Times> {
  for (let warm = 0; warm < warmUps; warm += 1) await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return timesOf(times);
}

/** Asks a running program for lists, as different people. */
function openAsker(program: RunningProgram) {
  const tokens = new Map<string, string>();
  const shared = new HttpConnection(program.port);
  return async (username: string, path: string, connection = shared): Promise<string> => {
    const token =
      tokens.get(username) ??
      (await program.call(login, { body: { username, password: demoPassword } })).body.token;
    tokens.set(username, token);
    const { status, body } = await connection.send(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 200)}`);
    return body.toString();
  };
}

/** Measures every question, writes docs/lab/query-plans.md and returns what took too long. */
export async function writeQueryPlans(
  program: RunningProgram,
  dataDir: string,
  rounds: number,
): Promise<string[]> {
  const about = machine();
  const ask = openAsker(program);
  const inside = await openListBench(dataDir);
  const { size, words } = await inside.about();
  const [tooSlow, plans, measured]: [string[], string[], string[]] = [[], [], []];
  const add = (name: string, within?: Times, outside?: Times, found = '') => {
    measured.push(`| ${name} | ${cell(within)} | ${cell(outside)} | ${found} |`);
    console.log(measured.at(-1));
  };
  const limit = (name: string, ...measured: Times[]) => {
    if (measured.some(([, p95]) => p95 > mostMilliseconds))
      tooSlow.push(`${name}: above ${mostMilliseconds} ms`);
  };
  const answer = async (asker: Asker, question: Question) => {
    const query = question.query(words);
    const path = `/api/Request/GetRequestsByStatusId?${new URLSearchParams(query)}`;
    const name = `${asker}: ${question.name}`;
    const within = await measure(() => inside.list(asker, query), rounds);
    const outside = await measure(() => ask(asker, path), rounds);
    const { totalCount, isTotalAtLeast } = JSON.parse(await ask(asker, path)) as {
      totalCount: number;
      isTotalAtLeast?: true;
    };
    limit(name, within, outside);
    add(name, within, outside, `${totalCount}${isTotalAtLeast ? '+' : ''}`);
    if (asker === 'employee' || question.isPlanShown)
      plans.push(`## ${name}\n\n${await inside.plansOf(asker, query)}`);
  };
  // PostgreSQL has just started, so its own cache is empty; the cache of the operating system may
  // hold the files.
  for (const asker of askers) {
    await ask(asker, '/health/live');
    const first = () => ask(asker, '/api/Request/GetRequestsByStatusId?Take=20');
    add(`${asker}: first page, the first after a start`, undefined, await measure(first, 1, 0));
  }
  for (const asker of askers)
    for (const question of questions)
      if (question.askers.includes(asker)) await answer(asker, question);
  for (const [asker, path] of [
    ['employee', '/api/Request/GetRequestsCount'],
    ['supervisor', '/api/Request/GetRequestsCount'],
    ['employee', `/api/Request/GetRequestByRequestNoOrMobileNoV2?SearchKeyword=${words.phone}`],
    ['individual', '/api/Request/GetRequestByRequestNoOrMobileNoV2?SearchKeyword=0500000008'],
  ] as const) {
    const name = `${asker}: ${path.slice(13).split('?')[0]}`;
    const outside = await measure(() => ask(asker, path), rounds);
    limit(name, outside);
    add(name, undefined, outside);
  }
  for (const asker of ['admin', 'supervisor', 'company'] as const)
    for (const length of [30, 366]) {
      let ago = 0;
      const figures = () => {
        const days = { DateFrom: day(ago + length - 1), DateTo: day(ago) };
        ago += 1;
        return ask(asker, `/api/Report/GetRequestFigures?${new URLSearchParams(days)}`);
      };
      add(`${asker}: GetRequestFigures, ${length} days`, undefined, await measure(figures, 9, 0));
    }
  await inside.close();
  // This section is written by hand.
  const [indexes = ''] =
    /^## Indexes of requests\n[\s\S]*?(?=\n\n## )/m.exec(readDocument('lab/query-plans.md')) ?? [];
  writeDocument(
    'lab/query-plans.md',
    `# Query plans

PostgreSQL's plans of lists over a million requests, written by \`npm run bench -- --plans\`. Each part of a
list walks an index in its order; then the rows of the page are read by their ids, which is left out here.
A second plan is that of the count. Decision 0026.

${size} requests, ${about}, ${rounds} rounds. Median / 95th percentile in milliseconds.

| Question | Inside the handler | Over HTTP | Found |
|---|---|---|---|
${measured.join('\n')}

${indexes}

${plans.join('\n\n')}
`,
  );
  return tooSlow;
}
