import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import * as calls from '@diwan/contract/requests/request-actions';
import { getAllStatuses, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import type { BodyInputOf, Call } from '@diwan/contract/wire/call';
import {
  LiveClient,
  type Fault,
  type Place,
  type Shown,
  type Watcher,
} from '../testing/load/live-client.ts';
import {
  endPrograms,
  startProgram,
  type RunningProgram,
} from '../testing/programs/running-program.ts';
import { openRedis, type RunningRedis } from '../testing/programs/running-redis.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '../testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';

// Random people act on random requests over two processes, while connections are cut, one process is
// killed and started again, both lose their connection to the database, and notifications are lost.
// The same seed makes the same choices. Longer, and over Redis: npm run trial -- live.
const steps = Number(process.env.LIVE_STEPS ?? 16);
const seed = Number(process.env.LIVE_SEED ?? Date.now() % 100_000);
const isLong = process.env.LIVE_STEPS !== undefined;

let app: TestApp;
let redis: RunningRedis | undefined;
let own: Place;
/** The processes that are alive. */
let places: readonly Place[];
let program: RunningProgram | undefined;
let starting: Promise<void> | undefined;
let settings: Record<string, string>;
let statuses: Map<string, { statusId: number; countsAs?: string }[]>;
/** How long clients took to show what the database has, in milliseconds. */
const delays: number[] = [];
// Only a busy machine needs more than the second that is promised.
const waiting = { timeout: 20_000, interval: 10 };

let state = seed;
/** A number below `limit`: the same for the same seed. */
function random(limit: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * limit);
}
const choose = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

const placeOf = (each: RunningProgram): Place => ({
  base: `http://127.0.0.1:${each.port}`,
  call: each.call,
});
const choosePlace = () => choose(places);
/** The API, by any of the processes. */
const call: TestApp['call'] = (each, parts) => choosePlace().call(each, parts);
const signIn = (username: string) => app.signIn(username);

async function startProgramAgain(): Promise<void> {
  const started = await startProgram(settings);
  await started.waitUntilReady();
  program = started;
  places = [own, placeOf(started)];
}

const watchers: Record<string, Watcher> = {
  employee: 'staff',
  employee2: 'staff',
  admin: 'staff',
  supervisor: 'supervisor',
  supervisor2: 'supervisor',
  individual: 'applicant',
  individual2: 'applicant',
};
const workers = Object.keys(watchers).filter((username) => watchers[username] !== 'applicant');

beforeAll(async () => {
  if (process.env.LIVE_REDIS === 'on') redis = await openRedis();
  await redis?.start();
  const common = {
    ...(redis ? { REDIS_URL: redis.url } : {}),
    TOKEN_SECONDS: '36000',
    LOGIN_ATTEMPTS_PER_MINUTE: '10000',
    CALLS_AT_ONCE: '100000',
  };
  app = await openTestApp(common);
  const { rows } = await sql<{ name: string }>`
    select current_database() as name`.execute(app.database);
  const [MIGRATIONS_DATABASE_URL, DATABASE_URL] = (
    ['databaseServer', 'productServer'] as const
  ).map((key) =>
    Object.assign(new URL(inject(key)), { pathname: `/${rows[0]?.name}` }).toString(),
  ) as [string, string];
  settings = {
    ...common,
    DATABASE_URL,
    MIGRATIONS_DATABASE_URL,
    DATA_DIR: app.config.DATA_DIR,
    SANDBOX: 'on',
    SEED: 'demo',
    LOG_LEVEL: 'silent',
  };
  own = { base: await app.server.listen({ port: 0, host: '127.0.0.1' }), call: app.call };
  await startProgramAgain();
  statuses = new Map(
    await Promise.all(
      Object.keys(watchers).map(
        async (username) => [username, (await app.callAs(username, getAllStatuses)).body] as const,
      ),
    ),
  );
});
afterAll(async () => {
  await starting;
  await endPrograms();
  await app.close();
  await redis?.stop();
});

/** What a user has to see: the requests themselves, not the counts that the product maintains. */
async function truth(username: string): Promise<Shown> {
  const { rows } = await sql<{ id: number; status_id: number }>`
    select requests.id, requests.status_id
    from requests
    join users on users.username = ${username}
    where case ${watchers[username]}::text
      when 'staff' then true
      when 'supervisor' then requests.partner_id = users.partner_id and requests.came_to_provider
      else requests.user_id = users.id
    end
    order by requests.id`.execute(app.database);
  const rowsOf = (isShown: (statusId: number) => boolean) =>
    rows
      .filter(({ status_id: id }) => isShown(id))
      .map(({ id, status_id }) => `${id}:${status_id}`);
  const of = (group: string) =>
    rowsOf(
      (id) =>
        statuses
          .get(username)
          ?.some(({ statusId, countsAs }) => statusId === id && countsAs === group) ?? false,
    );
  const lists = { new: of('new'), processing: of('processing'), all: rowsOf(() => true) };
  const isCounted = watchers[username] !== 'applicant';
  return {
    new: isCounted ? lists.new.length : 0,
    processing: isCounted ? lists.processing.length : 0,
    lists,
  };
}

/** Whether every client shows what the database has, before the time is up. */
async function settle(clients: readonly LiveClient[]): Promise<void> {
  const began = Date.now();
  const expected = await Promise.all(clients.map(({ username }) => truth(username)));
  await expect
    .poll(async () => {
      await Promise.all(clients.map((client) => client.handle()));
      return clients.map(({ shown }) => shown);
    }, waiting)
    .toEqual(expected);
  delays.push(Date.now() - began);
}

const stage = openRequestStage({
  call,
  signIn,
  get database() {
    return app.database;
  },
} as TestApp);
const open: number[] = [];

async function send(): Promise<void> {
  const service = choose([freeService, freeService, paidService]);
  const { requestId } = await stage.send(choose(['individual', 'individual2']), service);
  if (service === paidService) await stage.pay(requestId);
  open.push(requestId);
}

const actions: Record<string, Call> = {
  receive: calls.receiveRequest,
  release: calls.releaseRequest,
  approve: calls.approveRequest,
  accept: calls.acceptRequest,
  submitted: calls.submittedRequest,
  return: calls.returnRequest,
  reject: calls.rejectRequest,
};

/** A random person does a random thing that the person may do with a random request. */
async function act(): Promise<void> {
  if (open.length < 3 || (open.length < 30 && random(3) === 0)) return send();
  const requestId = choose(open);
  const token = await signIn(choose(workers));
  const { status, body } = await call(getRequestById, { token, query: { RequestId: requestId } });
  const possible = status === 200 ? body.allowedActions.filter((name) => name in actions) : [];
  if (possible.length === 0) return open.length < 30 ? send() : act();
  const name = choose(possible);
  const reason = name === 'reject' ? { requestHistoryRejectionReasonId: 1 } : {};
  const texts = name === 'reject' || name === 'return' ? messageTexts : {};
  const done = await call(actions[name] as typeof calls.approveRequest, {
    token,
    params: { requestId },
    body: { requestId, ...reason, ...texts } as BodyInputOf<typeof calls.approveRequest>,
  });
  if (done.status !== 200) throw new Error(`${name}: ${JSON.stringify(done.refused)}`);
  if (['submitted', 'return', 'reject'].includes(name)) open.splice(open.indexOf(requestId), 1);
}

/** Kills the other process while what it has just done may not be published yet. */
async function kill(): Promise<void> {
  await starting;
  const killed = program as RunningProgram;
  places = [placeOf(killed)];
  await act();
  killed.signal('SIGKILL');
  places = [own];
  await killed.ended;
  starting = startProgramAgain();
}

/** Something that a network, a database or a process does to the clients. */
async function disturb(clients: readonly LiveClient[]): Promise<void> {
  const kind = random(redis ? 4 : 3);
  if (kind === 0) await choose(clients).connect();
  if (kind === 1)
    await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database()
        and query ~* '^(listen |select 1$)'`.execute(app.database);
  // A notification with one event of the staff, which nobody receives.
  if (kind === 2)
    await sql`
      update hub_positions
      set position = position + 1
      where hub = ''
        or (hub = '/hubs/request' and audience = 'staff')`.execute(app.database);
  if (kind === 3) {
    await redis?.stop();
    await act();
    await redis?.start();
  }
}

// First, while nothing is lost.
it.each<Fault>(['drop', 'double'])('a client that would %s an event is found', async (fault) => {
  const client = new LiveClient(
    { username: 'employee', kind: 'staff' },
    { signIn, choosePlace, fault },
  );
  await client.connect();
  await stage.send('individual', freeService);
  const expected = await truth('employee');
  await expect
    .poll(async () => {
      await client.handle();
      return client.sequence;
    }, waiting)
    .toBe((await app.callAs('employee', getRequestsCount)).body.sequence);
  expect(client.shown.new - expected.new).toBe(fault === 'drop' ? -1 : 1);
  if (fault === 'drop') expect(client.shown.lists).not.toEqual(expected.lists);
  await client.stop();
});

it(
  `every client shows what the database has, whatever is lost (seed ${seed})`,
  { timeout: isLong ? 3_600_000 : 60_000 },
  async () => {
    const clients = Object.entries(watchers).map(
      ([username, kind]) => new LiveClient({ username, kind }, { signIn, choosePlace }),
    );
    for (const client of clients) await client.connect();
    await settle(clients);
    for (let step = 1; step <= steps; step += 1) {
      await act();
      if (random(2) === 0) await disturb(clients);
      if (isLong ? random(25) === 0 : step === 6) await kill();
      await Promise.all(clients.map((client) => client.handle()));
      if (random(4) === 0) await settle(clients);
      if (isLong && step % 100 === 0) console.log(`${step} steps`);
    }
    await starting;
    await settle(clients);
    expect(clients.map(({ lowest }) => lowest)).toEqual(clients.map(() => 0));
    await Promise.all(clients.map((client) => client.stop()));
    const sorted = delays.toSorted((one, other) => one - other);
    if (isLong)
      console.log(
        `Seed ${seed}, ${redis ? 'Redis' : 'PostgreSQL'}: all clients right after ` +
          `${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (longest).`,
      );
  },
);
