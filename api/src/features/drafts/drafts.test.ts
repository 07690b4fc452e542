import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import type { Service } from '@diwan/contract/catalogue/services';
import { specialData, type ServiceForm } from '@diwan/contract/forms/forms';
import { draftConsent, listUnconsented } from '@diwan/contract/forms/special-data';
import * as calls from '@diwan/contract/requests/drafts';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { pruneUnused } from '../attachments/attachments.actions.ts';
import { selectFittingAnswers } from './draft-answers.ts';
import { pruneDrafts } from './drafts.actions.ts';

const app = useTestApp({
  DRAFTS_PER_PERSON: '3',
  DRAFT_SAVES_PER_MINUTE: '1000',
  DRAFT_DAYS: '10',
});
let service: Service;
let free: Service;
beforeAll(async () => {
  service = await openRequestStage(app).findService(paidService);
  free = await openRequestStage(app).findService(freeService);
});
afterEach(() => app.database.deleteFrom('drafts').execute());

interface Parts {
  draftId?: string;
  serviceId?: number;
  revision?: number;
  answers?: Record<string, unknown>;
  attachmentIds?: string[];
  passed?: string[];
}

async function save(
  username: string,
  {
    draftId = randomUUID(),
    serviceId = service.id,
    revision = 0,
    answers = {},
    attachmentIds = [],
    passed = [],
  }: Parts = {},
) {
  return app.callAs(username, calls.saveDraft, {
    body: { draftId, serviceId, revision, answers, attachmentIds, passed },
  });
}
const read = async (
  username: string,
  serviceId = service.id,
  language: 'ar-EG' | 'en-US' = 'en-US',
) => (await app.callAs(username, calls.getDraft, { query: { serviceId }, language })).body.draft;
const list = async (username: string) => (await app.callAs(username, calls.getDrafts)).body;
async function send(
  username: string,
  draftId: string,
  what: Service = service,
  answers = makeAnswers(what.form),
) {
  const token = await app.signIn(username);
  const attachmentIds = await uploadRequiredDocuments(app, token, what);
  return app.call(createRequest, {
    token,
    body: { serviceId: what.id, answers, attachmentIds, agreeToTermsAndConditions: true, draftId },
  });
}

describe('saving', () => {
  it('stores no special data before its author consents, also where a browser sends it', async () => {
    const { id, form } = await openRequestStage(app).findService('people-of-determination-card');
    const special = listUnconsented(form, []);
    expect(special.length).toBeGreaterThan(0);
    const answers = makeAnswers(form);
    const draftId = randomUUID();
    const parts = { draftId, serviceId: id, answers };
    const named = (names: readonly string[]) =>
      names.filter((name) => name in answers).map((name) => `answers.${name}`);
    const first = await save('individual2', parts);
    expect(first.body.leftOut.toSorted()).toEqual(named(special).toSorted());
    const stored = Object.keys((await read('individual2', id))?.answers ?? {});
    expect([stored.length > 0, stored.filter((name) => special.includes(name))]).toEqual([
      true,
      [],
    ]);
    const passed = specialData.map((kind) => draftConsent(kind));
    const second = await save('individual2', { ...parts, revision: 1, passed });
    expect(second.body.leftOut).toEqual([]);
    expect((await read('individual2', id))?.answers).toEqual(answers);
  });

  it('stores answers as typed, valid or not, and counts the revisions', async () => {
    const draftId = randomUUID();
    const answers = {
      applicantName: '  <b>\u202Eمريم</b> ',
      applicantEmail: 'not yet',
      applicantMobile: '05',
    };
    const first = await save('individual', { draftId, answers, passed: ['applicant'] });
    expect(first.body).toMatchObject({ draftId, revision: 1, leftOut: [] });
    expect(Date.parse(first.body.keptUntil) - Date.parse(first.body.savedAt)).toBe(10 * 86_400_000);
    expect(
      (
        await save('individual', {
          draftId,
          revision: 1,
          answers: { ...answers, applicantMobile: '0501' },
          passed: ['applicant'],
        })
      ).body.revision,
    ).toBe(2);
    expect(await read('individual')).toMatchObject({
      draftId,
      revision: 2,
      answers: { ...answers, applicantMobile: '0501' },
      passed: ['applicant'],
      documents: [],
      formChanges: [],
    });
  });

  it('refuses a save on an older revision, also the second of two parallel first saves', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId, answers: { applicantName: 'A' } });
    await save('individual', { draftId, revision: 1, answers: { applicantName: 'B' } });
    for (const wrong of [
      { draftId, revision: 1 },
      { draftId, revision: 0 },
      { draftId, revision: 3 },
      { revision: 0 },
    ])
      expect(
        (await save('individual', { ...wrong, answers: { applicantName: 'C' } })).refused.error,
      ).toBe('DraftHasChanged');
    expect(await read('individual')).toMatchObject({
      revision: 2,
      answers: { applicantName: 'B' },
    });
    const both = await Promise.all(
      [1, 2, 3, 4].map((each) =>
        save('individual2', { answers: { applicantName: `device ${each}` } }),
      ),
    );
    expect(both.map(({ status, refused }) => refused.error ?? status).toSorted()).toEqual([
      200,
      'DraftHasChanged',
      'DraftHasChanged',
      'DraftHasChanged',
    ]);
  });

  it('accepts one of two saves on the same revision', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        save('individual', { draftId, revision: 1, answers: { applicantName: `tab ${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await read('individual'))?.revision).toBe(2);
  });

  it('leaves out and names answers that the form cannot hold', async () => {
    const { status, body } = await save('individual', {
      answers: JSON.parse(
        '{"applicantName":{"a":1},"applicantEmail":["x"],"nobody":"1","constructor":"2","applicantMobile":null,"applicantEmiratesId":"784"}',
      ) as Record<string, unknown>,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.leftOut.toSorted()).toEqual([
      'answers.applicantEmail',
      'answers.applicantName',
      'answers.constructor',
      'answers.nobody',
    ]);
    expect((await read('individual'))?.answers).toEqual({ applicantEmiratesId: '784' });
  });

  it('leaves out a group with more items than any form allows', () => {
    const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
    const form: ServiceForm = {
      steps: [
        {
          name: 'only',
          title,
          fields: [
            {
              name: 'members',
              kind: 'group',
              title,
              required: false,
              itemTitle: title,
              fields: [{ name: 'fullName', kind: 'text', title, required: true }],
            },
          ],
        },
      ],
    };
    const items = (count: number) => ({
      members: Array.from({ length: count }, () => ({ fullName: 'x' })),
    });
    expect(selectFittingAnswers(form, items(50))).toEqual({ fitting: items(50), leftOut: [] });
    expect(selectFittingAnswers(form, items(51))).toEqual({
      fitting: {},
      leftOut: ['answers.members'],
    });
  });

  it('refuses invalid calls by field and keeps the stored draft', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId, answers: { applicantName: 'Noor' } });
    for (const text of ['a\u0000b', 'a\uD800b']) {
      const { status, refused } = await save('individual', {
        draftId,
        revision: 1,
        answers: { applicantName: text },
      });
      expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['answers.applicantName']]);
    }
    expect(
      (
        await save('individual', {
          draftId,
          revision: 1,
          answers: { applicantName: 'x'.repeat(calls.maximumDraftBytes) },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await save('individual', {
          draftId,
          revision: 1,
          answers: { applicantName: 'x'.repeat(200_000) },
        })
      ).status,
    ).toBe(200);
    expect((await save('individual', { draftId: 'x' })).status).toBe(400);
    expect((await save('individual', { serviceId: 999_999 })).refused.error).toBe(
      'ServiceNotFound',
    );
    expect((await read('individual'))?.revision).toBe(2);
  });

  it('stores only the last discarded drafts, each of which can be restored', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    for (const draftId of ids) {
      expect((await save('individual', { draftId })).status).toBe(200);
      expect(
        (await app.callAs('individual', calls.discardDraft, { body: { draftId } })).status,
      ).toBe(200);
    }
    await save('individual', { serviceId: free.id });
    const left = await app.database
      .selectFrom('drafts')
      .select('id')
      .where('id', 'in', ids)
      .execute();
    expect(left.map(({ id }) => id).toSorted()).toEqual(ids.slice(-3).toSorted());
    expect(
      (await app.callAs('individual', calls.restoreDraft, { body: { draftId: ids[5] ?? '' } }))
        .status,
    ).toBe(200);
  });

  it('limits the drafts of a person and the saves of a minute', async () => {
    const others = await app.database
      .selectFrom('services')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('id', 'not in', [service.id, free.id])
      .limit(2)
      .execute();
    const all = [service.id, free.id, ...others.map(({ id }) => id)];
    const answers = [];
    for (const serviceId of all) answers.push(await save('individual', { serviceId }));
    expect(answers.map(({ refused }) => refused.error)).toEqual([
      undefined,
      undefined,
      undefined,
      'DraftLimitReached',
    ]);
    expect(answers[3]?.refused.message).toContain('3');
    const strict = await openTestApp({ DRAFT_SAVES_PER_MINUTE: '5' });
    const token = await strict.signIn('individual');
    const many = await Promise.all(
      Array.from({ length: 60 }, () =>
        strict.call(calls.saveDraft, {
          token,
          body: {
            draftId: randomUUID(),
            serviceId: service.id,
            revision: 0,
            answers: {},
            attachmentIds: [],
            passed: [],
          },
        }),
      ),
    );
    expect(many.filter(({ refused }) => refused.error === 'TooManyRequests')).toHaveLength(55);
    // Another person at the same network address is not limited.
    expect(
      (
        await strict.callAs('individual2', calls.saveDraft, {
          body: {
            draftId: randomUUID(),
            serviceId: service.id,
            revision: 0,
            answers: {},
            attachmentIds: [],
            passed: [],
          },
        })
      ).status,
    ).toBe(200);
    await strict.close();
  });
});

describe('the owner of drafts', () => {
  it('is their writer only: other callers get an error as for an unknown draft', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId, answers: { applicantName: 'secret' } });
    const token = await app.signIn('individual2');
    for (const id of [draftId, randomUUID()]) {
      expect(
        (await app.call(calls.discardDraft, { token, body: { draftId: id } })).refused.error,
      ).toBe('DraftNotFound');
      expect(
        (await app.call(calls.restoreDraft, { token, body: { draftId: id } })).refused.error,
      ).toBe('DraftNotFound');
      expect((await save('individual2', { draftId: id, revision: 1 })).refused.error).toBe(
        'DraftNotFound',
      );
    }
    expect([await read('individual2'), await list('individual2')]).toEqual([undefined, []]);
    // Another person has a separate draft with the same id.
    expect(
      (await save('individual2', { draftId, answers: { applicantName: 'mine' } })).status,
    ).toBe(200);
    expect((await send('individual2', draftId)).status).toBe(200);
    expect((await read('individual'))?.answers).toEqual({ applicantName: 'secret' });
  });

  it('is never staff', async () => {
    for (const username of ['employee', 'admin', 'supervisor'])
      expect((await save(username)).status).toBe(403);
  });

  it('is the company that they were written for', async () => {
    await save('company', { answers: { applicantName: 'For the company' } });
    expect(await list('company')).toHaveLength(1);
    const before = await app.database
      .selectFrom('users')
      .select(['company_id', 'roles', 'is_company_manager'])
      .where('username', '=', 'company')
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('users')
      .set({ company_id: null, roles: [], is_company_manager: false })
      .where('username', '=', 'company')
      .execute();
    expect([await list('company'), await read('company')]).toEqual([[], undefined]);
    await app.database.updateTable('users').set(before).where('username', '=', 'company').execute();
  });

  it('attaches own documents only, which are then not pruned', async () => {
    const token = await app.signIn('individual');
    const own = await uploadRequiredDocuments(app, token, service);
    const theirs = await uploadRequiredDocuments(app, await app.signIn('individual2'), service);
    const draftId = randomUUID();
    const { body } = await save('individual', {
      draftId,
      attachmentIds: [...own, ...theirs, randomUUID()],
    });
    expect(body.leftOut).toEqual(['attachmentIds']);
    expect((await read('individual'))?.documents.map(({ attachmentId }) => attachmentId)).toEqual(
      own,
    );
    await app.database
      .updateTable('attachments')
      .set({ created_at: new Date(0) })
      .where('request_id', 'is', null)
      .execute();
    const prune = () =>
      pruneUnused(
        {
          database: app.database,
          files: { remove: async () => undefined, prune: async () => undefined },
        } as never,
        30,
      );
    await prune();
    expect((await read('individual'))?.documents).toHaveLength(own.length);
    expect(
      await app.database.selectFrom('attachments').select('id').where('id', 'in', theirs).execute(),
    ).toEqual([]);
    await pruneDrafts(app, Date.now() + 11 * 86_400_000);
    await prune();
    expect(
      await app.database.selectFrom('attachments').select('id').where('id', 'in', own).execute(),
    ).toEqual([]);
  });
});

describe('the list', () => {
  it('shows service, progress and expiry, last saved first', async () => {
    await save('individual', { serviceId: free.id });
    await save('individual', { passed: [service.form.steps[0]?.name ?? '', 'nowhere'] });
    expect(await list('individual')).toMatchObject([
      {
        serviceId: service.id,
        serviceName: service.name,
        replacedName: service.replacedName,
        governmentAgency: service.governmentAgency,
        done: 1,
        isOffered: true,
      },
      { serviceId: free.id, done: 0 },
    ]);
  });

  it('hides a discarded draft until it is restored, and deletes it after a day', async () => {
    const draftId = randomUUID();
    const body = { draftId };
    const token = await app.signIn('individual');
    await save('individual', { draftId, answers: { applicantName: 'Noor' } });
    expect((await app.call(calls.discardDraft, { token, body })).status).toBe(200);
    expect([await list('individual'), await read('individual')]).toEqual([[], undefined]);
    expect((await save('individual', { draftId, revision: 1 })).refused.error).toBe(
      'DraftNotFound',
    );
    expect((await app.call(calls.restoreDraft, { token, body })).status).toBe(200);
    expect((await read('individual'))?.answers).toEqual({ applicantName: 'Noor' });
    await app.call(calls.discardDraft, { token, body });
    const other = randomUUID();
    await save('individual', { draftId: other });
    expect((await app.call(calls.restoreDraft, { token, body })).refused.error).toBe(
      'DraftHasChanged',
    );
    await app.call(calls.discardDraft, { token, body: { draftId: other } });
    await pruneDrafts(app, Date.now() + 86_400_001);
    expect((await app.call(calls.restoreDraft, { token, body })).refused.error).toBe(
      'DraftNotFound',
    );
  });

  it('keeps a draft for the number of days in the setting', async () => {
    await save('individual');
    expect(await pruneDrafts(app, Date.now() + 9 * 86_400_000)).toBe(0);
    expect(await pruneDrafts(app, Date.now() + 11 * 86_400_000)).toBe(1);
  });
});

describe('a service that changes', () => {
  it('lists new, removed and changed questions and keeps fitting answers', async () => {
    await save('individual', {
      answers: {
        applicantName: 'Noor',
        applicantEmail: 'noor@example.ae',
        applicantMobile: '0501234567',
      },
    });
    const row = await app.database.selectFrom('drafts').selectAll().executeTakeFirstOrThrow();
    const steps = structuredClone(row.form.steps);
    const fields = steps.flatMap((step) => step.fields);
    const gone = {
      ...fields[0],
      name: 'oldQuestion',
      title: { 'ar-EG': 'سؤال قديم', 'en-US': 'Old question', 'ur-PK': 'پرانا سوال' },
    } as (typeof fields)[number];
    const email = fields.find(({ name }) => name === 'applicantEmail');
    if (email) email.kind = 'text';
    const mobileTitle = fields.find(({ name }) => name === 'applicantMobile')?.title['en-US'];
    const then = {
      steps: steps.map((step, index) => ({
        ...step,
        fields: [
          ...(index === 0 ? [gone] : []),
          ...step.fields.filter(({ name }) => name !== 'applicantMobile'),
        ],
      })),
    };
    await app.database
      .updateTable('drafts')
      .set({
        form: JSON.stringify(then),
        answers: JSON.stringify({
          ...row.answers,
          oldQuestion: 'something',
          applicantEmail: 'no mail',
        }),
      })
      .execute();
    const draft = await read('individual');
    expect(draft?.answers).toEqual({
      applicantName: 'Noor',
      applicantEmail: 'no mail',
      applicantMobile: '0501234567',
    });
    expect(draft?.formChanges).toEqual([
      { kind: 'removed', title: 'Old question' },
      { kind: 'changed', title: email?.title['en-US'] },
      { kind: 'added', title: mobileTitle },
    ]);
    expect((await read('individual', service.id, 'ar-EG'))?.formChanges[0]?.title).toBe(
      'سؤال قديم',
    );
    await save('individual', {
      draftId: draft?.draftId ?? '',
      revision: draft?.revision ?? 0,
      answers: draft?.answers ?? {},
    });
    expect((await read('individual'))?.formChanges).toEqual([]);
  });

  it('keeps its drafts in the list as not offered', async () => {
    await save('individual');
    const gone = await app.database
      .selectFrom('services')
      .selectAll()
      .where('deleted_at', 'is', null)
      .where('id', 'not in', [service.id, free.id])
      .executeTakeFirstOrThrow();
    await app.database
      .insertInto('drafts')
      .values({
        ...(await app.database
          .selectFrom('drafts')
          .select(['user_id', 'company_id'])
          .executeTakeFirstOrThrow()),
        id: randomUUID(),
        service_id: gone.id,
        form: '{"steps":[]}',
        answers: '{}',
        attachment_ids: [],
        passed: [],
      })
      .execute();
    await app.database
      .updateTable('services')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    const reopened = await openTestAppOn();
    expect(reopened.find(({ serviceId }) => serviceId === gone.id)).toMatchObject({
      isOffered: false,
      serviceName: gone.name['en-US'],
    });
    await app.database
      .updateTable('services')
      .set({ deleted_at: null })
      .where('id', '=', gone.id)
      .execute();
  });
});

/** Opens an app that reads the catalogue again. */
async function openTestAppOn() {
  const { openCatalogue } = await import('../services/services.actions.ts');
  const { listDrafts } = await import('./drafts.actions.ts');
  const user = await app.database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', 'individual')
    .executeTakeFirstOrThrow();
  const caller = {
    userId: user.id,
    sessionId: '',
    fullName: '',
    fullNameAr: null,
    phoneNumber: '',
    roles: ['Client'] as const,
    scope: [],
    teams: [],
    companyId: null,
    partnerId: null,
  };
  return listDrafts(
    {
      database: app.database,
      catalogue: await openCatalogue(app.database),
      config: app.config,
    },
    caller,
    { language: 'en-US', at: new Date() },
  );
}

describe('sending', () => {
  it('ends the draft, and repeated or parallel sends return the same request', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId, answers: { applicantName: 'Noor' } });
    const first = await send('individual', draftId);
    expect(first.status).toBe(200);
    expect([await list('individual'), await read('individual')]).toEqual([[], undefined]);
    expect((await save('individual', { draftId, revision: 1 })).refused.error).toBe(
      'DraftAlreadySent',
    );
    const token = await app.signIn('individual');
    const again = await app.call(createRequest, {
      token,
      body: {
        serviceId: service.id,
        answers: {},
        attachmentIds: [],
        agreeToTermsAndConditions: true,
        draftId,
      },
    });
    expect(again.body).toEqual(first.body);
    expect(
      (await app.database.selectFrom('drafts').select('answers').executeTakeFirstOrThrow()).answers,
    ).toEqual({});
  });

  it('creates one request from ten parallel sends, also from an unsaved draft', async () => {
    const before = await app.database.selectFrom('requests').select('id').execute();
    for (const isSaved of [true, false]) {
      const draftId = randomUUID();
      if (isSaved) await save('individual', { draftId });
      const token = await app.signIn('individual');
      const attachmentIds = await uploadRequiredDocuments(app, token, service);
      const body = {
        serviceId: service.id,
        answers: makeAnswers(service.form),
        attachmentIds,
        agreeToTermsAndConditions: true,
        draftId,
      };
      const sent = await Promise.all(
        Array.from({ length: 10 }, () => app.call(createRequest, { token, body })),
      );
      expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(new Set(sent.map((answer) => answer.body.requestId)).size).toBe(1);
    }
    expect(await app.database.selectFrom('requests').select('id').execute()).toHaveLength(
      before.length + 2,
    );
  });

  it('keeps the draft when the request is refused', async () => {
    const draftId = randomUUID();
    await save('individual', { draftId, answers: { applicantName: 'Noor' } });
    const token = await app.signIn('individual');
    const refused = await app.call(createRequest, {
      token,
      body: {
        serviceId: service.id,
        answers: {},
        attachmentIds: [],
        agreeToTermsAndConditions: true,
        draftId,
      },
    });
    expect(refused.status).toBe(400);
    expect(await read('individual')).toMatchObject({
      draftId,
      revision: 1,
      answers: { applicantName: 'Noor' },
    });
    expect(
      (
        await app.call(createRequest, {
          token,
          body: {
            serviceId: free.id,
            answers: {},
            attachmentIds: [],
            agreeToTermsAndConditions: true,
            draftId,
          },
        })
      ).refused.error,
    ).toBe('DraftNotFound');
  });
});
