import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  figureDimensions,
  getFigureGroups,
  getRequestFigures,
  type FigureDimension,
  type FigureGroup,
} from '@diwan/contract/requests/reports';
import { rejectRequest, submittedRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { QueryInputOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { condenseFigures } from './reports.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const period = { DateFrom: dayAfter(todayInDubai(), -330), DateTo: todayInDubai() };

type ListQuery = QueryInputOf<typeof getRequestsByStatusId>;

const groupFilter: Record<FigureDimension, (id: string, isEnded: boolean) => ListQuery> = {
  agency: (id) => ({ GovernmentAgencyId: id }),
  service: (id) => ({ ServiceId: id }),
  partner: (id) => ({ PartnerId: id }),
  employee: (id, isEnded) => (isEnded ? { FigureBy: id } : { Holder: id }),
};
const ended = { FigureFrom: period.DateFrom, FigureTo: period.DateTo };
const figureFilters: Partial<Record<keyof FigureGroup, ListQuery>> = {
  open: { Figure: 'open' },
  waiting: { Figure: 'waiting' },
  dueToday: { Due: 'today' },
  late: { Due: 'late' },
  created: period,
  completed: { Figure: 'done', ...ended },
  completedLate: { Figure: 'doneLate', ...ended },
  refused: { Figure: 'refused', ...ended },
};
const endedFigures: readonly string[] = ['completed', 'completedLate', 'refused'];

async function groupsOf(username: string, By: FigureDimension) {
  return (await app.callAs(username, getFigureGroups, { query: { By, ...period } })).body;
}
const listed = (token: string, query: ListQuery) =>
  app
    .call(getRequestsByStatusId, { token, query: { ...query, Take: 100 } })
    .then(({ body }) => body);

/** Some requests of every kind, beside those of the demo: late, due today, completed late, rejected. */
async function prepare() {
  const late = await stage.sendAndReceive('individual', freeService);
  const today = await stage.sendAndApprove('individual2', freeService);
  const done = await stage.sendAndReceive('company', freeService);
  const refused = await stage.sendAndReceive('company', freeService);
  await stage.performAction('employee', submittedRequest, { requestId: done.requestId });
  await stage.performAction('employee', rejectRequest, {
    requestId: refused.requestId,
    rejectionReasonId: 1,
  } as never);
  await stage.send('individual', paidService);
  await sql`update requests set due_on = ${todayInDubai()}::date - 2 where id = ${late.requestId}`.execute(
    app.database,
  );
  await sql`update requests set due_on = ${todayInDubai()}::date where id = ${today.requestId}`.execute(
    app.database,
  );
}

it('every number is that of the list that it opens, by every dimension and for every role', async () => {
  await prepare();
  const seen = new Set<string>();
  for (const [username, dimensions] of [
    ['admin', figureDimensions],
    ['supervisor2', ['agency', 'service']],
    ['company', ['agency']],
  ] as const) {
    const token = await app.signIn(username);
    for (const by of dimensions) {
      const { groups, total } = await groupsOf(username, by);
      expect(groups.length, `${username} by ${by}`).toBeGreaterThan(0);
      for (const [name, filter] of Object.entries(figureFilters)) {
        const figure = name as 'open';
        for (const group of groups.slice(0, 4)) {
          if (by === 'employee' && figure === ('created' as string)) continue;
          const query = { ...filter, ...groupFilter[by](group.id, endedFigures.includes(name)) };
          const { totalCount } = await listed(token, query);
          if (group[figure] > 0) seen.add(`${by} ${name}`);
          expect([username, by, group.name, name, totalCount]).toEqual([
            username,
            by,
            group.name,
            name,
            group[figure],
          ]);
        }
        if (by === 'agency')
          expect([username, name, (await listed(token, filter)).totalCount]).toEqual([
            username,
            name,
            total[figure],
          ]);
      }
    }
  }
  // Otherwise zeros would be compared with zeros.
  for (const name of Object.keys(figureFilters)) expect(seen, name).toContain(`agency ${name}`);
});

it('the sums, the median and the money are those of the whole period, also after condensing', async () => {
  const read = async () => ({
    figures: (await app.callAs('admin', getRequestFigures, { query: period })).body.current,
    groups: await groupsOf('admin', 'agency'),
    services: await groupsOf('admin', 'service'),
  });
  const { figures, groups, services } = await read();
  for (const { total } of [groups, services])
    expect(total).toMatchObject({
      created: figures.created,
      completed: figures.completed,
      refused: figures.refused,
      feesCollected: figures.feesCollected,
      medianSeconds: figures.medianSeconds,
    });
  expect(figures.feesCollected).toBeGreaterThan(0);
  expect(groups.groups.reduce((sum, { feesCollected }) => sum + feesCollected, 0)).toBe(
    figures.feesCollected,
  );
  const ids = (
    await listed(await app.signIn('admin'), {
      Figure: 'paid',
      ...ended,
    })
  ).items.map(({ requestId }) => requestId);
  const paid = await app.database
    .selectFrom('payments')
    .select(sql<number>`sum(amount)::bigint`.as('sum'))
    .where('status', '=', 'paid')
    .where('request_id', 'in', ids)
    .executeTakeFirst();
  expect(paid?.sum).toBe(figures.feesCollected);
  await condenseFigures(app.database);
  expect(await read()).toEqual({ figures, groups, services });
});

it('providers and employees are for admins, and the filters by them too', async () => {
  for (const By of ['partner', 'employee'] as const)
    for (const username of ['supervisor2', 'company'])
      expect((await app.callAs(username, getFigureGroups, { query: { By } })).refused?.error).toBe(
        'YouAreUnauthorized',
      );
  const token = await app.signIn('supervisor2');
  const [own] = (await groupsOf('admin', 'partner')).groups;
  const [employee] = (await groupsOf('admin', 'employee')).groups;
  expect((await listed(token, { PartnerId: own?.id })).totalCount).toBe(0);
  expect((await listed(token, { Figure: 'done', FigureBy: employee?.id })).totalCount).toBe(0);
  expect(
    (
      await app.callAs('admin', getRequestsByStatusId, {
        query: { Figure: 'done', FigureFrom: '2026-02-02', FigureTo: '2026-02-01' },
      })
    ).refused?.errors,
  ).toHaveProperty('FigureTo');
});
