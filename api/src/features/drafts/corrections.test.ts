import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import {
  freeService,
  openRequestStage,
  messageTexts,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Service } from '@diwan/contract/catalogue/services';
import * as calls from '@diwan/contract/requests/drafts';
import * as requests from '@diwan/contract/requests/request-actions';
import { pruneUnused } from '../attachments/attachments.actions.ts';
import { pruneDrafts } from './drafts.actions.ts';

const app = useTestApp({
  DRAFTS_PER_PERSON: '1',
  DRAFT_SAVES_PER_MINUTE: '1000',
  DRAFT_DAYS: '10',
});
const stage = openRequestStage(app);
let service: Service;
beforeAll(async () => {
  service = await stage.findService(freeService);
});

async function returned(username = 'individual'): Promise<SentRequest> {
  const sent = await stage.sendAndReceive(username);
  await stage.performAction('employee', requests.returnRequest, {
    requestId: sent.requestId,
    requestHistoryRejectionReasonsList: [1],
    ...messageTexts,
  });
  return sent;
}

interface Parts {
  draftId?: string;
  serviceId?: number;
  version?: number;
  revision?: number;
  answers?: Record<string, unknown>;
  explanations?: Record<string, string>;
  attachmentIds?: string[];
}
const tokenOf = (username: string) => app.signIn(username);
async function save(
  username: string,
  requestId: number,
  {
    draftId = randomUUID(),
    serviceId = service.id,
    version = 3,
    revision = 0,
    answers = { applicantName: 'Half' },
    explanations = {},
    attachmentIds = [],
  }: Parts = {},
) {
  return app.call(calls.saveDraft, {
    token: await tokenOf(username),
    body: {
      draftId,
      serviceId,
      requestId,
      version,
      revision,
      answers,
      explanations,
      attachmentIds,
      passed: [],
    },
  });
}
const read = async (username: string, requestId: number) =>
  app.call(calls.getDraft, {
    token: await tokenOf(username),
    query: { serviceId: service.id, requestId },
  });
const list = async (username: string) =>
  (await app.call(calls.getDrafts, { token: await tokenOf(username) })).body;
const rowsOf = async (requestId: number) =>
  (
    await app.database
      .selectFrom('drafts')
      .select('id')
      .where('corrects_request_id', '=', requestId)
      .execute()
  ).length;
const prune = () =>
  pruneUnused(
    {
      database: app.database,
      files: { remove: async () => undefined, prune: async () => undefined },
    } as never,
    30,
  );

describe('a correction draft', () => {
  it('exists beside a draft for the same service and is listed with the number of its request', async () => {
    const { requestId, requestNumber, attachmentIds } = await returned();
    const own = await app.call(calls.saveDraft, {
      token: await tokenOf('individual'),
      body: {
        draftId: randomUUID(),
        serviceId: service.id,
        revision: 0,
        answers: { applicantName: 'New one' },
        attachmentIds: [],
        passed: [],
      },
    });
    expect(own.status).toBe(200);
    const [fresh = ''] = await uploadRequiredDocuments(app, await tokenOf('individual'), service);
    const draftId = randomUUID();
    const why = { 'answers.applicantEmail': 'It is right' };
    const sent = {
      draftId,
      answers: { applicantName: 'Half' },
      explanations: why,
      attachmentIds: [...attachmentIds, fresh],
    };
    // The limit of drafts does not apply to corrections.
    expect((await save('individual', requestId, sent)).body).toMatchObject({
      draftId,
      revision: 1,
      leftOut: [],
    });
    expect((await save('individual', requestId, { ...sent, revision: 1 })).body.revision).toBe(2);
    expect((await save('individual', requestId, sent)).refused.error).toBe('DraftHasChanged');
    expect((await save('individual', requestId)).refused.error).toBe('DraftHasChanged');
    const { draft } = (await read('individual', requestId)).body;
    expect(draft).toMatchObject({
      draftId,
      revision: 2,
      answers: { applicantName: 'Half' },
      explanations: why,
      formChanges: [],
    });
    expect(draft?.documents.map(({ attachmentId }) => attachmentId)).toEqual([
      ...attachmentIds,
      fresh,
    ]);
    expect(
      (await list('individual')).map(({ serviceId, corrects }) => ({ serviceId, corrects })),
    ).toEqual([
      { serviceId: service.id, corrects: { requestId, requestNumber } },
      { serviceId: service.id, corrects: undefined },
    ]);
    expect(
      (
        await app.call(calls.getDraft, {
          token: await tokenOf('individual'),
          query: { serviceId: service.id },
        })
      ).body.draft?.answers,
    ).toEqual({ applicantName: 'New one' });
    // A correction draft cannot be sent as a new request.
    const misused = await stage.create('individual', {
      serviceId: service.id,
      answers: {},
      attachmentIds: [],
      agreeToTermsAndConditions: true,
      draftId,
    });
    expect(misused.refused.error).toBe('DraftNotFound');
    await app.database
      .updateTable('attachments')
      .set({ created_at: new Date(0) })
      .where('id', '=', fresh)
      .execute();
    await prune();
    expect((await read('individual', requestId)).body.draft?.documents).toHaveLength(
      attachmentIds.length + 1,
    );
    await app.database.deleteFrom('drafts').execute();
  });

  it('ends when it is sent, and a late save does not start a new one', async () => {
    const { requestId, answers, attachmentIds } = await returned();
    const draftId = randomUUID();
    await save('individual', requestId, { draftId });
    expect(
      (
        await stage.performAction('individual', requests.updateRequest, {
          requestId,
          answers,
          attachmentIds: [],
        })
      ).status,
    ).toBe(400);
    expect((await read('individual', requestId)).body.draft?.draftId).toBe(draftId);
    expect(
      (
        await stage.performAction('individual', requests.updateRequest, {
          requestId,
          version: 3,
          answers,
          attachmentIds,
        })
      ).status,
    ).toBe(200);
    expect([await rowsOf(requestId), await list('individual')]).toEqual([0, []]);
    const late = await save('individual', requestId, { draftId, revision: 1 });
    expect(late.refused.error).toBe('VersionHasChanged');
    expect((await read('individual', requestId)).refused.error).toBe('ActionNotAllowed');
    expect(await rowsOf(requestId)).toBe(0);
  });

  it('is not used for a later return, and a save on an old version gets a conflict', async () => {
    const { requestId, answers, attachmentIds } = await returned();
    const draftId = randomUUID();
    await save('individual', requestId, {
      draftId,
      answers: { applicantName: 'For the first return' },
    });
    await stage.performAction('individual', requests.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    await stage.receive('employee', requestId);
    await stage.performAction('employee', requests.returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    expect((await read('individual', requestId)).body).toEqual({});
    const stale = await save('individual', requestId, { draftId, revision: 1 });
    expect(stale.refused.error).toBe('VersionHasChanged');
    expect((await save('individual', requestId, { version: 6 })).status).toBe(200);
    await app.database.deleteFrom('drafts').execute();
  });

  it('is created once by parallel saves, and deleted by a send among saves', async () => {
    const { requestId, answers, attachmentIds } = await returned();
    const begun = await Promise.all(
      [1, 2, 3, 4].map((device) =>
        save('individual', requestId, { answers: { applicantName: `device ${device}` } }),
      ),
    );
    expect(begun.map(({ status, refused }) => refused.error ?? status).toSorted()).toEqual([
      200,
      'DraftHasChanged',
      'DraftHasChanged',
      'DraftHasChanged',
    ]);
    const { draft } = (await read('individual', requestId)).body;
    const saves = [1, 2, 3].map((each) =>
      save('individual', requestId, {
        draftId: draft?.draftId ?? '',
        revision: 1,
        answers: { applicantName: `late ${each}` },
      }),
    );
    const [updated, ...rest] = await Promise.all([
      stage.performAction('individual', requests.updateRequest, {
        requestId,
        answers,
        attachmentIds,
      }),
      ...saves,
    ]);
    expect(updated.status).toBe(200);
    for (const { status, refused } of rest)
      expect([200, 'DraftHasChanged', 'VersionHasChanged']).toContain(refused.error ?? status);
    expect(await rowsOf(requestId)).toBe(0);
  });

  it('can be discarded and restored while the request waits, and expires as set', async () => {
    const { requestId, answers, attachmentIds } = await returned();
    const body = { draftId: randomUUID() };
    const token = await tokenOf('individual');
    await save('individual', requestId, body);
    expect((await app.call(calls.discardDraft, { token, body })).status).toBe(200);
    expect((await read('individual', requestId)).body).toEqual({});
    expect((await app.call(calls.restoreDraft, { token, body })).status).toBe(200);
    expect((await read('individual', requestId)).body.draft?.answers).toEqual({
      applicantName: 'Half',
    });
    expect(await pruneDrafts(app, Date.now() + 9 * 86_400_000)).toBe(0);
    await app.call(calls.discardDraft, { token, body });
    await stage.performAction('individual', requests.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect((await app.call(calls.restoreDraft, { token, body })).refused.error).toBe(
      'DraftNotFound',
    );
    const other = await returned();
    await save('individual', other.requestId);
    expect(await pruneDrafts(app, Date.now() + 11 * 86_400_000)).toBe(1);
    expect(await rowsOf(other.requestId)).toBe(0);
  });
});

describe('the author of a correction', () => {
  it('may view the request: others get an error as for an unknown request', async () => {
    const { requestId } = await returned();
    await save('individual', requestId);
    for (const username of ['individual2', 'company'])
      expect([
        (await save(username, requestId)).refused.error,
        (await read(username, requestId)).refused.error,
      ]).toEqual(['RequestNotFound', 'RequestNotFound']);
    expect((await save('individual', requestId, { serviceId: service.id + 1 })).refused.error).toBe(
      'RequestNotFound',
    );
    const fresh = await stage.send('individual');
    expect((await save('individual', fresh.requestId, { version: 1 })).refused.error).toBe(
      'ActionNotAllowed',
    );
    const theirs = await uploadRequiredDocuments(app, await tokenOf('individual2'), service);
    const other = await returned();
    expect(
      (
        await save('individual', other.requestId, {
          attachmentIds: [...theirs, ...fresh.attachmentIds, ...other.attachmentIds],
        })
      ).body.leftOut,
    ).toEqual(['attachmentIds']);
    expect(
      (await read('individual', other.requestId)).body.draft?.documents.map(
        ({ attachmentId }) => attachmentId,
      ),
    ).toEqual(other.attachmentIds);
    await app.database.deleteFrom('drafts').execute();
  });

  it('has a draft separate from those of colleagues, until one of them sends', async () => {
    const { requestId, answers, attachmentIds } = await returned('company');
    const company = await app.database
      .selectFrom('users')
      .select('company_id')
      .where('username', '=', 'company')
      .executeTakeFirstOrThrow();
    const before = await app.database
      .selectFrom('users')
      .select('company_id')
      .where('username', '=', 'company2')
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('users')
      .set({ company_id: company.company_id })
      .where('username', '=', 'company2')
      .execute();
    await save('company', requestId, { answers: { applicantName: 'Mine' } });
    expect((await read('company2', requestId)).body).toEqual({});
    // The documents of the request belong to the whole company.
    expect(
      (
        await save('company2', requestId, {
          answers: { applicantName: 'Colleague' },
          attachmentIds,
        })
      ).body.leftOut,
    ).toEqual([]);
    expect((await read('company', requestId)).body.draft?.answers).toEqual({
      applicantName: 'Mine',
    });
    await stage.performAction('company2', requests.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect(await rowsOf(requestId)).toBe(0);
    const late = await save('company', requestId, { answers: { applicantName: 'Mine' } });
    expect(late.refused.error).toBe('VersionHasChanged');
    await app.database
      .updateTable('users')
      .set(before)
      .where('username', '=', 'company2')
      .execute();
  });
});
