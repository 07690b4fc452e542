import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { findInconsistencies } from '#testing/load/consistency.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { foldAllFigures, rebuildFigures } from './fold-figures.actions.ts';
import { condenseFigures, selectFigures } from './reports.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);

const day = (days: number) => dayAfter(todayInDubai(), days);
const firstOfMonth = (days: number) => `${day(days).slice(0, 8)}01`;

const entries = () => foldAllFigures(app.database).then(selectEntries);
const selectEntries = () =>
  sql<{
    scope: number;
    kind: string;
    day: string;
    amount: number;
    is_sum: boolean;
  }>`
    select scope, kind, day::text, amount, is_sum
    from request_figures
    where grain = 'total' and kind <> 'time'`
    .execute(app.database)
    .then(({ rows }) => rows);
const inconsistencies = () =>
  findInconsistencies(app.database, app.config.DATA_DIR).then((all) =>
    all.filter((line) => line.startsWith('figures')),
  );

it('the stored figures of the seeded demo agree with its rows', async () => {
  expect((await entries()).length).toBeGreaterThan(20);
  expect(await inconsistencies()).toEqual([]);
});

it('the comparison finds an additional entry and a missing fact', async () => {
  await sql`
    insert into request_figures (scope, grain, day, kind, amount)
    values (0, 'total', '2020-02-02', 'refused', 1)`.execute(app.database);
  expect(await inconsistencies()).toEqual([expect.stringContaining('2020-02-02')]);
  await sql`delete from request_figures where day = '2020-02-02'`.execute(app.database);
  expect(await inconsistencies()).toEqual([]);
});

it('a payment that is reported late, twice or withdrawn counts once, on the day of the first report', async () => {
  const { requestId } = await stage.send('individual2', paidService);
  const payment = await app.database
    .insertInto('payments')
    .values({
      request_id: requestId,
      merchant_reference: 'stored-1',
      amount: 700,
      currency: 'AED',
      status: 'pending',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const report = (...events: [string, string][]) =>
    app.database
      .insertInto('payment_events')
      .values(
        events.map(([id, at]) => ({
          id,
          payment_id: payment.id,
          kind: 'paid' as const,
          amount: 700,
          currency: 'AED',
          occurred_at: new Date(at),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const setStatus = (status: PaymentStatus) =>
    app.database.updateTable('payments').set({ status }).where('id', '=', payment.id).execute();
  const paidOn = async () =>
    (await foldAllFigures(app.database),
    await sql<{
      day: string;
      amount: number;
    }>`
        select day::text, sum(amount)::bigint as amount
        from request_figures
        where scope = 0 and grain = 'total' and kind = 'paid' and day < '2020-01-01'
        group by day
        having sum(amount) <> 0`.execute(app.database)).rows;
  await report(['k1', '2019-05-05T08:00:00Z'], ['k2', '2019-05-06T08:00:00Z']);
  expect(await paidOn()).toEqual([]);
  await setStatus('paid');
  expect(await paidOn()).toEqual([{ day: '2019-05-05', amount: 700 }]);
  await report(
    ['k1', '2019-05-05T08:00:00Z'],
    ['k3', '2019-05-04T19:59:00Z'],
    ['k4', '2019-05-04T20:01:00Z'],
  );
  expect(await paidOn()).toEqual([{ day: '2019-05-04', amount: 700 }]);
  await setStatus('cancelled');
  expect(await paidOn()).toEqual([]);
  await setStatus('paid');
  expect([await paidOn(), await inconsistencies()]).toEqual([
    [{ day: '2019-05-04', amount: 700 }],
    [],
  ]);
});

it('a rolled-back step changes no figure; a committed step counts when it is folded', async () => {
  const before = (await entries()).length;
  await inTransaction(app.database, async (transaction) => {
    await sql`
        insert into request_history
          (request_id, action, from_status_id, to_status_id, actor_kind, actor_name)
        select id, 'submitted', 4, 9, 'employee', ''
        from requests
        where status_id = 4
        limit 1`.execute(transaction);
    throw new Error('undone');
  }).catch((error: Error) => expect(error.message).toBe('undone'));
  expect((await entries()).length).toBe(before);
  const { requestId } = await stage.sendAndReceive('company', freeService);
  await stage.performAction('employee', submittedRequest, { requestId });
  expect((await entries()).length).toBeGreaterThan(before);
  expect(await inconsistencies()).toEqual([]);
});

it('condensing the entries changes no figure, also when several processes do it at the same time', async () => {
  const {
    rows: [company],
  } = await sql<{
    id: number;
  }>`select company_id as id from users where username = 'company'`.execute(app.database);
  const scopes = [0, 1, 2, -(company?.id ?? 0)];
  const visible = sql<boolean>`true`;
  const all = () =>
    Promise.all(
      scopes.flatMap((scope) =>
        [
          [firstOfMonth(-695), firstOfMonth(-330)],
          [day(-34), day(-4)],
          [day(-256), day(4)],
          [firstOfMonth(0), firstOfMonth(31)],
        ].map(([previous = '', from = '']) =>
          selectFigures(app.database, {
            scope,
            directCondition: undefined,
            visible,
            previous,
            from,
            to: day(35),
            topServices: 50,
          }),
        ),
      ),
    );
  const before = await all();
  const read = all();
  await Promise.all([
    condenseFigures(app.database),
    condenseFigures(app.database),
    condenseFigures(app.database),
    stage.send('individual', freeService),
  ]);
  await foldAllFigures(app.database);
  await condenseFigures(app.database);
  expect((await entries()).every(({ is_sum: isSum }) => isSum)).toBe(true);
  const more = (
    await sql<{
      count: number;
    }>`select count(*)::int as count from request_figures where not is_sum`.execute(app.database)
  ).rows[0]?.count;
  expect([more, await inconsistencies()]).toEqual([0, []]);
  await read;
  const sent = before[0]?.current.created ?? 0;
  expect((await all())[0]?.current.created).toBe(sent + 1);
  // Apart from its own day, every figure is unchanged.
  const timeless = (figures: Awaited<ReturnType<typeof all>>) =>
    figures.map(({ current, previous }) => [
      current.completed,
      current.refused,
      current.fees,
      current.median_seconds,
      current.on_time,
      previous.median_seconds,
      previous.on_time,
    ]);
  expect(timeless(await all())).toEqual(timeless(before));
});

it('sums agree with the rows for all, for a partner and for a company, over whole and partial months', async () => {
  const people = await app.database
    .selectFrom('users')
    .select(['id', 'username', 'partner_id', 'company_id'])
    .where('username', 'in', ['supervisor', 'supervisor2', 'company', 'company2'])
    .execute();
  const scopes: [number, ReturnType<typeof sql<boolean>>][] = [
    [0, sql`true`],
    ...people.map(
      ({ partner_id: partner, company_id: company }): [number, ReturnType<typeof sql<boolean>>] =>
        partner === null
          ? [-(company ?? 0), sql`company_id = ${company}`]
          : [partner, sql`partner_id = ${partner} and came_to_provider`],
    ),
  ];
  for (const [scope, visible] of scopes)
    for (const [previous, from, to] of [
      [day(-371), day(-370), day(-5)],
      [day(-700), day(-335), day(34)],
      [firstOfMonth(-31), firstOfMonth(0), day(4)],
      [day(-6), day(-5), day(-5)],
      [day(-47), day(-26), day(-6)],
    ] as const) {
      const query = { visible, previous, from, to, topServices: 100 };
      expect(
        await selectFigures(app.database, { ...query, scope, directCondition: undefined }),
        `${scope} ${from}`,
      ).toEqual(
        await selectFigures(app.database, { ...query, scope: undefined, directCondition: visible }),
      );
    }
});

it('the figures can be made again from nothing', async () => {
  await sql`truncate request_figures`.execute(app.database);
  expect((await inconsistencies()).length).toBeGreaterThan(20);
  expect(await rebuildFigures(app.serverDatabase)).toBeGreaterThan(20);
  expect(await inconsistencies()).toEqual([]);
  await sql`delete from request_facts where kind = 'done'`.execute(app.database);
  expect(await inconsistencies()).toContainEqual(
    expect.stringContaining('otherwise than its rows'),
  );
  await rebuildFigures(app.serverDatabase);
  expect(await inconsistencies()).toEqual([]);
});
