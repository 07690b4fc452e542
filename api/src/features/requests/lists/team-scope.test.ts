import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { messageTexts, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTeamStage, otherService } from '#testing/requests/team-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getProfile } from '@diwan/contract/people/users';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import { getHeldActions } from '@diwan/contract/processing/pending-actions';
import { createAttachment } from '@diwan/contract/requests/attachments';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import * as calls from '@diwan/contract/requests/request-actions';
import * as lists from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import { giveReasonForReading } from '@diwan/contract/staff/access-log';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { changeTeamReach, deleteTeam } from '@diwan/contract/staff/teams';
import { changeUserRoles, getUserById } from '@diwan/contract/staff/user-administration';

// `employee-rta` and `employee-moi` both work for the agency of `paidService` and `otherService`; the team
// of the first works on `paidService`, that of the second on `otherService`.
const app = useTestApp();
const stage = openRequestStage(app);
const teams = openTeamStage(app);
const waiting = { timeout: 20_000, interval: 20 };
const open: Listener[] = [];
let base: string;

beforeAll(async () => {
  base = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.database
    .deleteFrom('staff_agencies')
    .where('user_id', '=', await app.idOf('employee-moi'))
    .execute();
  await teams.giveAgency('employee-moi');
});
beforeEach(async () => {
  await teams.clear();
  await teams.save('Vehicles', ['employee-rta'], { services: [paidService] });
  await teams.save('Drivers', ['employee-moi'], { services: [otherService] });
});
afterEach(() => Promise.all(open.splice(0).map(({ connection }) => connection.stop())));

/** Connects when the events of earlier tests are published, and nothing waits to be released. */
async function listen(username: string): Promise<Listener> {
  const waitingRows = async () =>
    (await sql`select from hub_news union all select from access_losses`.execute(app.database))
      .rows;
  await expect.poll(waitingRows, waiting).toEqual([]);
  const listener = await listenTo({
    url: `${base}/hubs/request`,
    token: await app.signIn(username),
    skipNegotiation: true,
    hearsTopics: true,
  });
  open.push(listener);
  return listener;
}

/** A request that waits for the staff. */
async function send(service: string) {
  const sent = await stage.send('individual', service);
  await stage.pay(sent.requestId);
  return sent;
}
const list = async (username: string, query: Record<string, unknown> = {}) =>
  (await app.callAs(username, lists.getRequestsByStatusId, { query: { Take: 100, ...query } }))
    .body;
const numbersOf = async (username: string, query: Record<string, unknown> = {}) =>
  (await list(username, query)).items.map(({ requestNumber }) => requestNumber);
const counts = async (username: string) => {
  const { newRequestsCount, processingRequestsCount } = (
    await app.callAs(username, lists.getRequestsCount)
  ).body;
  return { new: newRequestsCount, processing: processingRequestsCount };
};
const stored = (id: number) =>
  app.database
    .selectFrom('requests')
    .select(['status_id', 'holder_id', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const holderOf = async (id: number) => (await stored(id)).holder_id;
const setReach = async (username: string, seesWholeAgency: boolean) =>
  app.callAs('agency-rta', changeTeamReach, {
    body: { agencyId: await teams.agency(), userId: await app.idOf(username), seesWholeAgency },
  });

describe('an employee of a team', () => {
  it('finds the requests of its services by every way, and no others by any', async () => {
    const own = await send(paidService);
    const other = await send(otherService);
    for (const query of [
      {},
      { StatusIds: '3,4' },
      { sortOrder: 'asc' },
      { SortBy: 'due' },
      { SortBy: 'total' },
      { SearchKeyword: 'dw' },
      { GovernmentAgencyId: await teams.agency() },
      { ServiceId: await teams.idOfService(otherService) },
    ]) {
      const numbers = await numbersOf('employee-rta', query);
      expect(numbers.includes(own.requestNumber), JSON.stringify(query)).toBe(
        !('ServiceId' in query),
      );
      expect(numbers, JSON.stringify(query)).not.toContain(other.requestNumber);
    }
    for (const { requestNumber, isOwn } of [
      { ...own, isOwn: true },
      { ...other, isOwn: false },
    ]) {
      const expected = isOwn ? [requestNumber] : [];
      expect(await numbersOf('employee-rta', { SearchKeyword: requestNumber })).toEqual(expected);
      const found = await app.callAs('employee-rta', lists.findAnything, {
        query: { Text: requestNumber },
      });
      expect(found.body.requests.map((each) => each.requestNumber)).toEqual(expected);
      const { body } = await app.callAs('employee-rta', lists.getRequestByRequestNoOrMobileNoV2, {
        query: { SearchKeyword: requestNumber },
      });
      expect(body.totalCount).toBe(expected.length);
    }
    const { body: services } = await app.callAs('employee-rta', lists.getVisibleServices);
    expect(services.map(({ id }) => id)).toEqual([await teams.idOfService(paidService)]);
    expect((await stage.read('employee-rta', own.requestId)).status).toBe(200);
    expect((await stage.read('employee-rta', other.requestId)).status).toBe(404);
    expect((await stage.receive('employee-rta', other.requestId)).status).toBe(404);
    expect((await stage.read('employee-moi', other.requestId)).status).toBe(200);
  });

  it('counts what the own lists hold', async () => {
    await send(otherService);
    await send(paidService);
    const taken = await send(paidService);
    await stage.receive('employee-rta', taken.requestId);
    const statusIds = (await list('employee-rta')).items.map(({ statusId }) => statusId);
    const { body: statuses } = await app.callAs('employee-rta', lists.getAllStatuses);
    const ofGroup = (group: string) =>
      statuses
        .filter(({ countsAs }) => countsAs === group)
        .flatMap(({ statusId }) => statusIds.filter((each) => each === statusId)).length;
    expect(await counts('employee-rta')).toEqual({
      new: ofGroup('new'),
      processing: ofGroup('processing'),
    });
    expect(ofGroup('processing')).toBeGreaterThan(0);
    for (const query of [{}, { StatusIds: '4' }, { StatusIds: '3,4,5' }]) {
      const { items, totalCount } = await list('employee-rta', query);
      expect(totalCount).toBe(items.length);
    }
  });

  it('gets figures of its work alone, where another role lets them read figures', async () => {
    await send(otherService);
    await send(paidService);
    const [user, company] = await Promise.all(
      ['employee-rta', 'company'].map((username) =>
        app.database
          .selectFrom('users')
          .select(['roles', 'company_id'])
          .where('username', '=', username)
          .executeTakeFirstOrThrow(),
      ),
    );
    const setRoles = (roles: string[], company_id: number | null) =>
      app.database
        .updateTable('users')
        .set({ roles, company_id })
        .where('username', '=', 'employee-rta')
        .execute();
    await setRoles(['Employee', 'CompanyUser'], company?.company_id ?? null);
    const count = (await list('employee-rta')).totalCount;
    const query = { DateFrom: '2026-01-01' };
    const { body: figures } = await app.callAs('employee-rta', getRequestFigures, { query });
    const { body: groups } = await app.callAs('employee-rta', getFigureGroups, {
      query: { ...query, By: 'service' },
    });
    await setRoles(user?.roles ?? [], null);
    expect(figures.current.created).toBe(count);
    expect(groups.groups.map(({ id }) => Number(id))).toEqual([
      await teams.idOfService(paidService),
    ]);
  });

  it('adds no document to a request of another team', async () => {
    const [own, other] = [await send(paidService), await send(otherService)];
    const add = async (requestId: number, service: string) =>
      (
        await app.callAs('employee-rta', createAttachment, {
          body: {
            serviceId: await teams.idOfService(service),
            requestId,
            name: 'result',
            fileName: 'result.pdf',
            mediaType: 'application/pdf',
            size: smallPdf.length,
          },
        })
      ).status;
    expect(await add(own.requestId, paidService)).toBe(200);
    expect(await add(other.requestId, otherService)).toBe(404);
  });

  it('gives requests to those only who see them', async () => {
    await teams.save('Vehicles', ['employee-rta', 'employee-moi'], { services: [paidService] });
    const { requestId } = await send(paidService);
    await stage.receive('employee-rta', requestId);
    const colleagues = async () =>
      (
        await app.callAs('employee-rta', getColleagues, {
          query: { RequestIds: String(requestId) },
        })
      ).body.map(({ userId }) => userId);
    const colleague = await app.idOf('employee-moi');
    expect(await colleagues()).toContain(colleague);
    await teams.save('Vehicles', ['employee-rta'], { services: [paidService] });
    expect(await colleagues()).not.toContain(colleague);
    const { refused } = await stage.performAction('employee-rta', reassignRequest, {
      requestId,
      holderId: colleague,
    });
    expect(refused.error).toBe('HolderNotPossible');
  });

  it('of several teams sees the work of each once', async () => {
    await teams.save('Both', ['employee-rta'], { services: [paidService, otherService] });
    const [own, other] = [await send(paidService), await send(otherService)];
    const numbers = await numbersOf('employee-rta');
    expect(numbers).toEqual(expect.arrayContaining([own.requestNumber, other.requestNumber]));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect((await list('employee-rta')).totalCount).toBe(numbers.length);
  });

  it('who sees more chooses the work of one team; that of another team finds nothing', async () => {
    const [own, other] = [await send(paidService), await send(otherService)];
    const profile = async () => (await app.callAs('employee-rta', getProfile)).body;
    const [vehicles, drivers] = await Promise.all(
      ['Vehicles', 'Drivers'].map(
        async (name) => (await teams.read()).teams.find((team) => team.name === name)!.id,
      ),
    );
    const ownTeams = [{ id: vehicles, name: 'Vehicles' }];
    const agencyId = await teams.agency();
    expect(await profile()).toMatchObject({ limitedAgencyIds: [agencyId], teams: ownTeams });
    await setReach('employee-rta', true);
    expect(await profile()).toMatchObject({ limitedAgencyIds: [], teams: ownTeams });
    const numbers = await numbersOf('employee-rta', { TeamId: vehicles });
    expect(numbers).toContain(own.requestNumber);
    expect(numbers).not.toContain(other.requestNumber);
    expect((await list('employee-rta', { TeamId: vehicles })).totalCount).toBe(numbers.length);
    for (const username of ['employee-rta', 'individual', 'employee'])
      expect(await list(username, { TeamId: drivers }), username).toMatchObject({
        items: [],
        totalCount: 0,
      });
  });

  it('who leaves the last team sees nothing, until they may see the whole agency', async () => {
    const { requestNumber } = await send(otherService);
    await teams.save('Vehicles', [], { services: [paidService] });
    expect(await list('employee-rta')).toMatchObject({ items: [], totalCount: 0 });
    expect(await counts('employee-rta')).toEqual({ new: 0, processing: 0 });
    expect((await setReach('employee-rta', true)).status).toBe(200);
    expect(await numbersOf('employee-rta')).toContain(requestNumber);
  });
});

describe('the work of a team', () => {
  it('is also seen by those who see the whole agency; others say why they open it', async () => {
    const [own, other] = [await send(paidService), await send(otherService)];
    await setReach('employee-rta', true);
    const openAs = (requestId: number) =>
      app.callAs('employee-rta', getRequestById, { query: { RequestId: requestId } });
    expect((await openAs(own.requestId)).status).toBe(200);
    expect((await openAs(other.requestId)).refused.error).toBe('ReasonForReadingRequired');
    await app.callAs('employee-rta', giveReasonForReading, {
      body: { requestId: other.requestId, reason: 'quality' },
    });
    expect((await openAs(other.requestId)).status).toBe(200);
    // In no team, all of the agency is work.
    await teams.save('Vehicles', [], { services: [paidService] });
    const later = await send(otherService);
    expect((await openAs(later.requestId)).status).toBe(200);
  });

  it('goes back to the queue when its holder leaves the team in the middle of it', async () => {
    const { requestId } = await send(paidService);
    await stage.receive('employee-rta', requestId);
    const { version } = await stored(requestId);
    await stage.performAction('employee-rta', calls.approveRequest, {
      requestId,
      version,
      isUndoable: true,
    });
    await teams.save('Drivers', ['employee-rta'], { services: [otherService] });
    await teams.save('Vehicles', ['employee-moi'], { services: [paidService] });
    await expect.poll(() => holderOf(requestId), waiting).toBeNull();
    expect((await stored(requestId)).status_id).toBe(3);
    const { body } = await app.callAs('employee-rta', getHeldActions);
    expect(body.filter((each) => each.requestId === requestId)).toMatchObject([
      { requestId, failure: expect.any(String) },
    ]);
    const late = await stage.performAction('employee-rta', calls.approveRequest, {
      requestId,
      version,
    });
    expect(late.refused.error).toBe('RequestNotFound');
    expect(
      (await app.callAs('employee-rta', getNotifications)).body.items.filter(
        (each) => each.requestId === requestId,
      ),
    ).toEqual([]);
    expect((await stage.receive('employee-moi', requestId)).status).toBe(200);
  });

  it('goes back when its team is deleted, and nobody of it sees more than before', async () => {
    const { requestId } = await send(paidService);
    await stage.receive('employee-rta', requestId);
    const vehicles = (await teams.read()).teams.find(({ name }) => name === 'Vehicles')!;
    const { status } = await app.callAs('agency-rta', deleteTeam, {
      body: { agencyId: await teams.agency(), id: vehicles.id, version: vehicles.version },
    });
    expect(status).toBe(200);
    await expect.poll(() => holderOf(requestId), waiting).toBeNull();
    expect((await list('employee-rta')).totalCount).toBe(0);
  });

  it('of a team without members is seen by those alone who see the whole agency', async () => {
    await teams.save('Vehicles', [], { services: [paidService] });
    const { requestNumber, requestId } = await send(paidService);
    for (const username of ['employee-rta', 'employee-moi'])
      expect(await numbersOf(username), username).not.toContain(requestNumber);
    const service = (await teams.read()).services.find(({ name }) => name.includes('ehicle'));
    expect(service?.hasTeam).toBe(false);
    await setReach('employee-moi', true);
    expect(await numbersOf('employee-moi')).toContain(requestNumber);
    // Nobody of the team can be given the request.
    await stage.receive('employee', requestId);
    const { refused } = await stage.performAction('employee', reassignRequest, {
      requestId,
      holderId: await app.idOf('employee-rta'),
    });
    expect(refused.error).toBe('HolderNotPossible');
  });

  it('grows with its categories, and shrinks', async () => {
    const { services } = await teams.read();
    const other = services.find(({ name }) => name.toLowerCase().includes('licen'))!;
    const serviceId = await teams.idOfService(otherService);
    const { categoryId } = services.find(({ id }) => id === serviceId)!;
    const elsewhere = services.find((each) => each.categoryId !== categoryId)!.categoryId;
    expect(other).toBeDefined();
    const move = (category: number) =>
      app.database
        .updateTable('services')
        .set({ category_id: category })
        .where('id', '=', serviceId)
        .execute();
    await teams.save('Vehicles', ['employee-rta'], { categoryIds: [elsewhere] });
    await teams.save('Drivers', [], {});
    const { requestNumber, requestId } = await send(otherService);
    expect(await numbersOf('employee-rta')).not.toContain(requestNumber);
    const listener = await listen('employee-rta');
    await move(elsewhere);
    expect(await numbersOf('employee-rta')).toContain(requestNumber);
    // The live connection begins anew with the services that the team has now.
    await expect.poll(() => listener.connection.state, waiting).toBe('Disconnected');
    await stage.receive('employee-rta', requestId);
    await move(categoryId);
    expect(await numbersOf('employee-rta')).not.toContain(requestNumber);
    await expect.poll(() => holderOf(requestId), waiting).toBeNull();
  });

  it('ends for a service that moves to another agency, also when it comes back', async () => {
    const { requestNumber, requestId } = await send(paidService);
    await stage.receive('employee-rta', requestId);
    const [serviceId, from] = [await teams.idOfService(paidService), await teams.agency()];
    const move = (agencyId: number) =>
      app.database
        .updateTable('services')
        .set({ agency_id: agencyId })
        .where('id', '=', serviceId)
        .execute();
    await move(from === 1 ? 2 : 1);
    try {
      expect(await numbersOf('employee-rta')).not.toContain(requestNumber);
      await expect.poll(() => holderOf(requestId), waiting).toBeNull();
    } finally {
      await move(from);
    }
    expect((await teams.read()).teams.find(({ name }) => name === 'Vehicles')?.serviceIds).toEqual(
      [],
    );
    expect(await numbersOf('employee-rta')).not.toContain(requestNumber);
    const agencyOfRequest = async () =>
      (
        await app.database
          .selectFrom('requests')
          .select('agency_id')
          .where('id', '=', requestId)
          .executeTakeFirstOrThrow()
      ).agency_id;
    await expect.poll(agencyOfRequest, waiting).toBe(from);
  });
});

it('an employee who loses the agency leaves its teams, and begins with the whole agency again', async () => {
  const agencyId = await teams.agency();
  const setAgencies = async (agencyIds: number[]) => {
    const userId = await app.idOf('employee-moi');
    const { version } = (await app.callAs('admin', getUserById, { query: { UserId: userId } }))
      .body;
    const { status } = await app.callAs('admin', changeUserRoles, {
      body: { userId, version, roles: ['Employee'], agencyIds },
    });
    expect(status).toBe(200);
  };
  // A change of other agencies leaves the teams as they are.
  await setAgencies([agencyId, agencyId === 1 ? 2 : 1]);
  const { requestNumber } = await send(paidService);
  expect(await numbersOf('employee-moi')).not.toContain(requestNumber);
  await setAgencies([agencyId === 1 ? 2 : 1]);
  await setAgencies([agencyId]);
  expect(await numbersOf('employee-moi')).toContain(requestNumber);
  expect((await teams.read()).teams.flatMap(({ memberIds }) => memberIds)).toEqual([
    await app.idOf('employee-rta'),
  ]);
});

describe('a live connection of an employee of a team', () => {
  it('hears of its counts, lists and requests alone', async () => {
    const [vehicles, drivers, all] = [
      await listen('employee-rta'),
      await listen('employee-moi'),
      await listen('employee'),
    ];
    const own = await send(otherService);
    await expect.poll(() => drivers.events(), waiting).toContain('requestCreated');
    await stage.receive('employee-moi', own.requestId);
    await stage.performAction('employee-moi', calls.returnRequest, {
      requestId: own.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    const heard = ({ received }: Listener) =>
      received.filter(({ event }) => event.startsWith('request'));
    const namesOf = (listener: Listener) => heard(listener).map(({ event }) => event);
    const events = ['requestCreated', 'requestDetails', 'requestProcessing', 'requestSubmitted'];
    await expect.poll(() => namesOf(drivers), waiting).toEqual(events);
    await expect.poll(() => namesOf(all), waiting).toEqual(events);
    await send(paidService);
    await expect.poll(() => namesOf(vehicles), waiting).toEqual(['requestCreated']);
    await expect.poll(() => namesOf(all), waiting).toHaveLength(5);
    expect(namesOf(drivers)).toEqual(events);
    // The counts include the events up to the last one.
    const { body } = await app.callAs('employee-moi', lists.getRequestsCount);
    expect(body.sequence).toBe(heard(drivers).at(-1)?.sequence);
  });

  it('ends when the teams change, and hears the new ones when it is open again', async () => {
    const listener = await listen('employee-moi');
    await teams.save('Vehicles', ['employee-rta', 'employee-moi'], { services: [paidService] });
    await expect.poll(() => listener.connection.state, waiting).toBe('Disconnected');
    const again = await listen('employee-moi');
    await send(paidService);
    await expect.poll(() => again.events(), waiting).toContain('requestCreated');
    expect(listener.events()).not.toContain('requestCreated');
  });
});
