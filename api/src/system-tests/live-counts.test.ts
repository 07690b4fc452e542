import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { approveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import { countChanges, requestEvents, type RequestEvent } from '@diwan/contract/wire/hubs';
import { buildApp } from '../app.ts';
import { listenTo, type Listener } from '../testing/hub-client.ts';
import { freeService, openRequestStage } from '../testing/requests/request-stage.ts';
import { useTestApp } from '../testing/test-app.ts';

// Random people act on random requests over two processes, while connections are cut, the processes
// lose their connection to the database, and notifications are lost. Longer: LIVE_STEPS=1000.
const steps = Number(process.env.LIVE_STEPS ?? 16);
const seed = Number(process.env.LIVE_SEED ?? Date.now() % 100_000);

const app = useTestApp();
const stage = openRequestStage(app);
let other: Awaited<ReturnType<typeof buildApp>>;
let bases: string[];
// Only a busy machine needs more than the second that is promised.
const waiting = { timeout: 20_000, interval: 20 };

let state = seed;
/** A number below `limit`: the same for the same seed. */
function random(limit: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * limit);
}
const choose = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

beforeAll(async () => {
  const unused = {} as never;
  const integrations = { paymentProvider: unused, paymentProviders: unused, sms: unused };
  other = await buildApp(app.config, app.database, 'http://localhost:3000', {
    ...integrations,
    mail: unused,
  });
  bases = await Promise.all(
    [app.server, other].map((server) => server.listen({ port: 0, host: '127.0.0.1' })),
  );
});
afterAll(() => other.close());

type Fault = 'drop' | 'double';

/** A client that counts as the portal does: a reply, and each later event once. */
class Client {
  counts = { new: 0, processing: 0, sequence: -1 };
  lowest = 0;
  listener: Listener | undefined;
  readonly username: string;
  #handled = 0;
  #fault: Fault | undefined;
  // A reply would repair what the fault breaks.
  readonly #isFaulty: boolean;

  constructor(username: string, fault?: Fault) {
    this.username = username;
    this.#fault = fault;
    this.#isFaulty = fault !== undefined;
  }

  async connect(): Promise<void> {
    await this.listener?.connection.stop();
    const url = `${choose(bases)}/hubs/request`;
    const token = await app.signIn(this.username);
    this.listener = await listenTo({ url, token, skipNegotiation: true });
    this.#handled = 0;
    await this.fetch();
  }

  async fetch(): Promise<void> {
    const { body } = await app.callAs(this.username, getRequestsCount);
    if (body.sequence < this.counts.sequence) return;
    this.counts = {
      new: body.newRequestsCount,
      processing: body.processingRequestsCount,
      sequence: body.sequence,
    };
  }

  /** Applies what has arrived, and repairs itself after a gap. */
  async handle(): Promise<void> {
    const { received = [] } = this.listener ?? {};
    let isMissing = false;
    for (; this.#handled < received.length; this.#handled += 1) {
      const { event, sequence } = received[this.#handled] as { event: string; sequence: number };
      if (event === 'newsMissed') isMissing ||= !this.#isFaulty;
      if (!requestEvents.some((known) => known === event)) continue;
      if (sequence <= this.counts.sequence) continue;
      isMissing ||= sequence > this.counts.sequence + 1;
      if (isMissing) continue;
      this.#apply(event as RequestEvent, sequence);
    }
    if (isMissing) await this.fetch();
  }

  #apply(event: RequestEvent, sequence: number): void {
    const { count, by } = countChanges[event];
    const times = this.#fault === 'drop' ? 0 : this.#fault === 'double' ? 2 : 1;
    this.#fault = undefined;
    this.counts[count] += by * times;
    this.counts.sequence = sequence;
    this.lowest = Math.min(this.lowest, this.counts.new, this.counts.processing);
  }
}

/** The requests of each list as the database has them, by `countsAs` of the status. */
async function truth(): Promise<{ new: number; processing: number }> {
  const { body: statuses } = await app.callAs('employee', getAllStatuses);
  const rows = await app.database
    .selectFrom('requests')
    .select(['status_id', (count) => count.fn.countAll<number>().as('count')])
    .groupBy('status_id')
    .execute();
  const sum = (group: string) =>
    rows
      .filter(({ status_id: id }) =>
        statuses.some(({ statusId, countsAs }) => statusId === id && countsAs === group),
      )
      .reduce((total, { count }) => total + Number(count), 0);
  return { new: sum('new'), processing: sum('processing') };
}

const shown = ({ counts }: Client) => ({ new: counts.new, processing: counts.processing });

/** Whether every client shows what the database has, before the time is up. */
async function settle(clients: readonly Client[]): Promise<void> {
  const expected = await truth();
  await expect
    .poll(async () => {
      await Promise.all(clients.map((client) => client.handle()));
      return clients.map(shown);
    }, waiting)
    .toEqual(clients.map(() => expected));
}

const sent: { requestId: number; isReceived: boolean }[] = [];

async function act(): Promise<void> {
  const open = sent.filter(({ isReceived }) => !isReceived);
  const held = sent.filter(({ isReceived }) => isReceived);
  const clerk = 'employee';
  if (held.length > 0 && random(3) === 0) {
    const request = choose(held);
    const action = choose([releaseRequest, approveRequest]);
    await stage.performAction(clerk, action, { requestId: request.requestId });
    if (action === approveRequest) sent.splice(sent.indexOf(request), 1);
    else request.isReceived = false;
  } else if (open.length > 0 && random(2) === 0) {
    const request = choose(open);
    await stage.receive(clerk, request.requestId);
    request.isReceived = true;
  } else {
    const { requestId } = await stage.send(choose(['individual', 'individual2']), freeService);
    sent.push({ requestId, isReceived: false });
  }
}

/** Something that a network, a database or a process does to the clients. */
async function disturb(clients: readonly Client[]): Promise<void> {
  const kind = random(4);
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
}

// First, while nothing is lost.
it.each(['drop', 'double'] as const)('a client that would %s an event is found', async (fault) => {
  const client = new Client('employee', fault);
  await client.connect();
  await act();
  const expected = await truth();
  await expect
    .poll(async () => {
      await client.handle();
      return client.counts.sequence;
    }, waiting)
    .toBe((await app.callAs('employee', getRequestsCount)).body.sequence);
  expect(shown(client)).not.toEqual(expected);
  await client.listener?.connection.stop();
});

it(`every client shows what the database has, whatever is lost (seed ${seed})`, async () => {
  const clients = ['employee', 'employee2', 'admin'].map((username) => new Client(username));
  for (const client of clients) await client.connect();
  await settle(clients);
  for (let step = 0; step < steps; step += 1) {
    await act();
    if (random(2) === 0) await disturb(clients);
    await Promise.all(clients.map((client) => client.handle()));
    if (step % 4 === 3) await settle(clients);
  }
  await settle(clients);
  expect(clients.map(({ lowest }) => lowest)).toEqual([0, 0, 0]);
  // The lists too.
  const { body: statuses } = await app.callAs('employee', getAllStatuses);
  const StatusIds = statuses
    .filter(({ countsAs }) => countsAs === 'new')
    .map(({ statusId }) => statusId)
    .join(',');
  const { body: list } = await app.callAs('employee2', getRequestsByStatusId, {
    query: { StatusIds, Take: '1' },
  });
  expect(list.totalCount).toBe(clients[0]?.counts.new);
  await Promise.all(clients.map(({ listener }) => listener?.connection.stop()));
});
