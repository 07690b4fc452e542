import { beforeAll, describe, expect, it } from 'vitest';
import { findRequestProblems } from '#commands/find-integrity-problems.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  previewPartnerServices,
  savePartnerServices,
  type OpenRequestChoice,
} from '@diwan/contract/catalogue/partner-services';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';

const app = useTestApp();
const stage = openRequestStage(app);
let [serviceId, first, second] = [0, 0, 0];

const partnerOf = async (username: string) =>
  (
    await app.database
      .selectFrom('users')
      .select('partner_id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).partner_id!;
const listFor = async (PartnerId: number) =>
  (await app.callAs('admin', getAllServicesForUpdatingPartner, { query: { PartnerId } })).body;
const providerNow = async () =>
  (await listFor(first)).find(({ id }) => id === serviceId)!.partnerId;
const preview = (partnerId: number, isAssigned: boolean, serviceIds = [serviceId]) =>
  app.callAs('admin', previewPartnerServices, { body: { partnerId, isAssigned, serviceIds } });
const save = async (
  partnerId: number,
  isAssigned: boolean,
  openRequests: OpenRequestChoice,
  seen?: number | null,
) =>
  app.callAs('admin', savePartnerServices, {
    body: {
      partnerId,
      isAssigned,
      openRequests,
      services: [{ serviceId, partnerId: seen === undefined ? await providerNow() : seen }],
    },
  });
const partnerOfRequest = async (id: number) =>
  (
    await app.database
      .selectFrom('requests')
      .select('partner_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).partner_id;
const countsOf = async (username: string) => (await app.callAs(username, getRequestsCount)).body;

beforeAll(async () => {
  const service = await stage.findService(paidService);
  serviceId = service.id;
  [first, second] = [await partnerOf('supervisor'), await partnerOf('supervisor2')];
  // Only the requests of these tests.
  await app.database
    .updateTable('services')
    .set({ partner_id: first })
    .where('id', '=', serviceId)
    .execute();
});

describe('services of a partner', () => {
  it('are marked in the list of all, with the name of each provider', async () => {
    const all = await listFor(first);
    const own = all.filter(({ isOfPartner }) => isOfPartner);
    expect(own.length).toBeGreaterThan(1);
    expect(own.length).toBeLessThan(all.length);
    expect(own.every(({ partnerId, partnerName }) => partnerId === first && partnerName)).toBe(
      true,
    );
  });

  it('go to another one with or without their open requests', async () => {
    const { requestId: seen } = await stage.sendAndApprove('individual', paidService);
    const { requestId: waiting } = await stage.send('individual2', paidService);
    const before = await preview(second, true);
    expect(before.body.services[0]).toMatchObject({ serviceId, from: { id: first } });
    expect(before.body.openRequestsCount).toBeGreaterThanOrEqual(2);
    expect(before.body.movableCount).toBe(before.body.openRequestsCount);

    expect((await save(second, true, 'stay')).body).toEqual({
      servicesCount: 1,
      movedRequestsCount: 0,
    });
    expect(await partnerOfRequest(seen)).toBe(first);
    const { requestId: later } = await stage.send('individual', paidService);
    expect(await partnerOfRequest(later)).toBe(second);

    await save(first, true, 'stay');
    const [mine, theirs] = [await countsOf('supervisor'), await countsOf('supervisor2')];
    const moved = await save(second, true, 'move');
    expect(moved.body.movedRequestsCount).toBe(before.body.openRequestsCount);
    expect(await partnerOfRequest(waiting)).toBe(second);
    expect((await stage.read('supervisor', seen)).status).toBe(404);
    expect((await stage.read('supervisor2', seen)).status).toBe(200);
    expect((await countsOf('supervisor')).newRequestsCount).toBeLessThan(mine.newRequestsCount);
    const { newRequestsCount, sequence } = await countsOf('supervisor2');
    expect(newRequestsCount).toBeGreaterThan(theirs.newRequestsCount);
    expect(sequence).toBeGreaterThan(theirs.sequence);
    expect(await findRequestProblems(app.database)).toEqual([]);

    const { items } = (
      await app.callAs('admin', getChanges, {
        query: { Entity: 'partner', EntityId: String(second) },
      })
    ).body;
    expect(items[0]).toMatchObject({
      action: 'assigned',
      fields: [
        { field: 'servicesReceived', after: 1 },
        { field: 'movedRequests', after: moved.body.movedRequestsCount },
      ],
    });
  });

  it('are taken back without the requests that the provider has seen', async () => {
    if ((await providerNow()) !== first) await save(first, true, 'move');
    const { requestId: seen } = await stage.sendAndApprove('individual', paidService);
    const { requestId: waiting } = await stage.send('individual', paidService);
    const { body } = await preview(first, false);
    expect(body.movableCount).toBeLessThan(body.openRequestsCount);
    expect((await save(first, false, 'move')).body.movedRequestsCount).toBe(body.movableCount);
    expect(await providerNow()).toBeNull();
    expect([await partnerOfRequest(seen), await partnerOfRequest(waiting)]).toEqual([first, null]);
    expect((await stage.read('supervisor', seen)).status).toBe(200);
    expect(await findRequestProblems(app.database)).toEqual([]);
    expect((await save(first, true, 'move')).body.movedRequestsCount).toBe(body.movableCount);
  });
});

it('refuses unknown ones, what another admin has changed, and providers that are not active', async () => {
  if ((await providerNow()) !== first) await save(first, true, 'stay');
  expect((await preview(2_000_000_000, true)).refused.error).toBe('NotFound');
  expect((await preview(second, true, [2_000_000_000])).refused.error).toBe('ServiceNotFound');
  expect((await save(2_000_000_000, true, 'stay')).refused.error).toBe('NotFound');
  expect((await save(second, true, 'stay', null)).refused.error).toBe('RecordHasChanged');
  expect((await save(second, false, 'stay')).refused.error).toBe('RecordHasChanged');
  const setState = (state: 'active' | 'suspended') =>
    app.database.updateTable('partners').set({ state }).where('id', '=', second).execute();
  await setState('suspended');
  expect((await save(second, true, 'stay')).refused.error).toBe('ProviderActionNotAllowed');
  await setState('active');
  const both = await Promise.all([
    save(second, true, 'stay', first),
    save(first, false, 'stay', first),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});
