import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as attachments from '@diwan/contract/requests/attachments';
import { createPayment } from '@diwan/contract/requests/payments';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as listCalls from '@diwan/contract/requests/request-lists';
import * as requests from '@diwan/contract/requests/requests';
import { smallPdf } from '../testing/requests/demo-request.ts';
import {
  openRequestStage,
  paidService,
  messageTexts,
  type SentRequest,
} from '../testing/requests/request-stage.ts';
import { openTestApp, useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
const stage = openRequestStage(app);
let mine: SentRequest;
let path: string;
beforeAll(async () => {
  mine = await stage.send('individual', paidService);
  path = (await stage.read('individual', mine.requestId)).body.attachments[0]?.filePath ?? '';
});

// These users have no access to the request of `individual`: supervisor2 is of another partner, and
// the request was not passed to supervisor yet.
const strangers = ['individual2', 'company', 'company2', 'supervisor', 'supervisor2'];

describe.each(strangers)('%s and the request of another user', (username) => {
  const as = () => app.signIn(username);

  it('cannot read it, find it by its number, or see it in a list', async () => {
    const token = await as();
    expect((await stage.read(username, mine.requestId)).refused.error).toBe('RequestNotFound');
    expect(
      (
        await app.call(requests.getRequestIdByRequestNumber, {
          token,
          query: { RequestNumber: mine.requestNumber },
        })
      ).refused.error,
    ).toBe('RequestNotFound');
    expect(
      (
        await app.call(listCalls.getRequestByRequestNoOrMobileNo, {
          token,
          query: { SearchKeyword: mine.requestNumber },
        })
      ).body.totalCount,
    ).toBe(0);
    expect(
      (
        await app.call(listCalls.getRequestsByStatusId, {
          token,
          query: { SearchKeyword: mine.requestNumber },
        })
      ).body.totalCount,
    ).toBe(0);
  });

  it('cannot perform actions on it or pay for it, and does not learn that it exists', async () => {
    const token = await as();
    const { requestId } = mine;
    const answers = [
      await app.call(createPayment, { token, params: { requestId } }),
      await app.call(actionCalls.updateRequest, {
        token,
        body: { requestId, answers: mine.answers, attachmentIds: mine.attachmentIds },
      }),
      await app.call(actionCalls.acceptRequest, { token, body: { requestId } }),
      await app.call(actionCalls.returnRequest, { token, body: { requestId, ...messageTexts } }),
      await app.call(actionCalls.submittedRequest, { token, body: { requestId } }),
      await app.call(actionCalls.rejectRequest, {
        token,
        body: { requestId, requestHistoryRejectionReasonId: 1, ...messageTexts },
      }),
    ];
    for (const { refused } of answers)
      expect(['RequestNotFound', 'YouAreUnauthorized']).toContain(refused.error);
    expect((await stage.read('individual', requestId)).body.version).toBe(1);
  });

  it('cannot open, replace, delete or use its documents', async () => {
    const token = await as();
    const [attachmentId = ''] = mine.attachmentIds;
    const answers = [
      await app.call(attachments.downloadFile, { token, query: { filePath: path } }),
      await app.call(attachments.uploadAttachment, {
        token,
        params: { attachmentId },
        body: smallPdf,
      }),
      await app.call(attachments.deleteAttachment, { token, params: { attachmentId } }),
    ];
    for (const { refused } of answers) expect(refused.error).toBe('AttachmentNotFound');
    if (username.startsWith('supervisor')) return;
    const service = await stage.findService(paidService);
    const taken = await stage.create(username, {
      serviceId: service.id,
      answers: mine.answers,
      attachmentIds: mine.attachmentIds,
      agreeToTermsAndConditions: true,
    });
    expect(taken.refused.errors).toHaveProperty('attachments');
  });
});

it('a company’s request belongs to its users only', async () => {
  const sent = await stage.send('company', paidService);
  for (const username of ['company2', 'individual', 'individual2', 'supervisor2'])
    expect((await stage.read(username, sent.requestId)).refused.error).toBe('RequestNotFound');
  expect((await stage.read('company', sent.requestId)).status).toBe(200);
});

describe('a reference to a file', () => {
  const open = async (username: string, filePath: string) =>
    app.callAs(username, attachments.downloadFile, { query: { filePath } });

  it('is valid for one caller, staff included', async () => {
    expect((await open('individual', path)).status).toBe(200);
    for (const username of ['individual2', 'employee', 'admin'])
      expect((await open(username, path)).refused.error).toBe('AttachmentNotFound');
  });

  it('cannot be changed or forged', async () => {
    const bytes = Buffer.from(path, 'base64url');
    expect(bytes.toString('latin1')).not.toContain(await app.idOf('individual'));
    const changed = [0, bytes.length >> 1, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    const readable = JSON.stringify(['1', await app.idOf('individual'), 4_000_000_000]);
    for (const filePath of [
      ...changed,
      path.slice(0, -4),
      Buffer.from(readable).toString('base64url'),
    ])
      expect((await open('individual', filePath)).refused.error).toBe('AttachmentNotFound');
  });

  it('expires', async () => {
    const brief = await openTestApp({ FILE_REFERENCE_SECONDS: '60' });
    const sent = await openRequestStage(brief).send('individual', paidService);
    const token = await brief.signIn('individual');
    const { body } = await brief.call(requests.getRequestById, {
      token,
      query: { RequestId: sent.requestId },
    });
    const query = { filePath: body.attachments[0]?.filePath ?? '' };
    expect((await brief.call(attachments.downloadFile, { token, query })).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect((await brief.call(attachments.downloadFile, { token, query })).refused.error).toBe(
      'AttachmentNotFound',
    );
    vi.useRealTimers();
    await brief.close();
  });
});

describe('control characters and markup in texts', () => {
  it('are removed from answers; markup stays text', async () => {
    const sent = await stage.send('individual', paidService, {
      applicantName: '\u202Eevil\u2066 <script>alert(1)</script>',
    });
    const { body } = await stage.read('individual', sent.requestId);
    expect(body.applicantName).toBe('evil <script>alert(1)</script>');
  });

  it('are removed from messages of staff', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const message = {
      messageAr: '\u202Eرسالة',
      messageEn: 'See\u0007 http://a\u202E',
      messageUr: 'پیغام',
    };
    expect(
      (
        await stage.performAction('employee', actionCalls.returnRequest, {
          requestId: sent.requestId,
          ...message,
        })
      ).status,
    ).toBe(200);
    expect((await stage.read('individual', sent.requestId)).body.history.at(-1)?.message).toBe(
      'See http://a',
    );
  });

  it('a keyword cannot match everything', async () => {
    const token = await app.signIn('employee');
    for (const SearchKeyword of ['%', '_', '%%', '\\', "' or true --", '🙂'])
      expect(
        (await app.call(listCalls.getRequestsByStatusId, { token, query: { SearchKeyword } })).body
          .totalCount,
        SearchKeyword,
      ).toBe(0);
  });
});
