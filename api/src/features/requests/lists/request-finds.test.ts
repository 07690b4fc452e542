import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAuditEvents } from '@diwan/contract/people/audit';
import {
  saveRequestAttachments,
  updateRequestAttachments,
} from '@diwan/contract/requests/request-attachments';
import * as finds from '@diwan/contract/requests/request-finds';
import { recordRefund } from '@diwan/contract/requests/request-refunds';
import { checkReferralCodeValidity } from '@diwan/contract/requests/referral-codes';
import {
  createRequest,
  getRequestsByStatusId,
  rejectRequest,
  returnRequest,
  updateRequest,
} from '@diwan/contract/requests/requests';
import { answersFor, uploadRequired } from '../../../testing/demo-request.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  words,
  type RequestStage,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { pruneUnused } from '../../attachments/attachments.actions.ts';
import { refundableOf } from '../record/refunds.ts';
import { searchTextOf } from '../model/request-search-text.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

type Query = Record<string, string | number>;
const list = async (username: string, query: Query) =>
  (
    await app.call(getRequestsByStatusId, {
      token: await app.signIn(username),
      query: { Take: 100, ...query },
    })
  ).body;
const numbers = async (username: string, query: Query) =>
  (await list(username, query)).items.map(({ requestNumber }) => requestNumber);
const act = async (username: string, requestId: number, reject = rejectRequest) =>
  stage.act(username, reject, { requestId, requestHistoryRejectionReasonId: 1, ...words });
const sendReturned = async () => {
  const sent = await stage.sendAndReceive('individual');
  await stage.act('employee', returnRequest, {
    requestId: sent.requestId,
    requestHistoryRejectionReasonsList: [1],
    ...words,
  });
  return sent;
};

describe('lists', () => {
  it('find by a word of the service, of the person, by parts of the number and the phone, and by signs only what holds them', async () => {
    const { requestNumber } = await stage.send('individual', freeService, {
      applicantName: 'Wilhelmina Ahmadović',
      applicantMobile: '0507654321',
    });
    for (const keyword of [
      'wilhelmina',
      'WILHEL labour',
      'Ahmadovic',
      requestNumber,
      requestNumber.slice(5),
      '7654321',
      '٠٥٠٧٦٥٤٣٢١',
    ])
      expect(await numbers('employee', { SearchKeyword: keyword }), keyword).toContain(
        requestNumber,
      );
    for (const keyword of [
      'wilhelmina passport%',
      '%',
      '_',
      '\\',
      '*',
      '‮‮',
      `wilhelmina${'x'.repeat(180)}`,
    ])
      expect((await list('employee', { SearchKeyword: keyword })).totalCount, keyword).toBe(0);
    expect(
      (
        await app.call(getRequestsByStatusId, {
          token: await app.signIn('employee'),
          query: { SearchKeyword: 'x'.repeat(201) },
        })
      ).status,
    ).toBe(400);
  });

  it('put several statuses together in order, each once, and answer an empty page past the end', async () => {
    await stage.sendAndReceive('individual');
    await stage.send('individual');
    const both = await list('employee', { StatusIds: '3,4,3' });
    const [one, other] = [
      await list('employee', { StatusId: 3 }),
      await list('employee', { StatusId: 4 }),
    ];
    expect(both.totalCount).toBe(one.totalCount + other.totalCount);
    expect(new Set(both.items.map(({ requestId }) => requestId)).size).toBe(both.totalCount);
    const times = both.items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(
      (await list('employee', { StatusIds: '3,4', sortOrder: 'asc' })).items.map(
        ({ requestId }) => requestId,
      ),
    ).toEqual(both.items.map(({ requestId }) => requestId).toReversed());
    const past = await list('employee', { StatusIds: '3,4', PageNumber: 999_999 });
    expect(past).toEqual({ items: [], pageNumber: 999_999, totalCount: both.totalCount });
    expect(await list('individual', { PageNumber: 5000 })).toMatchObject({
      items: [],
      totalCount: (await list('individual', {})).totalCount,
    });
  });

  it('without flags of refunds answer the same, and refuse dates the wrong way round', async () => {
    const query = { StatusId: 3, Take: 100 };
    const answer = await app.call(finds.getAllRequestsByStatusId, {
      token: await app.signIn('employee'),
      query,
    });
    expect(answer.body).toEqual(await list('employee', query));
    for (const call of [finds.getAllRequestsByStatusId, getRequestsByStatusId]) {
      const { status, refused } = await app.call(call, {
        token: await app.signIn('employee'),
        query: { DateFrom: '2026-02-02', DateTo: '2026-02-01' },
      });
      expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['DateTo']]);
    }
  });
});

it('searches in the person, never in what others are called', () => {
  expect(
    searchTextOf({
      number: 'DW26-00001-00002',
      applicantName: 'أَحْمَد Khan',
      phoneNumber: '+971501234567',
    }),
  ).toBe('dw26 00001 00002 dw260000100002 احمد khan 971501234567 0501234567');
});

describe('what is found by number, phone or payment', () => {
  it('is what the caller may see, as a summary', async () => {
    const mobile = '0567000111';
    const own = await stage.send('individual', freeService, { applicantMobile: mobile });
    const other = await stage.send('individual2', freeService, { applicantMobile: mobile });
    const ask = async (username: string, SearchKeyword: string) =>
      (
        await app.call(finds.getRequestByRequestNoOrMobileNoV2, {
          token: await app.signIn(username),
          query: { SearchKeyword },
        })
      ).body;
    expect((await ask('employee', mobile)).items.map(({ requestNumber }) => requestNumber)).toEqual(
      [other.requestNumber, own.requestNumber],
    );
    expect((await ask('individual', mobile)).items).toMatchObject([
      { requestId: own.requestId, allowedActions: [] },
    ]);
    expect(await ask('individual', other.requestNumber)).toEqual({
      items: [],
      pageNumber: 1,
      totalCount: 0,
    });
    expect((await ask('employee', 'Sara')).items).toEqual([]);
  });

  it('is the request of a payment, for its owner and staff', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const MerchantReference =
      (await stage.read('individual', requestId)).body.payments[0]?.merchantReference ?? '';
    const ask = async (username: string, query = { MerchantReference }) =>
      app.call(finds.getRequestByMerchantReference, {
        token: await app.signIn(username),
        query,
      });
    for (const username of ['individual', 'employee', 'admin'])
      expect((await ask(username)).body.requestId).toBe(requestId);
    for (const username of ['individual2', 'company', 'supervisor', 'supervisor2'])
      expect((await ask(username)).refused.error, username).toBe('RequestNotFound');
    expect((await ask('employee', { MerchantReference: 'none' })).refused.error).toBe(
      'RequestNotFound',
    );
  });
});

describe('a request that is to be mended', () => {
  it('is answered with its marks to whoever can mend it, and only while they can', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const ask = async (username: string) =>
      app.call(finds.getRequestByIdForUpdate, {
        token: await app.signIn(username),
        query: { RequestId: requestId },
      });
    expect((await ask('individual')).refused.error).toBe('ActionNotAllowed');
    const { form } = (await stage.read('individual', requestId)).body;
    const field = `answers.${form.steps[0]?.fields[0]?.name}`;
    await stage.act('employee', returnRequest, { requestId, marks: [{ field, ...words }] });
    expect((await ask('individual')).body).toMatchObject({
      requestId,
      openMarks: [{ field, message: words.messageEn }],
      keptAttachments: [],
    });
    expect((await ask('individual2')).refused.error).toBe('RequestNotFound');
  });

  it('keeps documents on any device until it is sent, and sends them in place of the others', async () => {
    const sent = await sendReturned();
    const token = await app.signIn('individual');
    const service = await stage.findService(freeService);
    const [fresh] = await uploadRequired(app, token, service);
    const wanted = [fresh ?? '', ...sent.attachmentIds.slice(1)];
    const save = (requestAttachmentList: string[], version?: number) =>
      app.call(saveRequestAttachments, {
        token,
        body: { requestId: sent.requestId, requestAttachmentList, ...(version ? { version } : {}) },
      });
    expect((await save(wanted)).body).toEqual({
      requestId: sent.requestId,
      requestAttachmentList: wanted,
    });
    const { body } = await app.call(finds.getRequestByIdForUpdate, {
      token,
      query: { RequestId: sent.requestId },
    });
    expect(body.keptAttachments.map(({ attachmentId }) => attachmentId).toSorted()).toEqual(
      wanted.toSorted(),
    );
    expect(body.statusId).toBe(5);
    // Kept is used: it is not thrown away with what nobody wanted.
    await app.database
      .updateTable('attachments')
      .set({ created_at: new Date(0) })
      .where('id', '=', fresh ?? '')
      .execute();
    await pruneUnused(
      {
        database: app.database,
        files: { remove: async () => undefined, prune: async () => undefined } as never,
      },
      30,
    );
    expect((await save([crypto.randomUUID()])).status).toBe(400);
    expect((await save(wanted, body.version + 1)).refused.error).toBe('VersionHasChanged');
    // Nothing at all may be kept, but not sent.
    expect((await save([])).status).toBe(200);
    expect(
      (
        await app.call(updateRequestAttachments, {
          token,
          body: { requestId: sent.requestId, requestAttachmentList: [] },
        })
      ).status,
    ).toBe(400);
    const updated = await app.call(updateRequestAttachments, {
      token,
      body: { requestId: sent.requestId, requestAttachmentList: wanted },
    });
    expect(updated.body).toMatchObject({
      statusId: 3,
      answers: (await stage.read('individual', sent.requestId)).body.answers,
    });
    expect(updated.body.attachments.map(({ attachmentId }) => attachmentId).toSorted()).toEqual(
      wanted.toSorted(),
    );
    expect(updated.body.earlierAttachments.map(({ attachmentId }) => attachmentId)).toEqual(
      sent.attachmentIds.slice(0, 1),
    );
    expect((await save(wanted)).refused.error).toBe('ActionNotAllowed');
  });

  it('takes no documents of another person', async () => {
    const sent = await sendReturned();
    const foreign = await uploadRequired(
      app,
      await app.signIn('individual2'),
      await stage.findService(freeService),
    );
    const body = {
      requestId: sent.requestId,
      requestAttachmentList: [...sent.attachmentIds, ...foreign],
    };
    for (const call of [saveRequestAttachments, updateRequestAttachments]) {
      expect((await app.call(call, { token: await app.signIn('individual'), body })).status).toBe(
        400,
      );
      expect(
        (await app.call(call, { token: await app.signIn('individual2'), body })).refused.error,
      ).toBe('RequestNotFound');
    }
    expect(
      (
        await stage.act('individual', updateRequest, {
          requestId: sent.requestId,
          answers: sent.answers,
          attachmentIds: sent.attachmentIds,
        })
      ).status,
    ).toBe(200);
  });
});

describe('refunds', () => {
  it('are what was paid of the lines that say so, in their order', () => {
    const line = (amount: number, vat: number, refundable?: boolean) => ({
      name: 'x',
      title: { 'ar-EG': '', 'en-US': '', 'ur-PK': '' },
      amount,
      vatRate: 0,
      vat,
      ...(refundable === undefined ? {} : { refundable }),
    });
    const lines = [line(1000, 50, true), line(500, 0), line(300, 0, true)];
    expect([0, 600, 1050, 1550, 1700, 9999].map((paid) => refundableOf({ lines }, paid))).toEqual([
      0, 600, 1050, 1050, 1200, 1350,
    ]);
  });

  it('are due when a paid request is refused; an admin writes them down, once, and never too much', async () => {
    const { id } = await stage.findService(paidService);
    const { fees } = await app.database
      .selectFrom('services')
      .select('fees')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('services')
      .set({
        fees: JSON.stringify(fees.map((fee, index) => ({ ...fee, refundable: index === 0 }))),
      })
      .where('id', '=', id)
      .execute();
    await expect
      .poll(async () => (await stage.findService(paidService)).fees.lines[0]?.refundable)
      .toBe(true);
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', paidService);
    expect(await numbers('employee', { HasRefundableFees: 'true' })).not.toContain(requestNumber);
    expect((await act('employee', requestId)).status).toBe(200);
    const first = (await stage.read('individual', requestId)).body.fees.lines[0];
    const refundable = (first?.amount ?? 0) + (first?.vat ?? 0);
    expect((await stage.read('individual', requestId)).body.refund).toEqual({
      refundable,
      surplus: 0,
      refunded: 0,
      refunds: [],
    });
    expect(await numbers('employee', { HasRefundableFees: 'true', IsRefunded: 'false' })).toContain(
      requestNumber,
    );
    expect(await numbers('employee', { HasRefundableFees: 'false' })).not.toContain(requestNumber);
    const record = async (
      amount: number,
      reference: string,
      { username = 'admin', ...more }: { username?: string; refundedBefore?: number } = {},
    ) =>
      app.call(recordRefund, {
        token: await app.signIn(username),
        body: { requestId, amount, reference, ...more },
      });
    expect((await record(refundable + 1, 'R1')).refused.error).toBe('RefundTooLarge');
    expect((await record(refundable, 'R1', { username: 'employee' })).status).toBe(403);
    const twice = await Promise.all([record(refundable - 1, 'R1'), record(refundable - 1, 'R1')]);
    expect(twice.map(({ body }) => body.refunded)).toEqual([refundable - 1, refundable - 1]);
    expect((await record(1, 'R1')).refused.error).toBe('RefundReferenceTaken');
    expect((await record(2, 'R2')).refused.error).toBe('RefundTooLarge');
    // Whoever has not seen the first is told of it; the first sent once more is no other.
    expect((await record(1, 'R2', { refundedBefore: 0 })).refused.error).toBe('RefundHasChanged');
    expect((await record(refundable - 1, 'R1', { refundedBefore: 0 })).body.refunded).toBe(
      refundable - 1,
    );
    expect((await record(1, 'R2', { refundedBefore: refundable - 1 })).body).toMatchObject({
      refunded: refundable,
      refunds: [
        { amount: refundable - 1, reference: 'R1', recordedBy: 'Aisha Al Demo' },
        { amount: 1 },
      ],
    });
    expect((await stage.read('individual', requestId)).body.refund?.refunds[0]).not.toHaveProperty(
      'recordedBy',
    );
    expect(await numbers('employee', { IsRefunded: 'true' })).toContain(requestNumber);
    expect(await numbers('employee', { IsRefunded: 'false' })).not.toContain(requestNumber);
    const { body: audit } = await app.call(getAuditEvents, {
      token: await app.signIn('admin'),
      query: { Kind: 'refundRecorded' },
    });
    expect(audit.items.map(({ username, reason }) => [username, reason])).toEqual(
      [1, refundable - 1].map((amount) => [
        'admin',
        `${requestNumber}: ${(amount / 100).toFixed(2)} AED`,
      ]),
    );
  });

  it('say what of them came twice', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const paid = await app.database
      .selectFrom('payments')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    const { id: _id, ...again } = paid;
    const twice = await app.database
      .insertInto('payments')
      .values({ ...again, merchant_reference: `${paid.merchant_reference}-2`, status: 'cancelled' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.database
      .insertInto('payment_events')
      .values({
        id: `again-${twice.id}`,
        payment_id: twice.id,
        kind: 'paid',
        amount: paid.amount,
        currency: 'AED',
        occurred_at: new Date(),
      })
      .execute();
    await app.database
      .updateTable('requests')
      .set({ refundable: paid.amount })
      .where('id', '=', requestId)
      .execute();
    expect((await stage.read('individual', requestId)).body.refund).toEqual({
      refundable: paid.amount,
      surplus: paid.amount,
      refunded: 0,
      refunds: [],
    });
  });
});

describe('referral codes', () => {
  const check = async (refferalCode: string) =>
    (await app.call(checkReferralCodeValidity, { query: { refferalCode }, language: 'en-US' }))
      .body;

  it('count while they are valid and have uses left, however they are written', async () => {
    for (const typed of ['DEMO-PALM', ' demo-palm ', 'demo palm'])
      expect(await check(typed), typed).toEqual({
        isValid: true,
        name: 'Palm service centre (demo)',
      });
    for (const typed of ['DEMO-ENDED', 'NONE', '%', 'DEMO', '‮DEMO-ENDED'])
      expect(await check(typed), typed).toEqual({ isValid: false });
    expect(
      (await app.call(checkReferralCodeValidity, { query: { refferalCode: ' ' } })).status,
    ).toBe(400);
  });

  it('stay with the request; the last use is taken once, by however many at once', async () => {
    const service = await stage.findService(freeService);
    const token = await app.signIn('individual');
    const send = async (referralCode: string) =>
      app.call(createRequest, {
        token,
        body: {
          serviceId: service.id,
          answers: answersFor(service.form),
          attachmentIds: await uploadRequired(app, token, service),
          agreeToTermsAndConditions: true,
          referralCode,
        },
      });
    expect((await send('DEMO-ENDED')).refused.error).toBe('ReferralCodeNotValid');
    const answers = await Promise.all([1, 2, 3].map(() => send('demo-once')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await check('DEMO-ONCE')).toEqual({ isValid: false });
    const row = await app.database
      .selectFrom('requests')
      .select('referral_code')
      .where('id', '=', answers.find(({ status }) => status === 200)?.body.requestId ?? 0)
      .executeTakeFirst();
    expect(row?.referral_code).toBe('DEMO-ONCE');
    expect((await send('')).status).toBe(200);
  });
});

// Last: the catalogue that this server holds in memory lags behind for a moment.
it('finds requests by what their service is called now, and when it is offered no more', async () => {
  const { requestNumber } = await stage.send('individual');
  const { id } = await stage.findService(freeService);
  const { name } = await app.database
    .selectFrom('services')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await app.database
    .updateTable('services')
    .set({
      name: JSON.stringify({ ...name, 'en-US': 'Zanzibar grievances' }),
      deleted_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
  await expect
    .poll(() => numbers('employee', { SearchKeyword: 'zanzibar' }))
    .toContain(requestNumber);
  await app.database
    .updateTable('services')
    .set({ name: JSON.stringify(name), deleted_at: null })
    .where('id', '=', id)
    .execute();
});
