import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { reassignRequest } from '@diwan/contract/processing/assignments';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { acceptRequest, approveRequest } from '@diwan/contract/requests/request-actions';
import {
  findAnything,
  getRequestByRequestNoOrMobileNo,
  getRequestByRequestNoOrMobileNoV2,
  getRequestsByStatusId,
  getAllStatuses,
  getRequestsCount,
  getVisibleAgencies,
  getVisibleServices,
} from '@diwan/contract/requests/request-lists';
import { getRequestViewers } from '@diwan/contract/requests/requests';
import { getSavedFilters, saveFilter } from '@diwan/contract/requests/saved-filters';
import { giveReasonForReading } from '@diwan/contract/staff/access-log';
import { getNotifications, saveNotificationSetting } from '@diwan/contract/staff/notifications';
import { followMethod } from '@diwan/contract/wire/hubs';

// `paidService` is of the agency of `employee-rta`, `freeService` of none of the two scoped employees.
const app = useTestApp();
const stage = openRequestStage(app);
const open: Listener[] = [];
let base: string;
const waiting = { timeout: 20_000, interval: 10 };

beforeAll(async () => {
  base = await app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => Promise.all(open.splice(0).map(({ connection }) => connection.stop())));

async function listen(username: string): Promise<Listener> {
  const listener = await listenTo({
    url: `${base}/hubs/request`,
    token: await app.signIn(username),
    skipNegotiation: true,
    hearsTopics: true,
  });
  open.push(listener);
  return listener;
}

const agencyOf = async (replacedName: string) =>
  (await stage.findService(replacedName)).governmentAgency.id;

/** Gives an employee these agencies instead of those before, without a word to open connections. */
async function setAgencies(username: string, agencyIds: readonly number[]): Promise<void> {
  const userId = await app.idOf(username);
  await app.database.deleteFrom('staff_agencies').where('user_id', '=', userId).execute();
  for (const agency_id of agencyIds)
    await app.database
      .insertInto('staff_agencies')
      .values({ user_id: userId, agency_id })
      .execute();
}

const list = async (username: string, query: Record<string, unknown> = {}) =>
  (await app.callAs(username, getRequestsByStatusId, { query: { Take: 100, ...query } })).body;
const numbersOf = async (username: string, query: Record<string, unknown> = {}) =>
  (await list(username, query)).items.map(({ requestNumber }) => requestNumber);
const counts = async (username: string) => {
  const { newRequestsCount, processingRequestsCount } = (
    await app.callAs(username, getRequestsCount)
  ).body;
  return { new: newRequestsCount, processing: processingRequestsCount };
};

describe('an employee of some agencies', () => {
  it('finds the requests of these by every way, and no others by any', async () => {
    const other = await stage.send('individual', freeService);
    const own = await stage.sendAndReceive('individual', paidService);
    for (const query of [
      {},
      { StatusIds: '3,4' },
      { sortOrder: 'asc' },
      { SortBy: 'due' },
      { SortBy: 'total' },
      { HasRefundableFees: false },
      { SearchKeyword: 'dw' },
    ]) {
      const numbers = await numbersOf('employee-rta', query);
      expect(numbers, JSON.stringify(query)).toContain(own.requestNumber);
      expect(numbers, JSON.stringify(query)).not.toContain(other.requestNumber);
    }
    for (const { requestNumber, isOwn } of [
      { ...own, isOwn: true },
      { ...other, isOwn: false },
    ]) {
      const expected = isOwn ? [requestNumber] : [];
      expect(await numbersOf('employee-rta', { SearchKeyword: requestNumber })).toEqual(expected);
      const found = await app.callAs('employee-rta', findAnything, {
        query: { Text: requestNumber },
      });
      expect(found.body.requests.map((each) => each.requestNumber)).toEqual(expected);
      for (const call of [getRequestByRequestNoOrMobileNo, getRequestByRequestNoOrMobileNoV2]) {
        const { body } = await app.callAs('employee-rta', call, {
          query: { SearchKeyword: requestNumber },
        });
        expect(body.totalCount, call.name).toBe(expected.length);
      }
    }
    expect((await stage.read('employee-rta', own.requestId)).status).toBe(200);
    expect((await stage.read('employee-rta', other.requestId)).status).toBe(404);
    // With the right to all agencies nothing is hidden.
    expect(await numbersOf('employee')).toEqual(
      expect.arrayContaining([own.requestNumber, other.requestNumber]),
    );
  });

  it('is offered these, and their services, to filter by', async () => {
    const namesOfAll = (await app.callAs('employee', getVisibleAgencies)).body;
    const own = await agencyOf(paidService);
    expect(namesOfAll.length).toBeGreaterThan(1);
    const offered = (await app.callAs('employee-rta', getVisibleAgencies)).body;
    expect(offered).toEqual(namesOfAll.filter(({ id }) => id === own));
    const { id: foreignId } = await stage.findService(freeService);
    for (const SearchKeyword of [undefined, 'خدمة', 'renew']) {
      const query = { SearchKeyword };
      const services = (await app.callAs('employee-rta', getVisibleServices, { query })).body;
      const ofOthers = await app.database
        .selectFrom('services')
        .select('id')
        .where('id', 'in', services.map(({ id }) => id).concat(0))
        .where('agency_id', '<>', own)
        .execute();
      expect(ofOthers, SearchKeyword).toEqual([]);
    }
    const { name } = await stage.findService(freeService);
    const found = async (username: string) =>
      (await app.callAs(username, getVisibleServices, { query: { SearchKeyword: name } })).body.map(
        ({ id }) => id,
      );
    expect(await found('employee')).toContain(foreignId);
    expect(await found('employee-rta')).not.toContain(foreignId);
  });

  it('finds nothing by a filter of another agency, exports nothing and gives no reason to look', async () => {
    const { requestId, requestNumber } = await stage.send('individual', freeService);
    const other = String(await agencyOf(freeService));
    for (const query of [{}, { SortBy: 'due' }, { SortBy: 'agency' }, { SearchKeyword: 'dw' }])
      expect(
        await list('employee-rta', { ...query, GovernmentAgencyId: other }),
        JSON.stringify(query),
      ).toMatchObject({ items: [], totalCount: 0 });
    const choice = { keyword: requestNumber, from: '', to: '', sort: 'desc', isMine: false };
    const filter = { list: 'all', name: requestNumber, choice };
    expect((await app.callAs('employee', saveFilter, { body: filter as never })).status).toBe(200);
    expect(
      (await app.callAs('employee-rta', getSavedFilters)).body.map(({ name }) => name),
    ).not.toContain(requestNumber);
    const given = await app.callAs('employee-rta', giveReasonForReading, {
      body: { requestId, reason: 'number', requestNumber },
    });
    expect(given.refused.error).toBe('RequestNotFound');
    expect(
      await app.database
        .selectFrom('request_reads')
        .select('reader_id')
        .where('request_id', '=', requestId)
        .execute(),
    ).toEqual([]);
    const exported = allCalls.filter(({ isExport }) => isExport);
    expect(exported.length).toBeGreaterThan(3);
    for (const call of exported)
      expect([call.name, (await app.callAs('employee-rta', call, {} as never)).status]).toEqual([
        call.name,
        403,
      ]);
  });

  it('counts what the own lists hold', async () => {
    await stage.send('individual', freeService);
    await stage.sendAndReceive('individual', paidService);
    const statusIds = (await list('employee-rta')).items.map(({ statusId }) => statusId);
    const { body: statuses } = await app.callAs('employee-rta', getAllStatuses);
    const ofGroup = (group: string) =>
      statuses
        .filter(({ countsAs }) => countsAs === group)
        .flatMap(({ statusId }) => statusIds.filter((each) => each === statusId)).length;
    expect(await counts('employee-rta')).toEqual({
      new: ofGroup('new'),
      processing: ofGroup('processing'),
    });
    for (const query of [{}, { StatusIds: '4' }, { StatusIds: '3,4,5' }]) {
      const { items, totalCount } = await list('employee-rta', query);
      expect(totalCount).toBe(items.length);
    }
  });

  it('gets figures of these agencies alone, where another role lets them read figures', async () => {
    await stage.send('individual', freeService);
    await stage.sendAndReceive('individual', paidService);
    const company = await app.database
      .selectFrom('users')
      .select('company_id')
      .where('username', '=', 'company')
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('users')
      .set({ ...company, roles: ['Employee', 'CompanyUser'] })
      .where('username', '=', 'employee-rta')
      .execute();
    const count = (await list('employee-rta')).totalCount;
    const query = { DateFrom: '2026-01-01' };
    const { body: figures } = await app.callAs('employee-rta', getRequestFigures, { query });
    expect(figures.standing.reduce((sum, each) => sum + each.count, 0)).toBe(count);
    expect(figures.current.created).toBe(count);
    expect(figures.services.map(({ governmentAgency }) => governmentAgency.id)).toEqual([
      await agencyOf(paidService),
    ]);
    const { body: groups } = await app.callAs('employee-rta', getFigureGroups, {
      query: { ...query, By: 'agency' },
    });
    expect(groups.groups.map(({ id }) => Number(id))).toEqual([await agencyOf(paidService)]);
    expect(groups.total.created).toBe(count);
  });

  it('without an agency sees nothing', async () => {
    await setAgencies('employee-moi', []);
    await stage.send('individual', freeService);
    expect(await list('employee-moi')).toMatchObject({ items: [], totalCount: 0 });
    expect(await counts('employee-moi')).toEqual({ new: 0, processing: 0 });
  });

  it('keeps no notification of a request whose agency they lost', async () => {
    const roads = await agencyOf(paidService);
    await setAgencies('employee-moi', [roads]);
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const holderId = await app.idOf('employee-moi');
    await stage.performAction('employee', reassignRequest, { requestId, holderId });
    const seen = async () => (await app.callAs('employee-moi', getNotifications)).body;
    expect(await seen()).toMatchObject({ totalCount: 1, unreadCount: 1 });
    await setAgencies('employee-moi', []);
    expect(await seen()).toMatchObject({ items: [], totalCount: 0, unreadCount: 0 });
  });

  it('gets no mail of a request whose agency they lost', async () => {
    const roads = await agencyOf(paidService);
    const userId = await app.idOf('employee-moi');
    await app.callAs('employee-moi', saveNotificationSetting, {
      body: { kind: 'worked', inPortal: true, byMail: true, bySms: false, byPush: false },
    });
    const mailsOf = async (agencyIds: readonly number[]) => {
      await setAgencies('employee-moi', [roads]);
      const { requestId, requestNumber } = await stage.sendAndReceive('individual', paidService);
      const holderId = userId;
      await stage.performAction('employee', reassignRequest, { requestId, holderId });
      await stage.performAction('employee-moi', approveRequest, { requestId });
      await setAgencies('employee-moi', agencyIds);
      await stage.performAction('supervisor', acceptRequest, { requestId });
      const notices = () =>
        app.database
          .selectFrom('notifications')
          .select('due_at')
          .where('request_id', '=', requestId)
          .where('user_id', '=', userId)
          .where('kind', '=', 'worked')
          .execute();
      await expect.poll(notices, waiting).toEqual([{ due_at: null }]);
      return app.database
        .selectFrom('messages')
        .select('channel')
        .where('user_id', '=', userId)
        .where('subject', 'like', `%${requestNumber}%`)
        .execute();
    };
    const assigned = [{ channel: 'email' }];
    expect(await mailsOf([])).toEqual(assigned);
    expect(await mailsOf([roads])).toEqual([...assigned, { channel: 'email' }]);
  });

  it('of several agencies, and of many, sees the requests of each once', async () => {
    const [rta, labour] = [await agencyOf(paidService), await agencyOf(freeService)];
    const { requestNumber } = await stage.send('individual', freeService);
    const { rows } = await sql<{ id: number }>`
      select id
      from agencies
      where id not in (${rta}, ${labour})
      order by id
      limit 9`.execute(app.database);
    const others = rows.map(({ id }) => id);
    for (const rest of [[], others]) {
      await setAgencies('employee-moi', [labour, ...rest]);
      const numbers = await numbersOf('employee-moi');
      expect(numbers).toContain(requestNumber);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect((await list('employee-moi')).totalCount).toBe(numbers.length);
      const ofLabour = await numbersOf('employee-moi', { GovernmentAgencyId: labour });
      expect(ofLabour).toContain(requestNumber);
      expect(ofLabour.length < numbers.length).toBe(rest.length > 0);
      // The next call of the same session knows the change.
      await setAgencies('employee-moi', rest);
      expect(await numbersOf('employee-moi')).not.toContain(requestNumber);
    }
  });
});

describe('a live connection of an employee of some agencies', () => {
  it('hears of the counts, lists and requests of these agencies alone', async () => {
    await setAgencies('employee-moi', [await agencyOf(freeService)]);
    const [labour, traffic, all] = [
      await listen('employee-moi'),
      await listen('employee-rta'),
      await listen('employee'),
    ];
    const sent = await stage.send('individual', freeService);
    await expect.poll(() => labour.events(), waiting).toContain('requestCreated');
    await stage.receive('employee', sent.requestId);
    await stage.performAction('employee', approveRequest, { requestId: sent.requestId });
    await expect.poll(() => all.events(), waiting).toContain('requestSubmitted');
    await expect
      .poll(() => labour.events(), waiting)
      .toEqual(all.events().filter((event) => event !== 'notificationsChanged'));
    const given = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', reassignRequest, {
      requestId: given.requestId,
      holderId: await app.idOf('employee2'),
    });
    const lists = ({ received }: Listener) =>
      received.flatMap(({ event, sequence }) => (event === 'listsChanged' ? [sequence] : []));
    await expect.poll(() => lists(labour).length, waiting).toBeGreaterThan(0);
    await traffic.connection.invoke(followMethod, [sent.requestId]);
    await stage.sendAndReceive('individual', paidService);
    await expect.poll(() => traffic.events(), waiting).toContain('requestProcessing');
    expect(lists(traffic).filter((sequence) => lists(labour).includes(sequence))).toEqual([]);
    expect(traffic.events().filter((event) => event === 'requestCreated')).toHaveLength(1);
    expect(labour.events().filter((event) => event === 'requestCreated')).toHaveLength(2);
    const { body } = await app.callAs('employee', getRequestViewers, {
      query: { RequestId: sent.requestId },
    });
    expect(body).toEqual([]);
  });

  it('ends when the agencies change, and hears the new ones when it is open again', async () => {
    await setAgencies('employee-moi', [await agencyOf(paidService)]);
    const listener = await listen('employee-moi');
    await setAgencies('employee-moi', [await agencyOf(freeService)]);
    await sql`select pg_notify('diwan_access', ${await app.idOf('employee-moi')})`.execute(
      app.database,
    );
    await expect.poll(() => listener.connection.state, waiting).toBe('Disconnected');
    const again = await listen('employee-moi');
    await stage.send('individual', freeService);
    await expect.poll(() => again.events(), waiting).toContain('requestCreated');
    expect(listener.events()).not.toContain('requestCreated');
  });
});

it('a service provider filters by what has reached it', async () => {
  const offered = async (username: string) => ({
    agencies: (await app.callAs(username, getVisibleAgencies)).body.map(({ id }) => id),
    services: (await app.callAs(username, getVisibleServices)).body.map(({ id }) => id),
  });
  const seen = async (username: string) => {
    const { items } = await list(username);
    return {
      agencies: new Set(items.map(({ governmentAgency }) => governmentAgency.id)),
      services: new Set(items.map(({ serviceId }) => serviceId)),
    };
  };
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  await stage.performAction('employee', approveRequest, { requestId });
  expect((await offered('supervisor')).agencies).toContain(await agencyOf(paidService));
  expect((await offered('supervisor2')).agencies).not.toContain(await agencyOf(paidService));
  for (const username of ['supervisor', 'supervisor2']) {
    const own = await seen(username);
    const { agencies, services } = await offered(username);
    expect(new Set(agencies), username).toEqual(own.agencies);
    expect(
      services.filter((each) => !own.services.has(each)),
      username,
    ).toEqual([]);
    expect(services.length, username).toBe(Math.min(own.services.size, 15));
  }
  const { id, name } = await stage.findService(paidService);
  const { body } = await app.callAs('supervisor', getVisibleServices, {
    query: { SearchKeyword: name },
  });
  expect(body.map((service) => service.id)).toContain(id);
});
