// npm run test:cluster -- [--faults=name,name] [--times=number] [--seed=number] [--clients=number]: breaks
// the cluster in one way after the other under the load of clients, compares their answers with what
// was committed, and prints a table. Exit code 1 outside of the promises of docs/operations/cluster.md.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadAttachment } from '@diwan/contract/requests/attachments';
import { findRequestProblems } from '../../api/src/commands/find-integrity-problems.ts';
import { seededRandom } from '../../api/src/testing/load/payment-plans.ts';
import { addUsers } from '../../api/src/testing/load/random-payments.ts';
import { giveUp } from '../../scripts/install.mjs';
import { checkHistory, longestGap } from './check-history.ts';
import { Clients } from './clients.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { readCommitted, readCounts, withDatabase } from './committed.ts';
import { faults, type Fault } from './faults.ts';
import { openCaller, type Observed } from './portal-caller.ts';
import { tryRestore } from './restore.ts';

const option = (name: string, usual: number | string) =>
  process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
const names = String(option('faults', Object.keys(faults).join(','))).split(',');
// A restore breaks nothing: it has a table of its own, and runs only where it is named.
const restores = names.includes('restore');
const unknown = names.filter((name) => !faults[name] && name !== 'restore');
if (unknown.length > 0) giveUp(`Name one of: ${Object.keys(faults).join(', ')}, restore`);
const times = Number(option('times', 1));
const seed = Number(option('seed', randomInt(2 ** 31)));
const clientCount = Number(option('clients', 8));
const gigabytes = Number(option('gigabytes', 1));
/** How long a caller may wait for an answer, in seconds; a busy machine takes half a second more. */
const longestAnswer = 10.5;

/** What one round of a fault showed. */
interface Round {
  name: string;
  gap: number;
  slowest: number;
  acts: number;
  lost: number;
  doubled: number;
  errors: Map<string, number>;
  problems: string[];
}

// Of two members of staff at the same version, one is refused. A repeated upload of what has arrived is
// refused too: the client asks about it.
const isExpected = ({ status, call, error }: Observed) =>
  status === 200 ||
  ['VersionHasChanged', 'ActionNotAllowed', 'DraftHasChanged'].includes(error) ||
  (call === uploadAttachment.name && error === 'AttachmentNotFound');

function countErrors(observed: readonly Observed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of observed.filter((one) => !isExpected(one))) {
    const { status, call, error, hasRetryAfter } = each;
    const isPromised = status === 503 && hasRetryAfter;
    const name = isPromised ? '503' : `${status} of ${call} ${error}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

async function play(
  cluster: Cluster,
  { clients, users, random }: { clients: Clients; users: readonly string[]; random: () => number },
  [name, fault]: [string, Fault],
): Promise<Round> {
  clients.begin();
  const work = clients.run();
  await sleep(5000);
  const from = performance.now();
  const repair = await fault.begin(cluster, random);
  await sleep(fault.seconds * 1000);
  await repair();
  let problems: string[] = [];
  await cluster.untilWhole().catch((error: Error) => problems.push(error.message));
  await sleep(5000);
  const until = performance.now();
  clients.end();
  await work;
  const { acts, readings, observed } = clients;
  const gap = longestGap(acts, from, until);
  const [last] = observed.toSorted((one, other) => other.end - other.begin - (one.end - one.begin));
  const slowest = last ? (last.end - last.begin) / 1000 : 0;
  const verdict = await withDatabase(await cluster.databaseUrl(), async (database) => {
    problems = [...problems, ...(await findRequestProblems(database))];
    const committed = await readCommitted(database, users);
    return checkHistory({ acts, readings, committed, counts: await readCounts(database) });
  });
  const errors = countErrors(observed);
  const broken = [...errors.keys()].filter((each) => each !== '503');
  return {
    name,
    gap,
    slowest,
    acts: acts.filter(({ outcome }) => outcome === 'done').length,
    lost: verdict.lost.length,
    doubled: verdict.doubled.length,
    errors,
    problems: [
      ...problems,
      ...Object.values(verdict).flat(),
      ...(gap > fault.allowed ? [`no act for ${gap.toFixed(1)} s`] : []),
      ...(slowest > longestAnswer
        ? [`an answer of ${last?.call} took ${slowest.toFixed(1)} s`]
        : []),
      ...broken.map((each) => `${errors.get(each)} answers with ${each}`),
    ],
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** One line of the table, in Markdown. */
function lineOf(name: string, rounds: readonly Round[]): string {
  const errors = new Map<string, number>();
  for (const [status, count] of rounds.flatMap((round) => [...round.errors]))
    errors.set(status, (errors.get(status) ?? 0) + count);
  const longest = (values: readonly number[]) => Math.max(...values).toFixed(1);
  const cells = [
    faults[name]?.about,
    rounds.length,
    longest(rounds.map(({ gap }) => gap)),
    faults[name]?.allowed,
    longest(rounds.map(({ slowest }) => slowest)),
    sum(rounds.map(({ acts }) => acts)),
    sum(rounds.map(({ lost }) => lost)),
    sum(rounds.map(({ doubled }) => doubled)),
    [...errors].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none',
  ];
  return `| ${cells.join(' | ')} |`;
}

const random = seededRandom(seed);
console.log(`${names.join(', ')}; ${times} times, ${clientCount} clients, seed ${seed}`);
const cluster = await openCluster((line) => console.log(line));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.close().then(() => process.exit(130)));
const rounds: Round[] = [];
const failed: string[] = [];
try {
  const users = await withDatabase(await cluster.databaseUrl(), (database) =>
    addUsers(database, clientCount),
  );
  const open = (observe: (observed: Observed) => void) =>
    openCaller(cluster.portal, cluster.certificate, observe);
  const clients = new Clients(open, users, random);
  await clients.prepare();
  for (const name of names.filter((each) => faults[each]))
    for (let time = 1; time <= times; time += 1) {
      const fault = faults[name] as Fault;
      console.log(`${fault.about} (${time} of ${times}) …`);
      const round = await play(cluster, { clients, users, random }, [name, fault]);
      rounds.push(round);
      console.log(lineOf(name, [round]));
      for (const problem of round.problems.slice(0, 20)) console.error(`  ${problem}`);
    }
  if (restores) {
    const say = (line: string) => console.log(line);
    const { lines, problems } = await tryRestore(cluster, { clients, users }, { gigabytes, say });
    console.log(`\n| step of the restore | s |\n| --- | --: |\n${lines.join('\n')}`);
    for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
    if (problems.length > 0) failed.push('restore');
  }
} finally {
  await cluster.close();
}
if (rounds.length > 0)
  console.log(`
| fault | times | gap, s | allowed, s | slowest answer, s | acts | lost | doubled | errors by status |
| --- | --: | --: | --: | --: | --: | --: | --: | --- |`);
for (const name of names) {
  const own = rounds.filter((round) => round.name === name);
  if (own.length > 0) console.log(lineOf(name, own));
  if (own.some(({ problems }) => problems.length > 0)) failed.push(name);
}
console.log(
  failed.length === 0
    ? `Within the promises, seed ${seed}`
    : `Outside of the promises: ${failed.join(', ')}; seed ${seed}`,
);
process.exit(failed.length === 0 ? 0 : 1);
