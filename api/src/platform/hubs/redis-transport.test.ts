import { createClient } from '@redis/client';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { buildApp } from '#app.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import { openRedis, type RunningRedis } from '#testing/programs/running-redis.ts';
import { addressThrough, openTcpProxy, type TcpProxy } from '#testing/programs/tcp-proxy.ts';
import { openRequestStage, type RequestStage } from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { eventsMissed } from '@diwan/contract/wire/hubs';
import { sql } from '../database/sql.ts';

const waiting = { timeout: 20_000, interval: 10 };
let redis: RunningRedis;
let proxy: TcpProxy;
let app: TestApp;
let other: Awaited<ReturnType<typeof buildApp>>;
let stage: RequestStage;
/** One listener of each process, and what PostgreSQL carried. */
let here: Listener;
let there: Listener;
let postgres: pg.Client;
const carried: string[] = [];
const said: string[] = [];

beforeAll(async () => {
  redis = await openRedis();
  await redis.start();
  proxy = await openTcpProxy(redis.url);
  app = await openTestApp({ REDIS_URL: addressThrough(proxy, redis.url) });
  const unused = {} as never;
  const integrations = { paymentProviders: new Map(), sms: unused, mail: unused };
  other = await buildApp(app.config, app.database, 'http://localhost:3000', integrations);
  vi.spyOn(app.server.log, 'warn').mockImplementation((line: unknown) => void said.push(`${line}`));
  stage = openRequestStage(app);
  const token = await app.signIn('employee');
  [here, there] = (await Promise.all(
    [app.server, other].map(async (server) =>
      listenTo({
        url: `${await server.listen({ port: 0, host: '127.0.0.1' })}/hubs/request`,
        token,
        skipNegotiation: true,
      }),
    ),
  )) as [Listener, Listener];
  const url = new URL(inject('databaseServer'));
  const { rows } = await sql<{ name: string }>`
    select current_database() as name`.execute(app.database);
  url.pathname = `/${rows[0]?.name}`;
  postgres = new pg.Client({ connectionString: url.toString() });
  await postgres.connect();
  postgres.on('notification', ({ payload = '' }) => carried.push(payload));
  await postgres.query('listen diwan_hubs');
});
afterEach(() => {
  for (const list of [carried, said, here.received, there.received]) list.length = 0;
});
afterAll(async () => {
  await Promise.all([here, there].map(({ connection }) => connection.stop()));
  await postgres.end();
  await other.close();
  await app.close();
  await proxy.close();
  await redis.stop();
});

const received = () => [here.events(), there.events()];
// On a machine that starves Redis, what is late counts as missing: the clients fetch, and lose nothing.
const arrived = () =>
  [here, there].map((listener) =>
    listener.received.flatMap(({ event, sequence }) =>
      event === eventsMissed ? [] : [`${event} ${sequence}`],
    ),
  );
/** The next events `requestCreated` of staff, by their numbers. */
const created = (first: string | undefined, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `requestCreated ${Number(first?.split(' ')[1]) + index}`,
  );

/** Sends a request and waits until the listeners of both processes have received it. */
async function expectCreated(): Promise<void> {
  const before = received().map((events) => events.length);
  await stage.send('individual');
  await vi.waitFor(
    () =>
      expect(received().map((events, index) => events.slice(before[index]))).toEqual([
        expect.arrayContaining(['requestCreated']),
        expect.arrayContaining(['requestCreated']),
      ]),
    waiting,
  );
}

it('events reach all processes through Redis, not through PostgreSQL, each once and in order', async () => {
  for (let count = 0; count < 3; count += 1) await expectCreated();
  const expected = created(arrived()[0]?.[0], 3);
  expect(arrived()).toEqual([expected, expected]);
  expect([carried, said]).toEqual([[], []]);
});

it('while Redis is dead PostgreSQL carries them; afterwards clients fetch once, and Redis carries them again', async () => {
  await redis.stop();
  await expectCreated();
  await expectCreated();
  expect(carried.length).toBeGreaterThan(0);
  expect(said).toEqual([expect.stringContaining('hubs cannot reach Redis')]);
  expect(received()).toEqual([
    ['requestCreated', 'requestCreated'],
    ['requestCreated', 'requestCreated'],
  ]);

  await redis.start();
  await vi.waitFor(
    () =>
      expect(received().map((events) => events.at(-1))).toEqual(['eventsMissed', 'eventsMissed']),
    waiting,
  );
  await vi.waitFor(() => expect(said.at(-1)).toContain('again'), waiting);
  carried.length = 0;
  await expectCreated();
  expect(carried).toEqual([]);
});

it('a lost notification is noticed within a second, as with PostgreSQL', async () => {
  const lostAt = Date.now();
  await sql`
    update hub_positions
    set position = position + 1
    where hub in ('', '/hubs/request')`.execute(app.database);
  await vi.waitFor(() => expect(received()).toEqual([['eventsMissed'], ['eventsMissed']]), waiting);
  expect(Date.now() - lostAt).toBeLessThan(1000);
});

it('what others send to the channel is ignored, and a copy of a notification too', async () => {
  const [{ value }] = (await app.database
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'hub-channel')
    .execute()) as [{ value: string }];
  const client = createClient({ url: redis.url });
  await client.connect();
  const copies: string[] = [];
  const listener = client.duplicate();
  await listener.connect();
  await listener.subscribe(`diwan:hubs:${value}`, (payload) => copies.push(payload));
  await expectCreated();
  await vi.waitFor(() => expect(copies.join()).toContain('requestCreated'), waiting);
  for (const payload of ['nonsense', '{}', '{"number":1,"events":[null]}', ...copies])
    await client.publish(`diwan:hubs:${value}`, payload);
  await expectCreated();
  await Promise.all([client.close(), listener.close()]);
  // The second one is not a copy of the first.
  const expected = created(arrived()[0]?.[0], 2);
  expect(arrived()).toEqual([expected, expected]);
});

it('a Redis that says nothing any more is noticed with the next event, which arrives all the same', async () => {
  await proxy.setMode('silence');
  // Either process publishes; both pass the event on through PostgreSQL.
  while (said.length === 0) await expectCreated();
  expect(said[0]).toContain('has not answered within 1000 ms');
  await proxy.setMode('pass');
  await vi.waitFor(() => expect(said.at(-1)).toContain('again'), waiting);
  const before = received().map((events) => events.length);
  await stage.send('individual');
  // A process notices the silence with its next ping. Until then its listeners fetch.
  await vi.waitFor(
    () =>
      received().forEach((events, index) =>
        expect(events.slice(before[index]).join(' ')).toMatch(/requestCreated|eventsMissed/),
      ),
    waiting,
  );
});
