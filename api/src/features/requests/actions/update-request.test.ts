import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as calls from '@diwan/contract/requests/requests';
import { uploadRequired } from '../../../testing/demo-request.ts';
import {
  freeService,
  openRequestStage,
  words,
  type RequestStage,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

describe('UpdateRequest', () => {
  async function sendBack(username: string) {
    const sent = await stage.sendAndReceive(username);
    await stage.act('employee', calls.returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...words,
    });
    return sent;
  }

  it('mends answers and documents, is new again, nobody holds it, and keywords find the new words', async () => {
    const { requestId, answers } = await sendBack('individual');
    const [fresh = ''] = await uploadRequired(
      app,
      await app.signIn('individual'),
      await stage.findService(freeService),
    );
    const { body } = await stage.act('individual', calls.updateRequest, {
      requestId,
      answers: { ...answers, applicantName: 'Zubaydah Mended' },
      attachmentIds: [fresh],
    });
    expect(body).toMatchObject({ statusName: 'New', applicantName: 'Zubaydah Mended', version: 4 });
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual([fresh]);
    expect(
      (
        await app.call(calls.getRequestsByStatusId, {
          token: await app.signIn('employee'),
          query: { SearchKeyword: 'zubaydah' },
        })
      ).body.items.map((item) => item.requestId),
    ).toEqual([requestId]);
    expect(
      (
        await app.database
          .selectFrom('requests')
          .select('holder_id')
          .where('id', '=', requestId)
          .executeTakeFirstOrThrow()
      ).holder_id,
    ).toBeNull();
    expect((await stage.receive('employee2', requestId)).status).toBe(200);
  });

  it('keeps documents that are sent along again', async () => {
    const { requestId, answers, attachmentIds } = await sendBack('individual');
    const { body } = await stage.act('individual', calls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual(attachmentIds);
  });

  it('refuses what does not fit and leaves the request as it was', async () => {
    const { requestId, answers, attachmentIds } = await sendBack('individual');
    const before = (await stage.read('individual', requestId)).body;
    const wrong = await stage.act('individual', calls.updateRequest, {
      requestId,
      answers: { ...answers, applicantEmail: 'no' },
      attachmentIds: [],
    });
    expect(Object.keys(wrong.refused.errors ?? {}).sort()).toEqual([
      'answers.applicantEmail',
      'attachments.identityDocument',
    ]);
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          agreeToTermsAndConditions: false,
        })
      ).refused.error,
    ).toBe('TermsNotAccepted');
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          version: 1,
        })
      ).refused.error,
    ).toBe('VersionHasChanged');
    const after = (await stage.read('individual', requestId)).body;
    // References and links are made anew each time, and messages go out meanwhile.
    const lasting = (record: typeof after) => ({
      ...record,
      requestLink: '',
      attachments: record.attachments.map(({ attachmentId }) => attachmentId),
      history: record.history.map((step) => ({ ...step, notice: undefined })),
    });
    expect(lasting(after)).toEqual(lasting(before));
  });

  it('is for the owner, and only when it was returned', async () => {
    const { requestId, answers, attachmentIds } = await sendBack('individual');
    expect(
      (await stage.act('individual2', calls.updateRequest, { requestId, answers, attachmentIds }))
        .refused.error,
    ).toBe('RequestNotFound');
    expect(
      (await stage.act('employee', calls.updateRequest, { requestId, answers, attachmentIds }))
        .status,
    ).toBe(403);
    const fresh = await stage.send('individual');
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId: fresh.requestId,
          answers,
          attachmentIds: fresh.attachmentIds,
        })
      ).refused.error,
    ).toBe('ActionNotAllowed');
  });
});
