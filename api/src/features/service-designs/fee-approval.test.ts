import { describe, expect, it } from 'vitest';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { insertSpareAdmin } from '#testing/well-formed/accounts.ts';
import { maximumLineFils } from '@diwan/contract/catalogue/fees';
import * as designs from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import {
  getCatalogueJob,
  prepareBulkChange,
  prepareCatalogueImport,
  runCatalogueJob,
  type CatalogueJob,
} from '@diwan/contract/catalogue/transfer';
import { findFeeChanges } from '../services/fee-changes.actions.ts';
import { publishDueServices } from './publish-service.actions.ts';

const limit = 100_000;
const app = useTestApp({ FEE_APPROVAL_ABOVE: String(limit) });
const stage = openRequestStage(app);
const text = (english: string) => ({ 'ar-EG': 'نص', 'en-US': english, 'ur-PK': 'متن' });
const fee = (amount: number, name = 'only') => ({
  name,
  title: text('Only fee'),
  amount,
  vatRate: 0,
});

let made = 0;
async function insertAdmin() {
  const admin = await insertSpareAdmin(app, `pricer${(made += 1)}`);
  const name = `Pricer ${made}`;
  await app.database
    .updateTable('users')
    .set({ full_name: name })
    .where('id', '=', admin.id)
    .execute();
  return { ...admin, name };
}
type Admin = Awaited<ReturnType<typeof insertAdmin>>;

const read = async ({ token }: Admin, serviceId: number) =>
  (await app.call(designs.getServiceDesign, { token, query: { serviceId } })).body;
const amountOf = async (serviceId: number) => {
  const { fees } = await app.database
    .selectFrom('services')
    .select('fees')
    .where('id', '=', serviceId)
    .executeTakeFirstOrThrow();
  return fees.map(({ amount }) => amount);
};
const versionsOf = async ({ token }: Admin, serviceId: number) =>
  (await app.call(designs.getServiceVersions, { token, query: { serviceId } })).body;
const newest = (serviceId: number) =>
  app.database
    .selectFrom('service_versions')
    .select(['origin', 'published_by', 'confirmed_by'])
    .where('service_id', '=', serviceId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Saves a change of a service and asks to publish it. */
async function ask(
  admin: Admin,
  serviceId: number,
  change: (document: DraftDocument) => void,
  at?: string,
) {
  const { document, version } = await read(admin, serviceId);
  change(document);
  const saved = await app.call(designs.saveServiceDraft, {
    token: admin.token,
    body: { serviceId, version, document: JSON.stringify(document) },
  });
  return app.call(designs.publishService, {
    token: admin.token,
    body: { serviceId, version: saved.body.version, at },
  });
}
const askFee = (admin: Admin, serviceId: number, amount: number, at?: string) =>
  ask(admin, serviceId, (document) => void (document.fees = [fee(amount)]), at);
const decide = (
  { token }: Admin,
  serviceId: number,
  waiting: designs.WaitingPublication | undefined,
  isConfirmed = true,
) =>
  app.call(designs.decidePublication, {
    token,
    body: { serviceId, id: waiting?.id ?? 0, isConfirmed },
  });

/** A separate published service with one fee, which it has had for longer than a day. */
async function insertService(amount: number) {
  const { id: original } = await stage.findService('renew-trade-licence');
  const { id } = await app.database
    .insertInto('services')
    .columns([
      'replaced_name',
      'name',
      'description',
      'agency_id',
      'category_id',
      'form',
      'attachments',
      'fees',
      'working_days',
      'terms',
      'steps',
      'result',
    ])
    .expression((builder) =>
      builder
        .selectFrom('services')
        .select((each) => [
          each.val(`priced-${(made += 1)}`).as('replaced_name'),
          'name',
          'description',
          'agency_id',
          'category_id',
          'form',
          'attachments',
          each.cast<string>(each.val(JSON.stringify([fee(amount)])), 'jsonb').as('fees'),
          'working_days',
          'terms',
          'steps',
          'result',
        ])
        .where('id', '=', original),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.database
    .insertInto('service_account_types')
    .values({ service_id: id, account_type_id: 1 })
    .execute();
  return id;
}

const percentage = (rate: number, maximum?: number) => ({
  ...fee(0),
  percentOf: 'price',
  rate,
  ...(maximum === undefined ? {} : { maximum }),
});

it('sums what fees change by, the whole amount where the rule of a fee changes', () => {
  const sum = (before: object[], after: object[]) =>
    findFeeChanges(before as never, after as never).sum;
  expect([
    sum([fee(500)], [fee(700)]),
    sum([fee(700)], [fee(500)]),
    sum([fee(500)], [{ ...fee(500), title: text('Another title') }]),
    sum([fee(500)], [{ ...fee(500), per: 'copies' }]),
    sum([fee(500)], []),
    sum([], [fee(500, 'one'), fee(600, 'other')]),
    sum([fee(500, 'one')], [fee(500, 'renamed')]),
    sum([fee(0)], [percentage(400, 90_000)]),
    sum([percentage(400, 90_000)], [percentage(500, 90_000)]),
    sum([percentage(400, 90_000)], [percentage(400)]),
    sum([percentage(400)], [{ ...percentage(400), amount: 30 }]),
  ]).toEqual([200, 200, 0, 500, 500, 1100, 1000, 90_000, 90_000, maximumLineFils, 30]);
});

describe('a publication that changes fees by more than the limit', () => {
  it('waits: visitors pay the old fee, and everybody who edits sees before and after', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(20_000);
    const { status, body } = await askFee(asker, serviceId, 20_001 + limit);
    expect(status).toBe(200);
    const fees = [{ title: text('Only fee'), before: 20_000, after: 20_001 + limit }];
    expect(body.waiting).toMatchObject({ isOwn: true, fees });
    expect((await read(other, serviceId)).waiting).toMatchObject({ isOwn: false, fees });
    expect(await newest(serviceId)).toMatchObject({ origin: 'outside', published_by: null });
    expect(await amountOf(serviceId)).toEqual([20_000]);
    const { token } = other;
    const list = (await app.call(designs.getWaitingPublications, { token })).body;
    expect(list.find((each) => each.serviceId === serviceId)).toMatchObject({ isOwn: false });
    expect((await decide(other, serviceId, body.waiting)).status).toBe(200);
    expect(await newest(serviceId)).toEqual({
      origin: 'designer',
      published_by: asker.id,
      confirmed_by: other.id,
    });
    const [confirmed, outside] = await versionsOf(other, serviceId);
    const askedAt = body.waiting!.askedAt;
    expect(confirmed).toMatchObject({
      by: asker.name,
      confirmation: { by: other.name, askedAt },
    });
    expect(confirmed!.confirmation!.at! > askedAt).toBe(true);
    expect(outside!.confirmation).toBeUndefined();
    expect(await amountOf(serviceId)).toEqual([20_001 + limit]);
    expect((await decide(other, serviceId, body.waiting)).refused.error).toBe(
      'DecisionNotPossible',
    );
  });

  it('needs nobody up to the limit, and in parts no less', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(20_000);
    const first = await askFee(asker, serviceId, 20_000 + limit);
    expect(first.body.waiting).toBeUndefined();
    expect(await amountOf(serviceId)).toEqual([20_000 + limit]);
    const second = await askFee(asker, serviceId, 20_001 + limit);
    expect(second.body.waiting).toBeDefined();
    await decide(other, serviceId, second.body.waiting);
    // What was confirmed does not count.
    expect((await askFee(asker, serviceId, 20_001 + 2 * limit)).body.waiting).toBeUndefined();
  });

  it('is refused or taken back, and its draft stays', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(0);
    const { body } = await askFee(asker, serviceId, limit + 1);
    const refused = await decide(other, serviceId, body.waiting, false);
    expect(refused.body.waiting).toBeUndefined();
    expect(refused.body.document.fees).toEqual([fee(limit + 1)]);
    const again = await askFee(asker, serviceId, limit + 2);
    const cancelled = await app.call(designs.cancelPublication, {
      token: asker.token,
      body: { serviceId, version: again.body.version },
    });
    expect(cancelled.body.waiting).toBeUndefined();
    expect((await decide(other, serviceId, again.body.waiting)).refused.error).toBe(
      'DecisionNotPossible',
    );
    expect(await amountOf(serviceId)).toEqual([0]);
  });

  it('waits no longer once its draft is changed', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(0);
    const { body } = await askFee(asker, serviceId, limit + 1);
    const { document, version } = body;
    await app.call(designs.saveServiceDraft, {
      token: asker.token,
      body: {
        serviceId,
        version,
        document: JSON.stringify({ ...document, fees: [fee(9 * limit)] }),
      },
    });
    expect((await decide(other, serviceId, body.waiting)).refused.error).toBe(
      'DecisionNotPossible',
    );
    expect(await amountOf(serviceId)).toEqual([0]);
  });

  it('happens at its time once it is confirmed, and not without', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(0);
    const at = new Date(Date.now() + 3_600_000);
    const { body } = await askFee(asker, serviceId, limit + 1, at.toISOString());
    expect(body.waiting?.publishAt).toBe(at.toISOString());
    const context = {
      database: app.serverDatabase,
      catalogue: { refresh: async () => undefined },
      workflow: { refresh: async () => undefined },
      now: () => at,
      feeApprovalAbove: limit,
    };
    await publishDueServices(context);
    expect((await read(other, serviceId)).waiting).toBeDefined();
    const confirmed = await decide(other, serviceId, body.waiting);
    expect(confirmed.body).toMatchObject({ publishAt: at.toISOString() });
    expect(confirmed.body.waiting).toBeUndefined();
    const confirmedBefore = Date.now();
    await publishDueServices(context);
    const [version] = await versionsOf(asker, serviceId);
    const { by, askedAt, at: confirmedAt } = version!.confirmation!;
    expect({ by, askedAt }).toEqual({ by: other.name, askedAt: body.waiting!.askedAt });
    expect(new Date(confirmedAt!).getTime()).toBeLessThanOrEqual(confirmedBefore);
    expect(await newest(serviceId)).toMatchObject({
      published_by: asker.id,
      confirmed_by: other.id,
    });
    // A time that was set while the limit was higher is not stored.
    const later = new Date(Date.now() + 7_200_000);
    await askFee(asker, serviceId, limit + 2, later.toISOString());
    await publishDueServices({ ...context, now: () => later, feeApprovalAbove: 0 });
    expect((await read(asker, serviceId)).publishProblem).toBe('PublicationNeedsSecondPerson');
  });

  it('waits when an earlier version is published again', async () => {
    const [asker, other] = [await insertAdmin(), await insertAdmin()];
    const serviceId = await insertService(2 * limit);
    const { body } = await askFee(asker, serviceId, 0);
    await decide(other, serviceId, body.waiting);
    const restore = () =>
      app.call(designs.restoreServiceVersion, {
        token: asker.token,
        body: { serviceId, number: 1 },
      });
    const asked = (await restore()).body;
    expect(asked.waiting).toMatchObject({
      restoredFrom: 1,
      fees: [{ before: 0, after: 2 * limit }],
    });
    const taken = await app.call(designs.cancelPublication, {
      token: asker.token,
      body: { serviceId, version: 0 },
    });
    expect(taken.body.waiting).toBeUndefined();
    const { waiting } = (await restore()).body;
    expect((await decide(other, serviceId, waiting)).status).toBe(200);
    expect(await newest(serviceId)).toMatchObject({ origin: 'restored', confirmed_by: other.id });
    expect(await amountOf(serviceId)).toEqual([2 * limit]);
  });

  describe('is no change of many services or of a file, which ask nobody', () => {
    const bulk = async (serviceId: number, value: number) =>
      (
        await app.callAs('admin', prepareBulkChange, {
          body: { serviceIds: [serviceId], fee: { change: 'set', value } },
          language: 'en-US',
        })
      ).body;
    async function file(serviceId: number, value: number) {
      const { replaced_name: replacedName } = await app.database
        .selectFrom('services')
        .select('replaced_name')
        .where('id', '=', serviceId)
        .executeTakeFirstOrThrow();
      const services = [{ replacedName, fees: [fee(value)] }];
      const { body } = await app.callAs('admin', prepareCatalogueImport, {
        language: 'en-US',
        query: { Format: 'json' },
        body: Buffer.from(JSON.stringify({ format: 'diwan-catalogue-1', services })),
      });
      return body;
    }
    async function run({ jobId }: Pick<CatalogueJob, 'jobId'>) {
      const { status } = await app.callAs('admin', runCatalogueJob, { body: { jobId } });
      expect(status).toBe(200);
      const state = async () =>
        (await app.callAs('admin', getCatalogueJob, { query: { jobId } })).body.state;
      await expect.poll(state).toBe('done');
    }
    const tooMuch = [
      { column: 'fees', message: expect.stringContaining('another person must confirm') },
    ];

    it.each([
      ['many services', bulk],
      ['a file', file],
    ])('%s: not above the limit, and in parts no less', async (_, change) => {
      const serviceId = await insertService(20_000);
      expect((await change(serviceId, 20_001 + limit)).problems).toMatchObject(tooMuch);
      const first = await change(serviceId, 20_000 + limit);
      expect(first.problems).toEqual([]);
      await run(first);
      expect((await change(serviceId, 20_001 + limit)).problems).toMatchObject(tooMuch);
      // What the designer publishes after it counts from the same fees.
      const editor = await insertAdmin();
      expect((await askFee(editor, serviceId, 20_001 + limit)).body.waiting).toBeDefined();
    });
  });
});

it('the second person is not who asked, nobody whom they made an administrator, and no newcomer', async () => {
  const asker = await insertAdmin();
  const serviceId = await insertService(0);
  const { waiting } = (await askFee(asker, serviceId, limit + 1)).body;
  expect((await decide(asker, serviceId, waiting)).refused.error).toBe('DecisionNeedsSecondPerson');
  const set = (id: string, origin: { admin_by: string } | { admin_since: Date }) =>
    app.database.updateTable('users').set(origin).where('id', '=', id).execute();
  const [invited, newcomer] = [await insertAdmin(), await insertAdmin()];
  await set(invited.id, { admin_by: asker.id });
  await set(newcomer.id, { admin_since: new Date() });
  for (const each of [invited, newcomer])
    expect((await decide(each, serviceId, waiting)).refused.error).toBe(
      'SecondPersonNotIndependent',
    );
  expect(await amountOf(serviceId)).toEqual([0]);
});
