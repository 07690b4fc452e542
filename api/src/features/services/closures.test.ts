import { expect, it, vi } from 'vitest';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  closeService,
  closeServices,
  getClosableServices,
  getServiceClosures,
  openService,
  openServices,
} from '@diwan/contract/catalogue/closures';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { getDrafts, saveDraft } from '@diwan/contract/requests/drafts';
import { createRequest } from '@diwan/contract/requests/request-actions';
import type { QueryInputOf } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);

const hours = (count: number) => timeInDubai(new Date(Date.now() + count * 3_600_000));
const reason = { 'ar-EG': 'صيانة', 'en-US': 'Maintenance', 'ur-PK': 'مرمت' };
const close = (serviceId: number, changes: object = {}) =>
  app.callAs('admin', closeService, {
    body: { serviceId, reason, from: hours(-1), until: hours(2), ...changes },
    language: 'en-US',
  });
const open = (serviceId: number, version: number) =>
  app.callAs('admin', openService, { body: { serviceId, version } });
const closureOf = async (serviceId: number) =>
  (await app.call(getService, { query: { serviceId }, language: 'en-US' })).body.closure;
/** Sends a request that is complete; the second time a request is a new one. */
async function send(serviceId: number) {
  const { body } = await app.call(getService, { query: { serviceId } });
  const attachmentIds = await uploadRequiredDocuments(app, await app.signIn('individual'), body);
  return app.callAs('individual', createRequest, {
    body: {
      serviceId,
      answers: makeAnswers(body.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
    language: 'en-US',
  });
}

it('takes no new requests while it is closed; drafts and lists show it, and it opens again', async () => {
  const { id: serviceId } = await stage.findService(freeService);
  const draftId = crypto.randomUUID();
  const saveRevision = (revision: number) =>
    app.callAs('individual', saveDraft, {
      body: { draftId, serviceId, revision, answers: {}, attachmentIds: [], passed: [] },
    });
  expect((await saveRevision(0)).status).toBe(200);
  const closed = await close(serviceId);
  expect(closed.body).toEqual({ version: 1 });
  expect(await closureOf(serviceId)).toEqual({
    reason: 'Maintenance',
    until: expect.stringMatching(/Z$/),
  });
  const query = { SearchKeyword: (await stage.findService(freeService)).name };
  const { items } = (await app.call(getServices, { query })).body;
  expect(items.filter(({ closure }) => closure).map(({ id }) => id)).toEqual([serviceId]);
  const refused = await send(serviceId);
  expect([refused.status, refused.refused.error]).toEqual([400, 'ServiceClosed']);
  expect(refused.refused.message).toMatch(/^This service is closed until .*\. Maintenance Your/);
  expect((await saveRevision(1)).status).toBe(200);
  const drafts = () => app.callAs('individual', getDrafts, { language: 'en-US' });
  expect((await drafts()).body).toEqual([
    expect.objectContaining({
      isOffered: true,
      closure: { reason: 'Maintenance', until: expect.stringMatching(/Z$/) },
    }),
  ]);

  expect((await open(serviceId, 7)).refused.error).toBe('RecordHasChanged');
  expect((await open(serviceId, 1)).status).toBe(200);
  expect(await closureOf(serviceId)).toBeUndefined();
  expect((await drafts()).body.map(({ closure }) => closure)).toEqual([undefined]);
  expect((await send(serviceId)).status).toBe(200);
  const changes = await app.callAs('admin', getChanges, {
    query: { Entity: 'service', EntityId: String(serviceId) },
  });
  expect(changes.body.items.map(({ fields }) => fields.map(({ field }) => field))).toEqual([
    ['closed'],
    expect.arrayContaining(['closed', 'reason', 'from', 'until']),
  ]);
});

it('closes and opens by the clock', async () => {
  await close(2, { from: hours(1), until: hours(3) });
  expect(await closureOf(2)).toBeUndefined();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  try {
    expect(await closureOf(2)).toMatchObject({ reason: 'Maintenance' });
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    expect(await closureOf(2)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('reaches a process by the notification of PostgreSQL', async () => {
  await app.database
    .insertInto('service_closures')
    .values({ service_id: 3, reason: JSON.stringify(reason), closed_from: new Date(0) })
    .execute();
  await expect.poll(() => closureOf(3), { timeout: 4000 }).toEqual({ reason: 'Maintenance' });
});

it('a change needs the version that was read, and an open-ended closure says so', async () => {
  expect((await close(4, { until: undefined })).body).toEqual({ version: 1 });
  expect((await close(4)).refused.error).toBe('RecordHasChanged');
  const both = await Promise.all([close(4, { version: 1 }), close(4, { version: 1 })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const { body } = await app.callAs('admin', getServiceClosures, { language: 'en-US' });
  expect(body.find(({ serviceId }) => serviceId === 4)).toMatchObject({ reason, version: 2 });
});

it.each([
  [{ until: hours(-2) }, 'until'],
  [{ from: hours(-5), until: hours(-4) }, 'until'],
  [{ from: 'tomorrow' }, 'from'],
  [{ reason: { ...reason, 'ar-EG': '' } }, 'reason.ar-EG'],
])('refuses %j', async (changes, field) => {
  expect(Object.keys((await close(5, changes)).refused.errors ?? {})).toEqual([field]);
});

it('refuses a service that does not exist', async () => {
  expect((await close(99_999)).refused.error).toBe('ServiceNotFound');
  expect((await open(99_999, 1)).refused.error).toBe('ServiceNotFound');
});

const find = async (query: QueryInputOf<typeof getClosableServices>) =>
  (await app.callAs('admin', getClosableServices, { query })).body;
const ids = (services: { serviceId: number }[]) => services.map(({ serviceId }) => serviceId);
const closeAll = (serviceIds: number[]) =>
  app.callAs('admin', closeServices, { body: { serviceIds, reason, from: hours(-1) } });
const openAll = (serviceIds: number[]) =>
  app.callAs('admin', openServices, { body: { serviceIds } });

it('closes and opens many services at the same time', async () => {
  const { governmentAgency } = (await app.call(getService, { query: { serviceId: 1 } })).body;
  const filter = { AgencyId: governmentAgency.id };
  const before = await find(filter);
  expect(before.open.length).toBeGreaterThan(2);
  const [alone = 0, left = 0, ...others] = ids(before.open);
  await close(alone, { reason: { ...reason, 'en-US': 'Its own' } });
  // One of those that were seen has been closed meanwhile.
  expect((await closeAll([alone, ...others])).refused.error).toBe('RecordHasChanged');
  expect(ids((await find(filter)).open)).toEqual([left, ...others]);
  expect((await closeAll([...others, 99_999])).refused.error).toBe('ServiceNotFound');
  expect((await closeAll(others)).body).toEqual({ closed: others.length });
  // What was left out stays open.
  expect(ids((await find(filter)).open)).toEqual([left]);
  expect((await closureOf(alone))?.reason).toBe('Its own');
  expect((await closureOf(others[0] ?? 0))?.reason).toBe('Maintenance');
  const { body: changes } = await app.callAs('admin', getChanges, {
    query: { Entity: 'service', EntityId: String(others[0]) },
  });
  expect(changes.items[0]).toMatchObject({ action: 'changed', username: 'admin' });
  const closed = ids((await find(filter)).closed);
  expect((await openAll([left, ...closed])).refused.error).toBe('RecordHasChanged');
  expect(ids((await find(filter)).closed)).toEqual(closed);
  expect((await openAll(closed)).body).toEqual({ opened: closed.length });
  // Earlier tests have closed some of them.
  expect(ids((await find(filter)).open).toSorted()).toEqual(
    [...ids(before.open), ...ids(before.closed)].toSorted(),
  );
  const late = await close(alone, { until: hours(-2) });
  expect(Object.keys(late.refused.errors ?? {})).toEqual(['until']);
});

it('finds services to close by agency, category and a part of the name, never by meaning', async () => {
  const all = await app.database
    .selectFrom('services')
    .select(['id', 'name', 'agency_id', 'category_id'])
    .where('deleted_at', 'is', null)
    .execute();
  const found = async (query: QueryInputOf<typeof getClosableServices>) => {
    const { open: opened, closed } = await find(query);
    return [...ids(opened), ...ids(closed)].toSorted((one, other) => one - other);
  };
  const expected = (holds: (service: (typeof all)[number]) => boolean) =>
    all
      .filter(holds)
      .map(({ id }) => id)
      .toSorted((one, other) => one - other);
  expect(await found({})).toEqual(expected(() => true));
  const isVisa = ({ name }: (typeof all)[number]) =>
    Object.values(name).some((text) => /visa/i.test(text));
  const visas = await found({ Name: ' VISA ' });
  expect(visas).toEqual(expected(isVisa));
  expect(visas.length).toBeGreaterThan(1);
  const { agency_id: agencyId, category_id: categoryId } = all.find(({ id }) => id === visas[0])!;
  expect(await found({ Name: 'visa', AgencyId: agencyId })).toEqual(
    expected((service) => isVisa(service) && service.agency_id === agencyId),
  );
  expect(await found({ CategoryId: categoryId })).toEqual(
    expected((service) => service.category_id === categoryId),
  );
});
