import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAnswers } from '#testing/requests/demo-request.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as designs from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { deleteService, getService, getServices } from '@diwan/contract/catalogue/services';
import type { FormField } from '@diwan/contract/forms/forms';
import { getChanges } from '@diwan/contract/people/changes';
import { exportAuditLog } from '@diwan/contract/portal/audit-log';
import { getDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { calculateCostForAnswers } from '@diwan/contract/requests/request-costs';
import { getRequestById } from '@diwan/contract/requests/requests';
import { forms } from '@diwan/contract/testing/random-forms';
import { isSameContent } from './compare-documents.ts';
import { publishDueServices } from './publish-service.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const text = (english: string) => ({ 'ar-EG': 'نص', 'en-US': english, 'ur-PK': 'متن' });

const read = async (serviceId: number) =>
  (await app.callAs('admin', designs.getServiceDesign, { query: { serviceId } })).body;
const save = (serviceId: number, version: number, document: DraftDocument) =>
  app.callAs('admin', designs.saveServiceDraft, {
    body: { serviceId, version, document: JSON.stringify(document) },
  });
const publish = (serviceId: number, version: number, at?: string) =>
  app.callAs('admin', designs.publishService, { body: { serviceId, version, at } });
const versionsOf = async (serviceId: number) =>
  (await app.callAs('admin', designs.getServiceVersions, { query: { serviceId } })).body;

/** Saves and publishes a change of a service. */
async function publishChange(serviceId: number, change: (document: DraftDocument) => void) {
  const design = await read(serviceId);
  const document = structuredClone(design.document);
  change(document);
  const saved = await save(serviceId, design.version, document);
  return publish(serviceId, saved.body.version);
}

const errorsOf = (design: { problems: designs.DesignProblem[] }) =>
  design.problems.filter(({ severity }) => severity === 'error');

const yesNo = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'yesNo',
  title: text(name),
  required: true,
  ...more,
});

it.each(designs.serviceTemplates)(
  'a service of the template %s has no errors once it is named',
  async (template) => {
    const { body } = await app.callAs('admin', designs.createServiceDraft, { body: { template } });
    const { document, version } = await read(body.serviceId);
    const { body: saved } = await save(body.serviceId, version, {
      ...document,
      replacedName: `of-template-${template}`,
      name: text(`Of the template ${template}`),
      description: text('A service'),
      result: text('A result'),
      agencyId: 1,
      categoryId: 1,
      accountTypeIds: [1],
    });
    expect(errorsOf(saved)).toEqual([]);
  },
);

/** A new published service with a condition, a document and fees by answer; free to everybody. */
async function publishNewService(replacedName: string): Promise<number> {
  const { body } = await app.callAs('admin', designs.createServiceDraft, {
    body: { template: 'certificate' },
  });
  const { document, version } = await read(body.serviceId);
  const { body: saved } = await save(body.serviceId, version, {
    ...document,
    replacedName,
    name: text('Extract of a register'),
    description: text('An extract'),
    agencyId: 1,
    categoryId: 1,
    accountTypeIds: [1],
    attachments: [],
  });
  expect(errorsOf(saved)).toEqual([]);
  expect((await publish(body.serviceId, saved.version)).status).toBe(200);
  return body.serviceId;
}

describe('a new service', () => {
  let serviceId: number;
  beforeAll(async () => {
    serviceId = await publishNewService('register-extract');
  });

  it('is found by the public after it is published, not before', async () => {
    const { body } = await app.callAs('admin', designs.createServiceDraft, {
      body: { copyOf: serviceId },
    });
    expect((await app.call(getService, { query: { serviceId: body.serviceId } })).status).toBe(404);
    const copy = await read(body.serviceId);
    expect(copy.document.name['en-US']).toBe('Copy of Extract of a register');
    expect(errorsOf(copy).map(({ code }) => code)).toEqual(['addressUnusable']);
    const found = await app.call(getServices, {
      query: { SearchKeyword: 'Extract of a register' },
    });
    expect(found.body.items[0]).toMatchObject({ id: serviceId, total: 0, feesVary: true });
    const list = await app.callAs('admin', designs.getServiceDesigns);
    expect(list.body[0]).toMatchObject({ serviceId: body.serviceId, isPublished: false });
  });

  it('costs what its answers say, on the review page and in the request', async () => {
    const { form } = (await app.call(getService, { query: { serviceId } })).body;
    const answers = { ...makeAnswers(form), copies: 3, isDelivered: true };
    const { body: cost } = await app.callAs('individual', calculateCostForAnswers, {
      body: { serviceId, answers },
    });
    // Three copies of 50 dirhams, and 20 dirhams for the delivery with 5 % VAT.
    expect(cost).toMatchObject({
      lines: [
        { name: 'copy', amount: 15_000, units: 3, unitAmount: 5000 },
        { name: 'delivery', amount: 2000, vat: 100 },
      ],
      total: 17_100,
    });
    const body = { serviceId, answers, attachmentIds: [], agreeToTermsAndConditions: true };
    const refused = await stage.create('individual', { ...body, expectedTotal: 15_000 });
    expect(refused.refused.error).toBe('TotalHasChanged');
    const sent = await stage.create('individual', { ...body, expectedTotal: cost.total });
    expect((await stage.read('individual', sent.body.requestId)).body).toMatchObject({
      total: 17_100,
      fees: cost,
    });
    const cheap = await stage.create('individual', {
      ...body,
      answers: { ...answers, copies: 1, isDelivered: false, deliveryAddress: undefined },
    });
    expect((await stage.read('individual', cheap.body.requestId)).body.total).toBe(5000);
  });

  it('takes requests only between its dates', async () => {
    const { form } = (await app.call(getService, { query: { serviceId } })).body;
    await publishChange(serviceId, (document) => void (document.availableFrom = '2999-01-01'));
    expect((await app.call(getService, { query: { serviceId } })).body.availableFrom).toBe(
      '2999-01-01',
    );
    const refused = await stage.create('individual', {
      serviceId,
      answers: makeAnswers(form),
      attachmentIds: [],
      agreeToTermsAndConditions: true,
    });
    expect(refused.refused.error).toBe('ServiceNotAvailable');
    await publishChange(serviceId, (document) => void (document.availableFrom = null));
  });
});

describe('a draft', () => {
  it('changes nothing for visitors until it is published', async () => {
    const { id } = await stage.findService('renew-trade-licence');
    const before = await read(id);
    const name = text('Another name');
    const { body } = await save(id, 0, { ...before.document, name });
    expect(body).toMatchObject({ version: 1, savedBy: expect.any(String), isOutdated: false });
    expect((await app.call(getService, { query: { serviceId: id } })).body.name).toBe(
      'Renew Trade Licence',
    );
    const differences = (
      await app.callAs('admin', designs.compareServiceVersions, { query: { serviceId: id } })
    ).body;
    expect(differences).toContainEqual({
      kind: 'changed',
      part: 'service',
      path: [],
      property: 'name',
      language: 'en-US',
      before: 'Renew Trade Licence',
      after: 'Another name',
    });
    expect(
      (
        await app.callAs('admin', designs.discardServiceDraft, {
          body: { serviceId: id, version: 1 },
        })
      ).status,
    ).toBe(200);
    expect(await read(id)).toEqual(before);
  });

  it('is recorded when it is published: each part with its titles, and what codes are called', async () => {
    const serviceId = await publishNewService('recorded-extract');
    const published = await publishChange(serviceId, (document) => {
      document.agencyId = 2;
      const [step] = document.form.steps;
      const [first] = step!.fields;
      first!.title['en-US'] = 'How many copies do you need?';
      step!.fields.push(
        yesNo('isUrgent'),
        yesNo('isSealed', { showWhen: { field: 'isUrgent', equals: true } }),
      );
    });
    expect(published.status).toBe(200);
    await publishChange(serviceId, ({ form }) => {
      form.steps[0]!.fields.at(-1)!.showWhen = { field: 'isUrgent', equals: false };
    });
    const { items } = (
      await app.callAs('admin', getChanges, {
        query: { Entity: 'service', EntityId: String(serviceId) },
      })
    ).body;
    const { form } = (await read(serviceId)).document;
    const stepTitle = form.steps[0]!.title;
    expect(items.slice(0, 2).map(({ action }) => action)).toEqual(['published', 'published']);
    expect(items[0]?.fields).toEqual([
      {
        field: 'showWhen',
        before: '{"equals":true,"field":"isUrgent"}',
        after: '{"equals":false,"field":"isUrgent"}',
        place: {
          kind: 'changed',
          part: 'field',
          path: [stepTitle, text('isSealed')],
          fieldKind: 'yesNo',
          named: [{ code: 'isUrgent', title: text('isUrgent'), kind: 'yesNo' }],
        },
      },
    ]);
    const agencies = await app.database.selectFrom('agencies').select(['id', 'name']).execute();
    const named = [1, 2].map((id) => ({
      code: String(id),
      title: agencies.find((agency) => agency.id === id)?.name,
    }));
    expect(items[1]?.fields).toEqual([
      {
        field: 'agencyId',
        before: 1,
        after: 2,
        place: { kind: 'changed', part: 'service', path: [], named },
      },
      expect.objectContaining({
        field: 'title',
        language: 'en-US',
        after: 'How many copies do you need?',
      }),
      ...['isUrgent', 'isSealed'].map((name) => ({
        field: '',
        place: {
          kind: 'added',
          part: 'field',
          path: [stepTitle, text(name)],
          fieldKind: 'yesNo',
        },
      })),
    ]);
    const { payload } = await app.server.inject({
      url: exportAuditLog.path,
      query: { Format: 'csv', Kind: 'change.service', ln: 'ar-EG' },
      headers: { authorization: `Bearer ${await app.signIn('admin')}` },
    });
    expect(payload).toMatch(/تغيّر: .*: .*\/ نص \/ يظهر عندما/);
  });

  it('of two admins keeps the first save; the second is notified', async () => {
    const { id } = await stage.findService('renew-trade-licence');
    const { document } = await read(id);
    const results = await Promise.all([
      save(id, 0, { ...document, workingDays: 5 }),
      save(id, 0, { ...document, workingDays: 6 }),
    ]);
    expect(results.map(({ refused }) => refused.error).sort()).toEqual([
      'RecordHasChanged',
      undefined,
    ]);
    const published = await Promise.all([publish(id, 1), publish(id, 1)]);
    expect(published.map(({ refused }) => refused.error).sort()).toEqual([
      'RecordHasChanged',
      undefined,
    ]);
    // The state before the designer was used, and the one publication.
    expect((await versionsOf(id)).map(({ number, origin }) => [number, origin])).toEqual([
      [2, 'designer'],
      [1, 'outside'],
    ]);
  });

  it('with errors cannot be published, and names each place', async () => {
    const { id } = await stage.findService(freeService);
    const { document } = await read(id);
    const fields = [
      yesNo('a', { showWhen: { field: 'a', equals: true } }),
      yesNo('b', { showWhen: { field: 'c', equals: true } }),
      yesNo('c', { title: { ...text('c'), 'ur-PK': ' ' } }),
    ];
    const { body } = await save(id, 0, {
      ...document,
      accountTypeIds: [],
      form: { steps: [{ name: 'only', title: text('Only'), fields }] },
      fees: [
        { name: 'fee', title: text('Fee'), amount: -1, vatRate: 500, per: 'a' },
        {
          name: 'other',
          title: text('Other'),
          amount: 1,
          vatRate: 0,
          when: { field: 'gone', equals: true },
        },
        { name: 'odd', title: text('Odd'), amount: 1, vatRate: 700 },
        { name: 'both', title: text('Both'), amount: 1, vatRate: 500, vatCategory: 'zeroRated' },
        { name: 'zero', title: text('Zero'), amount: 1, vatRate: 0, vatCategory: 'zeroRated' },
      ],
    });
    expect(
      errorsOf(body)
        .map(({ code, place }) => `${code} ${place}`)
        .sort(),
    ).toEqual([
      'accountTypeMissing accountTypeIds',
      'conditionCircle form',
      'conditionOnItself form.steps.0.fields.0.showWhen',
      'conditionOnLater form.steps.0.fields.1.showWhen',
      'conditionOnUnknown fees.1.when',
      'feeNegative fees.0.amount',
      'feePerKind fees.0.per',
      'textMissing form.steps.0.fields.2.title',
      'vatUnusable fees.2.vatRate',
      'vatUnusable fees.3.vatRate',
    ]);
    expect((await publish(id, body.version)).refused.error).toBe('ServiceHasProblems');
    const at = new Date(Date.now() + 60_000).toISOString();
    expect((await publish(id, body.version, at)).refused.error).toBe('ServiceHasProblems');
    await app.callAs('admin', designs.discardServiceDraft, {
      body: { serviceId: id, version: body.version },
    });
  });

  it('with a field that can never be shown or a form of 2000 fields is refused', async () => {
    const { id } = await stage.findService(freeService);
    const { document } = await read(id);
    const unreachable = [
      yesNo('a'),
      yesNo('b', { showWhen: { field: 'a', equals: false } }),
      yesNo('c', {
        showWhen: {
          all: [
            { field: 'a', equals: true },
            { field: 'b', answered: true },
          ],
        },
      }),
    ];
    const formOf = (fields: FormField[]) => ({
      steps: [{ name: 'only', title: text('Only'), fields }],
    });
    const first = await save(id, 0, { ...document, form: formOf(unreachable) });
    expect(errorsOf(first.body)).toMatchObject([
      { code: 'fieldUnreachable', place: 'form.steps.0.fields.2.showWhen' },
    ]);
    const many = Array.from({ length: 2000 }, (_, index) => yesNo(`f${index}`));
    const second = await save(id, first.body.version, { ...document, form: formOf(many) });
    expect(errorsOf(second.body)).toMatchObject([
      { code: 'tooManyFields', params: { count: 2000, maximum: 300 } },
    ]);
    const huge = { ...document, terms: text('x'.repeat(19_000)) };
    huge.steps = Array.from({ length: 30 }, () => text('x'.repeat(19_999)));
    expect((await save(id, second.body.version, huge)).refused.errors).toHaveProperty('document');
    const wrong = { ...document, form: { steps: [{ name: 7 }] } } as unknown as DraftDocument;
    expect((await save(id, second.body.version, wrong)).refused.errors).toHaveProperty([
      'document.form.steps.0.name',
    ]);
    await app.callAs('admin', designs.discardServiceDraft, {
      body: { serviceId: id, version: second.body.version },
    });
  });

  it('takes in what a bulk change wrote meanwhile, and cannot undo it unseen', async () => {
    const { id } = await stage.findService('pay-public-parking-fines');
    const { document } = await read(id);
    const { body } = await save(id, 0, { ...document, name: text('Mine') });
    await app.database
      .updateTable('services')
      .set({ working_days: 17 })
      .where('id', '=', id)
      .execute();
    expect((await publish(id, body.version)).refused.error).toBe('ServiceDraftOutdated');
    const merged = await app.callAs('admin', designs.updateServiceDraft, {
      body: { serviceId: id, version: body.version },
    });
    expect(merged.body).toMatchObject({
      isOutdated: false,
      document: { name: text('Mine'), workingDays: 17 },
    });
    expect((await publish(id, merged.body.version)).status).toBe(200);
  });
});

describe('a publication at a time', () => {
  const context = (now: Date) => ({
    database: app.serverDatabase,
    catalogue: { refresh: async () => undefined },
    workflow: { refresh: async () => undefined },
    now: () => now,
    feeApprovalAbove: undefined,
  });

  it('happens once in several processes, not before its time', async () => {
    const { id } = await stage.findService('renew-vehicle-ownership');
    const design = await read(id);
    const { body } = await save(id, 0, { ...design.document, workingDays: 9 });
    const at = new Date(Date.now() + 3_600_000);
    expect((await publish(id, body.version, new Date(0).toISOString())).refused.error).toBe(
      'PublicationTimePassed',
    );
    const scheduled = await publish(id, body.version, at.toISOString());
    expect(scheduled.body.publishAt).toBe(at.toISOString());
    await publishDueServices(context(new Date(at.getTime() - 1)));
    expect(await versionsOf(id)).toEqual([]);
    await Promise.all(Array.from({ length: 5 }, () => publishDueServices(context(at))));
    expect((await versionsOf(id)).map(({ number }) => number)).toEqual([2, 1]);
    expect(await read(id)).toMatchObject({ version: 0, document: { workingDays: 9 } });
  });

  it('is cancelled by a save or by hand, and keeps a draft that it cannot publish', async () => {
    const { id } = await stage.findService('renew-vehicle-ownership');
    const { document } = await read(id);
    const at = new Date(Date.now() + 3_600_000);
    let design = (await save(id, 0, { ...document, workingDays: 10 })).body;
    design = (await publish(id, design.version, at.toISOString())).body;
    const cancelled = await app.callAs('admin', designs.cancelPublication, {
      body: { serviceId: id, version: design.version },
    });
    expect(cancelled.body.publishAt).toBeUndefined();
    design = (await publish(id, cancelled.body.version, at.toISOString())).body;
    await app.database
      .updateTable('services')
      .set({ working_days: 30 })
      .where('id', '=', id)
      .execute();
    await publishDueServices(context(at));
    expect(await read(id)).toMatchObject({
      document: { workingDays: 10 },
      publishProblem: 'ServiceDraftOutdated',
    });
  });
});

describe('versions', () => {
  it('round-trip: whatever is published can be restored exactly', { timeout: 60_000 }, async () => {
    const serviceId = await publishNewService('round-trip');
    const numbers: { number: number; document: DraftDocument }[] = [];
    await fc.assert(
      fc.asyncProperty(forms, fc.integer({ min: 0, max: 365 }), async (form, workingDays) => {
        const published = await publishChange(serviceId, (document) => {
          document.form = form;
          document.fees = [];
          document.workingDays = workingDays;
        });
        expect(published.refused).not.toHaveProperty('error');
        const [newest] = await versionsOf(serviceId);
        numbers.push({ number: newest?.number ?? 0, document: published.body.document });
        const picked = numbers[workingDays % numbers.length];
        const restored = await app.callAs('admin', designs.restoreServiceVersion, {
          body: { serviceId, number: picked?.number ?? 0 },
        });
        expect(isSameContent(restored.body.document, picked?.document)).toBe(true);
        const { body } = await app.call(getService, { query: { serviceId } });
        expect(isSameContent(body.form, picked?.document.form)).toBe(true);
      }),
      { numRuns: 5 },
    );
    const differences = await app.callAs('admin', designs.compareServiceVersions, {
      query: { serviceId, from: 1, to: 1 },
    });
    expect(differences.body).toEqual([]);
    const missing = { serviceId, number: 9999 };
    expect(
      (await app.callAs('admin', designs.restoreServiceVersion, { body: missing })).refused.error,
    ).toBe('NotFound');
  });
});

it('a retired service keeps its requests, and can be offered again', async () => {
  const serviceId = await publishNewService('retired-service');
  const { form } = (await app.call(getService, { query: { serviceId } })).body;
  const sent = await stage.create('individual', {
    serviceId,
    answers: makeAnswers(form),
    attachmentIds: [],
    agreeToTermsAndConditions: true,
  });
  await app.callAs('admin', deleteService, { params: { serviceId } });
  expect((await app.call(getService, { query: { serviceId } })).status).toBe(404);
  expect((await stage.read('individual', sent.body.requestId)).body.form).toEqual(form);
  expect(await read(serviceId)).toMatchObject({ isRetired: true });
  const retired = async (SearchKeyword?: string) =>
    (
      await app.callAs('admin', designs.getRetiredServices, {
        query: SearchKeyword === undefined ? {} : { SearchKeyword },
      })
    ).body;
  const { items } = await retired();
  expect(items[0]).toMatchObject({ serviceId, agencyName: expect.any(String) });
  expect((await retired(items[0]!.name)).items[0]?.serviceId).toBe(serviceId);
  expect((await retired('nothing has this name')).totalCount).toBe(0);
  await app.callAs('admin', designs.restoreService, { body: { serviceId } });
  expect((await retired()).items.map((each) => each.serviceId)).not.toContain(serviceId);
  expect((await app.call(getService, { query: { serviceId } })).status).toBe(200);
});

it('100 people fill in a form while it is edited: nobody loses an answer', async () => {
  const serviceId = await publishNewService('edited-meanwhile');
  const { form } = (await app.call(getService, { query: { serviceId } })).body;
  const token = await app.signIn('individual');
  // One account with a hundred requests stands for a hundred people: drafts belong to requests here.
  const people = Array.from({ length: 100 }, (_, index) => ({
    answers: { ...makeAnswers(form), purpose: `Purpose ${index}`, copies: 1 + (index % 20) },
  }));
  const publications = Array.from({ length: 5 }, (_, index) => index);
  const send = async ({ answers }: (typeof people)[number]) => {
    const sent = await app.call(createRequest, {
      token,
      body: { serviceId, answers, attachmentIds: [], agreeToTermsAndConditions: true },
    });
    const { body } = await app.call(getRequestById, {
      token,
      query: { RequestId: sent.body.requestId },
    });
    return { answers, body };
  };
  const [results] = await Promise.all([
    Promise.all(people.map(send)),
    (async () => {
      for (const index of publications)
        await publishChange(serviceId, (document) => {
          document.form.steps[1]?.fields.push({
            ...yesNo(`added${index}`),
            required: false,
          });
          document.fees = document.fees.map((fee) => ({ ...fee, amount: fee.amount + 100 }));
        });
    })(),
  ]);
  for (const { answers, body } of results) {
    expect(body.answers).toMatchObject({ purpose: answers.purpose, copies: answers.copies });
    // Form and price are of one version: each publication adds one field and one dirham.
    const added = body.form.steps[1]!.fields.filter(({ name }) => name.startsWith('added')).length;
    expect(body.fees.lines[0]?.unitAmount).toBe(5000 + added * 100);
  }
});

it('a draft of an applicant keeps answers to a question that is taken out and comes back', async () => {
  const serviceId = await publishNewService('question-comes-back');
  const draftId = randomUUID();
  const answers = { purpose: 'For the bank', copies: 2 };
  const saveAnswers = (revision: number, sent: Record<string, unknown>) =>
    app.callAs('individual', saveDraft, {
      body: { draftId, serviceId, revision, answers: sent, attachmentIds: [], passed: [] },
    });
  const open = async () =>
    (await app.callAs('individual', getDraft, { query: { serviceId } })).body.draft;
  await saveAnswers(0, answers);
  await publishChange(serviceId, (document) => {
    document.form.steps[1]!.fields = document.form.steps[1]!.fields.filter(
      ({ name }) => name !== 'purpose',
    );
  });
  const meanwhile = await open();
  expect(meanwhile).toMatchObject({
    answers: { copies: 2 },
    formChanges: [{ kind: 'removed', title: 'What do you need the certificate for?' }],
  });
  await saveAnswers(meanwhile?.revision ?? 0, { copies: 4 });
  const [, first] = await versionsOf(serviceId);
  await app.callAs('admin', designs.restoreServiceVersion, {
    body: { serviceId, number: first?.number ?? 0 },
  });
  expect(await open()).toMatchObject({ answers: { purpose: 'For the bank', copies: 4 } });
});
