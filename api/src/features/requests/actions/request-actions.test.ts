import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import * as calls from '@diwan/contract/requests/requests';
import { smallPdf } from '../../../testing/demo-request.ts';
import {
  openRequestStage,
  paidService,
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

const message = { 'ar-EG': words.messageAr, 'en-US': words.messageEn, 'ur-PK': words.messageUr };
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
  it('gives the request to who received it, in both spellings of the path', async () => {
    const { requestId } = await stage.send('individual');
    const { body } = await stage.receive('employee', requestId);
    expect(body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
      allowedActions: ['approve', 'return', 'submitted', 'reject', 'release'],
    });
    const second = await stage.send('individual');
    const answer = await app.call(
      { ...calls.receiveRequest, path: '/api/Request/ReceiveRequest/{requestId}' },
      { token: await app.signIn('employee'), params: { requestId: second.requestId } },
    );
    expect(answer.status).toBe(200);
  });

  it('lets one of two clerks win who press at once', async () => {
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

  it('refuses one that is not new, and is for staff', async () => {
    const { requestId } = await stage.send('individual', paidService);
    expect((await stage.receive('employee', requestId)).refused.error).toBe('ActionNotAllowed');
    expect((await stage.receive('employee', 123_456_789)).refused.error).toBe('RequestNotFound');
    for (const username of ['individual', 'company', 'supervisor'])
      expect((await stage.receive(username, requestId)).status).toBe(403);
  });
});

describe('ReleaseRequest', () => {
  it('puts it back among the new ones, where another one may take it', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { body } = await stage.act('employee', calls.releaseRequest, { requestId, version: 2 });
    expect(body).toMatchObject({ statusName: 'New', version: 3, allowedActions: ['receive'] });
    expect((await stage.receive('employee2', requestId)).body.allowedActions).toContain('approve');
    expect((await stage.read('employee', requestId)).body.allowedActions).toEqual([]);
  });

  it('is for who holds it, and an admin', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect((await stage.act('employee2', calls.releaseRequest, { requestId })).refused.error).toBe(
      'ActionNotAllowed',
    );
    expect((await stage.act('admin', calls.releaseRequest, { requestId })).status).toBe(200);
    expect((await stage.act('individual', calls.releaseRequest, { requestId })).status).toBe(403);
  });
});

describe('ApproveRequest', () => {
  it('passes it to the service provider', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    expect(
      (await stage.act('employee', calls.approveRequest, { requestId, version: 3 })).body,
    ).toMatchObject({ statusName: 'Approved', version: 4 });
  });

  it('refuses an old version, and another clerk than the one who holds it', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const old = await stage.act('employee', calls.approveRequest, { requestId, version: 1 });
    expect([old.status, old.refused.error]).toEqual([400, 'VersionHasChanged']);
    expect((await stage.act('employee2', calls.approveRequest, { requestId })).refused.error).toBe(
      'ActionNotAllowed',
    );
    expect((await stage.act('supervisor', calls.approveRequest, { requestId })).status).toBe(403);
    expect((await stage.read('employee', requestId)).body.version).toBe(2);
  });
});

describe('ReturnRequest', () => {
  it('tells the applicant reasons and message in their language', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.act('employee', calls.returnRequest, { requestId, ...reason, ...words });
    for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const) {
      const { body } = await app.call(calls.getRequestById, {
        token: await app.signIn('individual'),
        query: { RequestId: requestId },
        language,
      });
      expect(body.history.at(-1)).toMatchObject({ action: 'return', message: message[language] });
      expect(body.history.at(-1)?.reasons).toHaveLength(2);
      expect(body.allowedActions).toEqual(['update']);
    }
  });

  it('can be done by the provider who took it on, with the number under which they know it', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    await stage.act('supervisor2', calls.acceptRequest, { requestId });
    expect(
      (
        await stage.act('supervisor2', calls.returnRequest, {
          requestId,
          ...reason,
          ...words,
          serviceProviderRequestNumber: 'SP-77',
        })
      ).body.statusName,
    ).toBe('Returned to you');
    const row = await app.database
      .selectFrom('requests')
      .select('service_provider_request_number')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(row.service_provider_request_number).toBe('SP-77');
  });

  it('refuses a message that lacks a language and reasons that are none, and changes nothing', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    for (const lacking of [{}, { ...words, messageUr: '  ' }, { messageAr: 'نعم' }]) {
      expect(
        (await stage.act('employee', calls.returnRequest, { requestId, ...reason, ...lacking }))
          .refused.error,
      ).toBe('MessageIncomplete');
    }
    for (const id of [0, 999, 2 ** 40])
      expect(
        (
          await stage.act('employee', calls.returnRequest, {
            requestId,
            requestHistoryRejectionReasonsList: [1, id],
            ...words,
          })
        ).refused.error,
      ).toBe('RejectionReasonNotFound');
    expect((await stage.read('employee', requestId)).body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
    });
    expect(
      (await stage.act('individual', calls.returnRequest, { requestId, ...words })).status,
    ).toBe(403);
  });
});

describe('AcceptRequest', () => {
  it('takes an approved request on', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    expect((await stage.act('supervisor2', calls.acceptRequest, { requestId })).body).toMatchObject(
      {
        statusName: 'With the service provider',
        allowedActions: ['return', 'submitted', 'reject'],
      },
    );
  });

  it('is not for another partner, for whom it does not exist', async () => {
    const { requestId } = await stage.sendAndApprove('individual');
    expect((await stage.act('supervisor', calls.acceptRequest, { requestId })).refused.error).toBe(
      'RequestNotFound',
    );
    expect((await stage.act('individual', calls.acceptRequest, { requestId })).status).toBe(403);
  });
});

describe('RejectRequest', () => {
  it('ends it with a reason', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { body } = await stage.act('employee', calls.rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: 6,
      ...words,
    });
    expect(body).toMatchObject({
      statusName: 'Rejected',
      statusTone: 'refused',
      allowedActions: [],
    });
    expect(body.history.at(-1)?.reasons).toEqual(['The conditions of the service are not met']);
  });

  it('needs a reason that exists and the message in three languages', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (
        await stage.act('employee', calls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 99,
          ...words,
        })
      ).refused.error,
    ).toBe('RejectionReasonNotFound');
    expect(
      (
        await stage.act('employee', calls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
        })
      ).refused.error,
    ).toBe('MessageIncomplete');
    expect(
      (
        await stage.act('employee2', calls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
          ...words,
        })
      ).refused.error,
    ).toBe('ActionNotAllowed');
    expect(
      (
        await stage.act('company', calls.rejectRequest, {
          requestId,
          requestHistoryRejectionReasonId: 1,
          ...words,
        })
      ).status,
    ).toBe(403);
  });
});

describe('SubmittedRequest', () => {
  it('completes it with result documents that the applicant then sees, and no message when none is given', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { serviceId } = (await stage.read('employee', requestId)).body;
    const result = await uploadResult('employee', serviceId, requestId);
    expect(
      (await stage.read('individual', requestId)).body.attachments.some(
        ({ attachmentId }) => attachmentId === result,
      ),
    ).toBe(false);
    await stage.act('employee', calls.submittedRequest, {
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
  });

  it('takes a message in all three languages or none', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    expect(
      (await stage.act('employee', calls.submittedRequest, { requestId, messageEn: 'Done' }))
        .refused.error,
    ).toBe('MessageIncomplete');
    expect(
      (
        await stage.act('employee', calls.submittedRequest, { requestId, ...words })
      ).body.history.at(-1)?.message,
    ).toBe(words.messageEn);
  });

  it('refuses documents that are no results of the caller for this service', async () => {
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
          await stage.act('employee', calls.submittedRequest, {
            requestId,
            requestAttachmentList: [id],
          })
        ).refused.error,
      ).toBe('AttachmentNotFound');
    }
    expect((await stage.read('employee', requestId)).body.statusName).toBe('Being processed');
    expect((await stage.act('individual', calls.submittedRequest, { requestId })).status).toBe(403);
  });
});

describe('a payment', () => {
  it('takes a request on that waits for money, once, and no other', async () => {
    const { requestId } = await stage.send('individual', paidService);
    expect(
      (await Promise.all(Array.from({ length: 6 }, () => stage.pay(requestId)))).filter(Boolean),
    ).toHaveLength(1);
    expect((await stage.read('individual', requestId)).body).toMatchObject({
      statusName: 'New',
      version: 2,
    });
    await expect(stage.pay(123_456_789)).rejects.toThrow('RequestNotFound');
  });
});

describe('history', () => {
  it('is never changed', async () => {
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
      await expect(sql`truncate ${sql.table(table)} cascade`.execute(app.database)).rejects.toThrow(
        /append-only/,
      );
  });
});
