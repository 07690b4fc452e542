import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { approveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { countChanges, requestHub, type RequestEvent } from '@diwan/contract/wire/hubs';

const app = useTestApp();
const stage = openRequestStage(app);

interface Published {
  hub: string;
  event: RequestEvent;
  audience: string;
  sequence: number;
}
const published: Published[] = [];
let listener: pg.Client;

beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    app.database,
  );
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${rows[0]?.name}`;
  listener = new pg.Client({ connectionString: url.toString() });
  await listener.connect();
  listener.on('notification', ({ payload }) =>
    published.push(...(JSON.parse(payload ?? '') as { events: Published[] }).events),
  );
  await listener.query('listen diwan_hubs');
});
afterAll(() => listener.end());

async function read(username: string) {
  const { body } = await app.callAs(username, getRequestsCount);
  return {
    new: body.newRequestsCount,
    processing: body.processingRequestsCount,
    sequence: body.sequence,
  };
}
type Snapshot = Awaited<ReturnType<typeof read>>;

/** What a client that applied each event once shows after the event with this number. */
function countsAfter(start: Snapshot, audience: string, sequence: number) {
  const counts = { new: start.new, processing: start.processing };
  for (const each of published)
    if (
      each.hub === requestHub &&
      each.audience === audience &&
      each.sequence > start.sequence &&
      each.sequence <= sequence
    )
      counts[countChanges[each.event].count] += countChanges[each.event].by;
  return { ...counts, sequence };
}

it('each reply includes exactly the events up to its number, while requests move', async () => {
  const first = { staff: await read('employee'), partner: await read('supervisor') };
  const partnerId = (
    await app.database
      .selectFrom('users')
      .select('partner_id')
      .where('username', '=', 'supervisor')
      .executeTakeFirstOrThrow()
  ).partner_id;
  // The service is of an agency of the one, and of no agency of the other.
  const labour = (await stage.findService(freeService)).governmentAgency.id;
  const userId = await app.idOf('employee-moi');
  await app.database
    .insertInto('staff_agencies')
    .values({ user_id: userId, agency_id: labour })
    .execute();
  const agencies = await Promise.all(
    ['employee-moi', 'employee-rta'].map(async (username) => {
      const rows = await app.database
        .selectFrom('staff_agencies')
        .select('agency_id')
        .where('user_id', '=', await app.idOf(username))
        .orderBy('agency_id')
        .execute();
      const audience = `agencies:${rows.map((row) => row.agency_id).join(',')}`;
      return { username, audience, first: await read(username) };
    }),
  );
  const seen: [audience: string, Snapshot][] = [];
  let isDone = false;
  const watch = async (username: string, audience: string) => {
    while (!isDone) seen.push([audience, await read(username)]);
  };
  const watching = [
    watch('employee', 'staff'),
    watch('admin', 'staff'),
    watch('supervisor', `partner:${partnerId}`),
    ...agencies.map(({ username, audience }) => watch(username, audience)),
  ];
  await Promise.all(
    ['individual', 'individual2', 'individual'].map(async (username) => {
      for (let round = 0; round < 4; round += 1) {
        const { requestId } = await stage.sendAndReceive(username, freeService);
        if (round % 2 === 0) await stage.performAction('employee', releaseRequest, { requestId });
        else await stage.performAction('employee', approveRequest, { requestId });
      }
    }),
  );
  isDone = true;
  await Promise.all(watching);
  const last = await read('employee');
  await expect
    .poll(() =>
      Math.max(
        0,
        ...published.filter((each) => each.audience === 'staff').map((each) => each.sequence),
      ),
    )
    .toBe(last.sequence);
  const [ofAgency, ofAnother] = [await read('employee-moi'), await read('employee-rta')];
  expect(ofAgency.sequence - (agencies[0]?.first.sequence ?? 0)).toBe(
    last.sequence - first.staff.sequence,
  );
  expect(ofAnother).toEqual(agencies[1]?.first);
  expect(seen.length).toBeGreaterThan(20);
  expect(last.sequence).toBeGreaterThanOrEqual(first.staff.sequence + 24);
  const starts = new Map([
    ['staff', first.staff],
    [`partner:${partnerId}`, first.partner],
    ...agencies.map((each) => [each.audience, each.first] as const),
  ]);
  for (const [audience, snapshot] of [...seen, ['staff', last] as const])
    expect(snapshot).toEqual(
      countsAfter(starts.get(audience) as Snapshot, audience, snapshot.sequence),
    );
});

it('a change is in the counts of its own caller immediately', async () => {
  const before = await read('employee');
  await stage.send('individual', freeService);
  const after = await read('employee');
  expect(after.new).toBe(before.new + 1);
  expect(after.sequence).toBeGreaterThan(before.sequence);
});
