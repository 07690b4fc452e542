import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as attachments from '@diwan/contract/requests/attachments';
import { createPayment } from '@diwan/contract/requests/payments';
import * as requests from '@diwan/contract/requests/requests';
import { smallPdf } from '../testing/demo-request.ts';
import {
  openRequestStage,
  paidService,
  words,
  type RequestStage,
  type Sent,
} from '../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let stage: RequestStage;
let mine: Sent;
let path: string;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
  mine = await stage.send('individual', paidService);
  path = (await stage.read('individual', mine.requestId)).body.attachments[0]?.filePath ?? '';
});
afterAll(() => app.close());

// Nobody of these has anything to do with the request of `individual`; supervisor2 is of another
// partner, and to supervisor it has not come yet.
const strangers = ['individual2', 'company', 'company2', 'supervisor', 'supervisor2'];

describe.each(strangers)('%s and the request of somebody else', (username) => {
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
        await app.call(requests.getRequestByRequestNoOrMobileNo, {
          token,
          query: { SearchKeyword: mine.requestNumber },
        })
      ).body.totalCount,
    ).toBe(0);
    expect(
      (
        await app.call(requests.getRequestsByStatusId, {
          token,
          query: { SearchKeyword: mine.requestNumber },
        })
      ).body.totalCount,
    ).toBe(0);
  });

  it('cannot act on it or pay for it, and is not told that it is there', async () => {
    const token = await as();
    const { requestId } = mine;
    const answers = [
      await app.call(createPayment, { token, params: { requestId } }),
      await app.call(requests.updateRequest, {
        token,
        body: { requestId, answers: mine.answers, attachmentIds: mine.attachmentIds },
      }),
      await app.call(requests.acceptRequest, { token, body: { requestId } }),
      await app.call(requests.returnRequest, { token, body: { requestId, ...words } }),
      await app.call(requests.submittedRequest, { token, body: { requestId } }),
      await app.call(requests.rejectRequest, {
        token,
        body: { requestId, requestHistoryRejectionReasonId: 1, ...words },
      }),
    ];
    for (const { refused } of answers)
      expect(['RequestNotFound', 'YouAreUnauthorized']).toContain(refused.error);
    expect((await stage.read('individual', requestId)).body.version).toBe(1);
  });

  it('cannot open, replace, throw away or take its documents', async () => {
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

it('a company’s request is its users’ alone', async () => {
  const sent = await stage.send('company', paidService);
  for (const username of ['company2', 'individual', 'individual2', 'supervisor2'])
    expect((await stage.read(username, sent.requestId)).refused.error).toBe('RequestNotFound');
  expect((await stage.read('company', sent.requestId)).status).toBe(200);
});

describe('a reference to a file', () => {
  const open = async (username: string, filePath: string) =>
    app.call(attachments.downloadFile, {
      token: await app.signIn(username),
      query: { filePath },
    });

  it('is for the one caller it was made for, staff included', async () => {
    expect((await open('individual', path)).status).toBe(200);
    for (const username of ['individual2', 'employee', 'admin'])
      expect((await open(username, path)).refused.error).toBe('AttachmentNotFound');
  });

  it('cannot be changed or made by hand', async () => {
    const [text = '', signature = ''] = path.split('.');
    const [id, , until] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
      string,
      string,
      number,
    ];
    const other = await app.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'individual2')
      .executeTakeFirstOrThrow();
    const forged = Buffer.from(JSON.stringify([id, other.id, until])).toString('base64url');
    for (const filePath of [
      `${forged}.${signature}`,
      `${forged}.`,
      forged,
      `${text}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ])
      expect((await open('individual2', filePath)).refused.error).toBe('AttachmentNotFound');
  });

  it('dies', async () => {
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

describe('a hidden meaning in a text', () => {
  it('is taken out of answers, and markup stays text', async () => {
    const sent = await stage.send('individual', paidService, {
      applicantName: '\u202Eevil\u2066 <script>alert(1)</script>',
    });
    const { body } = await stage.read('individual', sent.requestId);
    expect(body.applicantName).toBe('evil <script>alert(1)</script>');
  });

  it('is taken out of what staff write to applicants', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const message = {
      messageAr: '\u202Eرسالة',
      messageEn: 'See\u0007 http://a\u202E',
      messageUr: 'پیغام',
    };
    expect(
      (
        await stage.act('employee', requests.returnRequest, {
          requestId: sent.requestId,
          ...message,
        })
      ).status,
    ).toBe(200);
    expect((await stage.read('individual', sent.requestId)).body.history.at(-1)?.message).toBe(
      'See http://a',
    );
  });

  it('does not let a keyword mean everything', async () => {
    const token = await app.signIn('employee');
    for (const SearchKeyword of ['%', '_', '%%', '\\', "' or true --", '🙂'])
      expect(
        (await app.call(requests.getRequestsByStatusId, { token, query: { SearchKeyword } })).body
          .totalCount,
        SearchKeyword,
      ).toBe(0);
  });
});
