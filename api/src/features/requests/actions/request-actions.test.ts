import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as calls from '@diwan/contract/requests/requests';
import { maximumId } from '@diwan/contract/wire/ids';

const app = useTestApp();
const stage = openRequestStage(app);

const message = {
  'ar-EG': messageTexts.messageAr,
  'en-US': messageTexts.messageEn,
  'ur-PK': messageTexts.messageUr,
};
const reason = { requestHistoryRejectionReasonsList: [1, 2] };

async function uploadResult(
  username: string,
  serviceId: number,
  requestId: number | undefined,
  name = 'result',
): Promise<string> {
  const token = await app.signIn(username);
  const { body } = await app.call(createAttachment, {
    token,
    body: {
      serviceId,
      ...(requestId === undefined ? {} : { requestId }),
      name,
      fileName: 'licence.pdf',
      mediaType: 'application/pdf',
      size: smallPdf.length,
    },
  });
  await app.call(uploadAttachment, {
    token,
    params: { attachmentId: body.attachmentId },
    body: smallPdf,
  });
  return body.attachmentId;
}

describe('ReceiveRequest', () => {
  it('makes the caller the holder, in both spellings of the path', async () => {
    const { requestId } = await stage.send('individual');
    const { body } = await stage.receive('employee', requestId);
    expect(body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
      allowedActions: ['approve', 'return', 'submitted', 'reject', 'release', 'hold'],
    });
    const second = await stage.send('individual');
    const answer = await app.call(
      { ...actionCalls.receiveRequest, path: '/api/Request/ReceiveRequest/{requestId}' },
      { token: await app.signIn('employee'), params: { requestId: second.requestId } },
    );
    expect(answer.status).toBe(200);
  });

  it('succeeds for one of several employees at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { requestId } = await stage.send('individual');
      const answers = await Promise.all([
        stage.receive('employee', requestId),
        stage.receive('employee2', requestId),
        stage.receive('admin', requestId),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      for (const { status, refused } of answers)
        if (status === 400) expect(refused.error).toBe('ActionNotAllowed');
      const { body } = await stage.read('employee', requestId);
      expect(body.history.filter(({ action }) => action === 'receive')).toHaveLength(1);
      expect(body.version).toBe(2);
    }
  });

  it('refuses requests that are not new, and is for staff only', async () => {
    const { requestId } = await stage.send('individual', paidService);
    expect((await stage.receive('employee', requestId)).refused.error).toBe('ActionNotAllowed');
    expect((await stage.receive('employee', 123_456_789)).refused.error).toBe('RequestNotFound');
    for (const username of ['individual', 'company', 'supervisor'])
      expect((await stage.receive(username, requestId)).status).toBe(403);
  });
});

describe('ReleaseRequest', () => {
  it('makes the request new again, so that another employee can receive it', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { body } = await stage.performAction('employee', actionCalls.releaseRequest, {
      requestId,
      version: 2,
    });
    expect(body).toMatchObject({ statusName: 'New', version: 3, allowedActions: ['receive'] });
    expect((await stage.receive('employee2', requestId)).body.allowedActions).toContain('approve');
    expect((await stage.read('employee', requestId)).body.allowedActions).toEqual([]);
  });

  it('is for the holder and for admins', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (await stage.performAction('employee2', actionCalls.releaseRequest, { requestId })).refused
        .error,
    ).toBe('ActionNotAllowed');
    expect(
      (await stage.performAction('admin', actionCalls.releaseRequest, { requestId })).status,
    ).toBe(200);
    expect(
      (await stage.performAction('individual', actionCalls.releaseRequest, { requestId })).status,
    ).toBe(403);
  });
});

describe('ApproveRequest', () => {
  it('passes the request to the service provider', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    expect(
      (await stage.performAction('employee', actionCalls.approveRequest, { requestId, version: 3 }))
        .body,
    ).toMatchObject({ statusName: 'Approved', version: 4 });
  });

  it('refuses an old version, and employees who do not hold the request', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const old = await stage.performAction('employee', actionCalls.approveRequest, {
      requestId,
      version: 1,
    });
    expect([old.status, old.refused.error]).toEqual([400, 'VersionHasChanged']);
    expect(
      (await stage.performAction('employee2', actionCalls.approveRequest, { requestId })).refused
        .error,
    ).toBe('ActionNotAllowed');
    expect(
      (await stage.performAction('supervisor', actionCalls.approveRequest, { requestId })).status,
    ).toBe(403);
    expect((await stage.read('employee', requestId)).body.version).toBe(2);
  });
});

describe('ReturnRequest', () => {
  it('shows the applicant the reasons and the message in their language', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId,
      ...reason,
      ...messageTexts,
    });
    for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const) {
      const { body } = await app.callAs('individual', calls.getRequestById, {
        query: { RequestId: requestId },
        language,
      });
      expect(body.history.at(-1)).toMatchObject({ action: 'return', message: message[language] });
      expect(body.history.at(-1)?.reasons).toHaveLength(2);
      expect(body.allowedActions).toEqual(['update', 'askToWithdraw']);
    }
  });

  it('is open to the provider who accepted the request, with the provider’s own number', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    await stage.performAction('supervisor2', actionCalls.acceptRequest, { requestId });
    expect(
      (
        await stage.performAction('supervisor2', actionCalls.returnRequest, {
          requestId,
          ...reason,
          ...messageTexts,
          serviceProviderRequestNumber: 'SP-77',
        })
      ).body.statusName,
    ).toBe('Returned to applicant');
    const row = await app.database
      .selectFrom('requests')
      .select('service_provider_request_number')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(row.service_provider_request_number).toBe('SP-77');
  });

  it('refuses incomplete messages and unknown reasons, and changes nothing', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    for (const incomplete of [{}, { ...messageTexts, messageEn: '  ' }, { messageAr: 'نعم' }]) {
      expect(
        (
          await stage.performAction('employee', actionCalls.returnRequest, {
            requestId,
            ...reason,
            ...incomplete,
          })
        ).refused.error,
      ).toBe('MessageIncomplete');
    }
    for (const id of [999, maximumId])
      expect(
        (
          await stage.performAction('employee', actionCalls.returnRequest, {
            requestId,
            requestHistoryRejectionReasonsList: [1, id],
            ...messageTexts,
          })
        ).refused.error,
      ).toBe('RejectionReasonNotFound');
    expect((await stage.read('employee', requestId)).body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
    });
    expect(
      (
        await stage.performAction('individual', actionCalls.returnRequest, {
          requestId,
          ...messageTexts,
        })
      ).status,
    ).toBe(403);
  });
});

describe('AcceptRequest', () => {
  it('accepts an approved request', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    expect(
      (await stage.performAction('supervisor2', actionCalls.acceptRequest, { requestId })).body,
    ).toMatchObject({
      statusName: 'With the service provider',
      allowedActions: ['return', 'submitted', 'reject'],
    });
  });

  it('is refused for another partner as if the request did not exist', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    expect(
      (await stage.performAction('supervisor', actionCalls.acceptRequest, { requestId })).refused
        .error,
    ).toBe('RequestNotFound');
    expect(
      (await stage.performAction('individual', actionCalls.acceptRequest, { requestId })).status,
    ).toBe(403);
  });
});

describe('RejectRequest', () => {
  it('ends the request with a reason', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { body } = await stage.performAction('employee', actionCalls.rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: 6,
      ...messageTexts,
    });
    expect(body).toMatchObject({
      statusName: 'Rejected',
      statusTone: 'refused',
      allowedActions: [],
    });
    expect(body.history.at(-1)?.reasons).toEqual(['The conditions of the service are not met']);
  });

  it('needs an existing reason and the message in three languages', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (
        await stage.performAction('employee', actionCalls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 99,
          ...messageTexts,
        })
      ).refused.error,
    ).toBe('RejectionReasonNotFound');
    expect(
      (
        await stage.performAction('employee', actionCalls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
        })
      ).refused.error,
    ).toBe('MessageIncomplete');
    expect(
      (
        await stage.performAction('employee2', actionCalls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
          ...messageTexts,
        })
      ).refused.error,
    ).toBe('ActionNotAllowed');
    expect(
      (
        await stage.performAction('company', actionCalls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
          ...messageTexts,
        })
      ).status,
    ).toBe(403);
  });
});

describe('SubmittedRequest', () => {
  it('completes the request with result documents for the applicant, with or without a message', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { serviceId } = (await stage.read('employee', requestId)).body;
    const result = await uploadResult('employee', serviceId, requestId);
    expect(
      (await stage.read('individual', requestId)).body.attachments.some(
        ({ attachmentId }) => attachmentId === result,
      ),
    ).toBe(false);
    await stage.performAction('employee', actionCalls.submittedRequest, {
      requestId,
      requestAttachmentList: [result],
    });
    const { body } = await stage.read('individual', requestId);
    expect(body).toMatchObject({ statusName: 'Completed', statusTone: 'done' });
    expect(body.attachments.find(({ attachmentId }) => attachmentId === result)).toMatchObject({
      isResult: true,
      name: 'result',
      fileName: 'licence.pdf',
    });
    expect(body.history.at(-1)).toMatchObject({ action: 'submitted', message: '' });
    const { body: messages } = await app.callAs('individual', getRequestMessages, {
      query: { RequestId: requestId },
    });
    expect(messages.find(({ action }) => action === 'submitted')?.text).toContain(
      '\nDocuments issued: 1\n',
    );
  });

  it('needs a result where the service issues a document, also when it can be undone', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { serviceId, isResultRequired } = (await stage.read('employee', requestId)).body;
    expect(isResultRequired).toBe(false);
    const setIssuesDocument = (issues_document: boolean) =>
      app.database
        .updateTable('services')
        .set({ issues_document })
        .where('id', '=', serviceId)
        .execute();
    await setIssuesDocument(true);
    try {
      for (const isUndoable of [false, true])
        expect(
          (
            await stage.performAction('employee', actionCalls.submittedRequest, {
              requestId,
              isUndoable,
              requestAttachmentList: [],
            })
          ).refused.error,
        ).toBe('ResultRequired');
      expect((await stage.read('employee', requestId)).body.isResultRequired).toBe(true);
      expect((await stage.read('individual', requestId)).body).not.toHaveProperty(
        'isResultRequired',
      );
      const result = await uploadResult('employee', serviceId, requestId);
      const { status } = await stage.performAction('employee', actionCalls.submittedRequest, {
        requestId,
        requestAttachmentList: [result],
      });
      expect(status).toBe(200);
    } finally {
      await setIssuesDocument(false);
    }
  });

  it('needs a message in the language of the applicant, which stands for the others', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect((await stage.read('employee', requestId)).body.applicantLanguage).toBe('en-US');
    expect((await stage.read('individual', requestId)).body).not.toHaveProperty(
      'applicantLanguage',
    );
    const complete = (message: object) =>
      stage.performAction('employee', actionCalls.submittedRequest, { requestId, ...message });
    expect((await complete({ messageAr: 'اكتمل طلبكم' })).refused.error).toBe('MessageIncomplete');
    await complete({ messageAr: 'اكتمل طلبكم', messageEn: 'Done' });
    const { message } = await app.database
      .selectFrom('request_history')
      .select('message')
      .where('request_id', '=', requestId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(message).toEqual({ 'ar-EG': 'اكتمل طلبكم', 'en-US': 'Done', 'ur-PK': 'Done' });
  });

  it('refuses documents that the caller did not upload as results of this request', async () => {
    const { requestId, attachmentIds } = await stage.sendAndReceive('individual');
    const { serviceId } = (await stage.read('employee', requestId)).body;
    const ofColleague = await uploadResult('employee2', serviceId, requestId);
    const other = await stage.send('individual', paidService);
    const ofOtherService = await uploadResult(
      'employee',
      (await stage.findService(paidService)).id,
      other.requestId,
    );
    const noResult = await uploadResult('employee', serviceId, undefined, 'evidence');
    for (const id of [
      ofColleague,
      ofOtherService,
      noResult,
      attachmentIds[0] ?? '',
      '7c0f0c56-0000-4000-8000-000000000000',
    ]) {
      expect(
        (
          await stage.performAction('employee', actionCalls.submittedRequest, {
            requestId,
            requestAttachmentList: [id],
          })
        ).refused.error,
      ).toBe('AttachmentNotFound');
    }
    expect((await stage.read('employee', requestId)).body.statusName).toBe('Being processed');
    expect(
      (await stage.performAction('individual', actionCalls.submittedRequest, { requestId })).status,
    ).toBe(403);
  });
});

describe('a payment', () => {
  it('moves a request that waits for it, once', async () => {
    const { requestId } = await stage.send('individual', paidService);
    expect(
      (await Promise.all(Array.from({ length: 6 }, () => stage.pay(requestId)))).filter(Boolean),
    ).toHaveLength(1);
    expect((await stage.read('individual', requestId)).body).toMatchObject({
      statusName: 'Received, waiting for review',
      version: 2,
    });
    await expect(stage.pay(123_456_789)).rejects.toThrow('RequestNotFound');
  });
});

describe('the history', () => {
  it('is append-only', async () => {
    const { requestId } = await stage.send('individual');
    await expect(
      app.database
        .updateTable('request_history')
        .set({ action: 'approve' })
        .where('request_id', '=', requestId)
        .execute(),
    ).rejects.toThrow(/append-only/);
    await expect(
      app.database.deleteFrom('request_history').where('request_id', '=', requestId).execute(),
    ).rejects.toThrow(/append-only/);
    for (const table of ['request_history', 'payment_events', 'request_reads', 'workflow_choices'])
      await expect(sql`truncate ${sql.id(table)} cascade`.execute(app.database)).rejects.toThrow(
        /append-only/,
      );
  });
});
