import { describe, expect, it } from 'vitest';
import { pruneUnused } from '#features/attachments/attachments.actions.ts';
import { uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as listCalls from '@diwan/contract/requests/request-lists';
import { getRequestByIdForUpdate } from '@diwan/contract/requests/requests';

const app = useTestApp();
const stage = openRequestStage(app);

async function sendAndReturn(username: string) {
  const sent = await stage.sendAndReceive(username);
  await stage.performAction('employee', actionCalls.returnRequest, {
    requestId: sent.requestId,
    requestHistoryRejectionReasonsList: [1],
    ...messageTexts,
  });
  return sent;
}

describe('UpdateRequest', () => {
  it('changes answers and documents, makes the request new without a holder, and updates its keywords', async () => {
    const { requestId, answers } = await sendAndReturn('individual');
    const [replacement = ''] = await uploadRequiredDocuments(
      app,
      await app.signIn('individual'),
      await stage.findService(freeService),
    );
    const { body } = await stage.performAction('individual', actionCalls.updateRequest, {
      requestId,
      answers: { ...answers, applicantName: 'Zubaydah Corrected' },
      attachmentIds: [replacement],
    });
    expect(body).toMatchObject({
      statusName: 'Received, waiting for review',
      applicantName: 'Zubaydah Corrected',
      version: 4,
    });
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual([replacement]);
    expect(
      (
        await app.callAs('employee', listCalls.getRequestsByStatusId, {
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

  it('keeps documents that are sent again', async () => {
    const { requestId, answers, attachmentIds } = await sendAndReturn('individual');
    const { body } = await stage.performAction('individual', actionCalls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual(attachmentIds);
  });

  it('refuses invalid content and changes nothing', async () => {
    const { requestId, answers, attachmentIds } = await sendAndReturn('individual');
    const before = (await stage.read('individual', requestId)).body;
    const wrong = await stage.performAction('individual', actionCalls.updateRequest, {
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
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          agreeToTermsAndConditions: false,
        })
      ).refused.error,
    ).toBe('TermsNotAccepted');
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          version: 1,
        })
      ).refused.error,
    ).toBe('VersionHasChanged');
    const after = (await stage.read('individual', requestId)).body;
    // References and links differ in each reply, and messages are sent in the meantime.
    const withoutVolatile = (record: typeof after) => ({
      ...record,
      requestLink: '',
      attachments: record.attachments.map(({ attachmentId }) => attachmentId),
      history: record.history.map((step) => ({ ...step, notice: undefined })),
    });
    expect(withoutVolatile(after)).toEqual(withoutVolatile(before));
  });

  it('is for the owner, and only while the request is returned', async () => {
    const { requestId, answers, attachmentIds } = await sendAndReturn('individual');
    expect(
      (
        await stage.performAction('individual2', actionCalls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
        })
      ).refused.error,
    ).toBe('RequestNotFound');
    expect(
      (
        await stage.performAction('employee', actionCalls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
        })
      ).status,
    ).toBe(403);
    const newRequest = await stage.send('individual');
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId: newRequest.requestId,
          answers,
          attachmentIds: newRequest.attachmentIds,
        })
      ).refused.error,
    ).toBe('ActionNotAllowed');
  });
});

describe('a request to be corrected', () => {
  it('is returned with its marks to callers who can correct it, and only while they can', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const ask = async (username: string) =>
      app.callAs(username, getRequestByIdForUpdate, { query: { RequestId: requestId } });
    expect((await ask('individual')).refused.error).toBe('ActionNotAllowed');
    const { form } = (await stage.read('individual', requestId)).body;
    const field = `answers.${form.steps[0]?.fields[0]?.name}`;
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId,
      marks: [{ field, ...messageTexts }],
    });
    expect((await ask('individual')).body).toMatchObject({
      requestId,
      openMarks: [{ field, message: messageTexts.messageEn }],
      keptAttachments: [],
    });
    expect((await ask('individual2')).refused.error).toBe('RequestNotFound');
  });

  it('stores documents until it is sent, and sends them instead of the others', async () => {
    const sent = await sendAndReturn('individual');
    const token = await app.signIn('individual');
    const service = await stage.findService(freeService);
    const [replacement] = await uploadRequiredDocuments(app, token, service);
    const ids = [replacement ?? '', ...sent.attachmentIds.slice(1)];
    const save = (requestAttachmentList: string[], version?: number) =>
      app.call(actionCalls.saveRequestAttachments, {
        token,
        body: { requestId: sent.requestId, requestAttachmentList, ...(version ? { version } : {}) },
      });
    expect((await save(ids)).body).toEqual({
      requestId: sent.requestId,
      requestAttachmentList: ids,
    });
    const { body } = await app.call(getRequestByIdForUpdate, {
      token,
      query: { RequestId: sent.requestId },
    });
    expect(body.keptAttachments.map(({ attachmentId }) => attachmentId).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(body.statusId).toBe(5);
    // Stored documents are in use: the removal of unused files leaves them.
    await app.database
      .updateTable('attachments')
      .set({ created_at: new Date(0) })
      .where('id', '=', replacement ?? '')
      .execute();
    await pruneUnused(
      {
        database: app.database,
        files: { remove: async () => undefined, prune: async () => undefined } as never,
      },
      30,
    );
    expect((await save([crypto.randomUUID()])).status).toBe(400);
    expect((await save(ids, body.version + 1)).refused.error).toBe('VersionHasChanged');
    // No documents can be stored, but not sent.
    expect((await save([])).status).toBe(200);
    expect(
      (
        await app.call(actionCalls.updateRequestAttachments, {
          token,
          body: { requestId: sent.requestId, requestAttachmentList: [] },
        })
      ).status,
    ).toBe(400);
    const updated = await app.call(actionCalls.updateRequestAttachments, {
      token,
      body: { requestId: sent.requestId, requestAttachmentList: ids },
    });
    expect(updated.body).toMatchObject({
      statusId: 3,
      answers: (await stage.read('individual', sent.requestId)).body.answers,
    });
    expect(updated.body.attachments.map(({ attachmentId }) => attachmentId).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(updated.body.earlierAttachments.map(({ attachmentId }) => attachmentId)).toEqual(
      sent.attachmentIds.slice(0, 1),
    );
    expect((await save(ids)).refused.error).toBe('ActionNotAllowed');
  });

  it('refuses documents of another user', async () => {
    const sent = await sendAndReturn('individual');
    const foreign = await uploadRequiredDocuments(
      app,
      await app.signIn('individual2'),
      await stage.findService(freeService),
    );
    const body = {
      requestId: sent.requestId,
      requestAttachmentList: [...sent.attachmentIds, ...foreign],
    };
    for (const call of [actionCalls.saveRequestAttachments, actionCalls.updateRequestAttachments]) {
      expect((await app.callAs('individual', call, { body })).status).toBe(400);
      expect((await app.callAs('individual2', call, { body })).refused.error).toBe(
        'RequestNotFound',
      );
    }
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId: sent.requestId,
          answers: sent.answers,
          attachmentIds: sent.attachmentIds,
        })
      ).status,
    ).toBe(200);
  });
});
