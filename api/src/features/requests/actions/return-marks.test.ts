import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { saveRejectionReason } from '@diwan/contract/requests/rejection-reasons';
import type { ReturnMark } from '@diwan/contract/requests/return-marks';
import * as calls from '@diwan/contract/requests/requests';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { uploadRequired } from '../../../testing/demo-request.ts';
import {
  freeService,
  openRequestStage,
  words,
  type RequestStage,
  type Sent,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

const document = 'attachments.identityDocument';
const nameMark = {
  field: 'answers.applicantName',
  messageAr: 'الاسم كما في الهوية',
  messageEn: 'The name as on the ID',
  messageUr: 'نام شناختی کارڈ کے مطابق',
};

async function giveBack(marks: ReturnMark[], username = 'individual', more: object = {}) {
  const sent = await stage.sendAndReceive(username);
  const answer = await stage.act('employee', calls.returnRequest, {
    requestId: sent.requestId,
    version: 2,
    marks,
    ...more,
  });
  return { sent, answer };
}
const marksOf = (sent: Sent): ReturnMark[] => [
  nameMark,
  { field: 'answers.applicantEmail', reasonId: 1 },
  { field: document, attachmentId: sent.attachmentIds[0], reasonId: 2 },
];
async function freshDocument(username: string): Promise<string> {
  const [fresh = ''] = await uploadRequired(
    app,
    await app.signIn(username),
    await stage.findService(freeService),
  );
  return fresh;
}

describe('a return with marks', () => {
  it('needs no message, and tells each mark to the applicant in their language', async () => {
    const sent = await stage.sendAndReceive('individual');
    const { status } = await stage.act('employee', calls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    expect(status).toBe(200);
    const reasons = (
      await app.call(calls.rejectionReasonCollection, { token: await app.signIn('employee') })
    ).body;
    for (const language of languages) {
      const { body } = await app.call(calls.getRequestById, {
        token: await app.signIn('individual'),
        query: { RequestId: sent.requestId },
        language,
      });
      const last = body.history.at(-1);
      const fieldTitle = body.form.steps
        .flatMap((step) => step.fields)
        .find(({ name }) => name === 'applicantName')?.title[language];
      expect(last).toMatchObject({ action: 'return', message: '' });
      expect(last?.marks).toEqual([
        {
          field: nameMark.field,
          title: fieldTitle,
          message: {
            'ar-EG': nameMark.messageAr,
            'en-US': nameMark.messageEn,
            'ur-PK': nameMark.messageUr,
          }[language],
        },
        {
          field: 'answers.applicantEmail',
          title: expect.any(String),
          message: reasons.find(({ id }) => id === 1)?.names[language],
        },
        {
          field: document,
          attachmentId: sent.attachmentIds[0],
          title: expect.any(String),
          message: reasons.find(({ id }) => id === 2)?.names[language],
        },
      ]);
    }
  });

  it('stays as it was without marks: the message is needed then', async () => {
    const { answer } = await giveBack([]);
    expect(answer.refused.error).toBe('MessageIncomplete');
    expect((await giveBack([], 'individual', words)).answer.status).toBe(200);
  });

  it('refuses by name what cannot be marked, all at once, and changes nothing', async () => {
    const other = await stage.send('individual');
    const { sent, answer } = await giveBack([
      { field: 'answers.nothingLikeThat', reasonId: 1 },
      { field: '__proto__', reasonId: 1 },
      { field: 'answers.constructor', reasonId: 1 },
      { field: 'answers.applicantName.0.x', reasonId: 1 },
      { field: document, attachmentId: other.attachmentIds[0], reasonId: 1 },
      { field: 'attachments.none', reasonId: 1 },
      { field: 'answers.applicantName', reasonId: 999 },
      { field: 'answers.applicantEmail', messageAr: 'نعم', messageEn: '\u202E \u200F' },
      { field: 'answers.applicantMobile', reasonId: 1 },
      { field: 'answers.applicantMobile', reasonId: 2 },
    ]);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.refused.errors ?? {}).sort()).toEqual([
      'marks.0.field',
      'marks.1.field',
      'marks.2.field',
      'marks.3.field',
      'marks.4.attachmentId',
      'marks.5.field',
      'marks.6.reasonId',
      'marks.7.messageEn',
      'marks.7.messageUr',
      'marks.9.field',
    ]);
    expect((await stage.read('employee', sent.requestId)).body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
    });
  });

  it('refuses a thousand marks, NUL and lone surrogates, and takes bidi controls out of the words', async () => {
    const many = await giveBack(Array.from({ length: 1000 }, () => nameMark));
    expect([many.answer.status, Object.keys(many.answer.refused.errors ?? {}).join()]).toEqual([
      400,
      expect.stringMatching(/^marks\b/),
    ]);
    for (const bad of ['a\u0000b', 'a\uD800b', 'x'.repeat(100_000)])
      expect((await giveBack([{ ...nameMark, messageEn: bad }])).answer.status).toBe(400);
    const { answer } = await giveBack([{ ...nameMark, messageEn: 'abc\u202Edef\u2066' }]);
    expect(answer.body.history.at(-1)?.marks[0]?.message).toBe('abcdef');
  });
});

describe('the message of a return', () => {
  it('names each mark with its words', async () => {
    const { sent } = await giveBack([nameMark]);
    const { rows } = await sql<{
      body: string;
    }>`select body from messages where request_id = ${sent.requestId} order by created_at`.execute(
      app.database,
    );
    expect(
      rows.some(({ body }) => /- .+: (The name as on the ID|الاسم كما في الهوية)/.test(body)),
    ).toBe(true);
  });
});

describe('mending what is marked', () => {
  it('tells before and after, keeps the replaced document with the request, and shuts the marks', async () => {
    const sent = await stage.sendAndReceive('individual');
    await stage.act('employee', calls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    const fresh = await freshDocument('individual');
    const answers = {
      ...sent.answers,
      applicantName: 'Sara Mended',
      applicantEmail: 'mended@example.com',
    };
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId: sent.requestId,
          answers,
          attachmentIds: [fresh],
        })
      ).status,
    ).toBe(200);
    const { body } = await stage.read('employee', sent.requestId);
    const last = body.history.at(-1);
    expect(last?.mended).toMatchObject({
      before: {
        applicantName: sent.answers.applicantName,
        applicantEmail: sent.answers.applicantEmail,
      },
      after: { applicantName: 'Sara Mended', applicantEmail: 'mended@example.com' },
      documents: [{ name: 'identityDocument', removed: sent.attachmentIds, added: [fresh] }],
    });
    expect(
      last?.mended?.marks.map(({ field, isChanged, explanation }) => [
        field,
        isChanged,
        explanation,
      ]),
    ).toEqual([
      [nameMark.field, true, ''],
      ['answers.applicantEmail', true, ''],
      [document, true, ''],
    ]);
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual([fresh]);
    expect(body.earlierAttachments.map(({ attachmentId }) => attachmentId)).toEqual(
      sent.attachmentIds,
    );
    const file = await app.call(downloadFile, {
      token: await app.signIn('employee'),
      query: { filePath: body.earlierAttachments[0]?.filePath ?? '' },
    });
    expect(file.status).toBe(200);
    // The marks are answered: a second return without any asks for nothing of them.
    await stage.receive('employee', sent.requestId);
    await stage.act('employee', calls.returnRequest, { requestId: sent.requestId, ...words });
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId: sent.requestId,
          answers,
          attachmentIds: [fresh],
        })
      ).status,
    ).toBe(200);
  });

  it('refuses by name what was marked and left as it is, takes it with a word why, and tells that word', async () => {
    const { sent } = await giveBack([nameMark, { field: document, reasonId: 2 }]);
    const { requestId, answers, attachmentIds } = sent;
    const left = await stage.act('individual', calls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect(Object.keys(left.refused.errors ?? {}).sort()).toEqual([nameMark.field, document]);
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          explanations: [
            { field: document, text: 'It is the newest one' },
            { field: 'answers.applicantEmail', text: 'no mark' },
          ],
        })
      ).refused.errors,
    ).toHaveProperty([nameMark.field]);
    const why = [
      { field: document, text: 'It is the newest one' },
      { field: nameMark.field, text: 'My name is right\u202E' },
    ];
    expect(
      (
        await stage.act('individual', calls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          explanations: why,
        })
      ).status,
    ).toBe(200);
    const { body } = await stage.read('employee', requestId);
    expect(
      body.history
        .at(-1)
        ?.mended?.marks.map(({ isChanged, explanation }) => [isChanged, explanation]),
    ).toEqual([
      [false, 'My name is right'],
      [false, 'It is the newest one'],
    ]);
    expect(body.earlierAttachments).toEqual([]);
  });

  it('is done for the company by a colleague of whoever sent it', async () => {
    const sent = await stage.sendAndReceive('company');
    await stage.act('employee', calls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    const fresh = await freshDocument('company');
    expect(
      (
        await stage.act('company2', calls.updateRequest, {
          requestId: sent.requestId,
          answers: sent.answers,
          attachmentIds: [fresh],
        })
      ).refused.error,
    ).toBe('RequestNotFound');
    const done = await stage.act('company', calls.updateRequest, {
      requestId: sent.requestId,
      answers: {
        ...sent.answers,
        applicantName: 'Palm Mended',
        applicantEmail: 'palm@example.com',
      },
      attachmentIds: [fresh],
    });
    expect(done.status).toBe(200);
  });
});

describe('the reasons', () => {
  it('are renamed and retired without changing what was told with them', async () => {
    const admin = await app.signIn('admin');
    const names = { nameAr: 'سبب للتجربة', nameEn: 'A trial reason', nameUr: 'آزمائشی وجہ' };
    const added = await app.call(saveRejectionReason, { token: admin, body: names });
    const { id = 0, version = 0 } =
      added.body.find((each) => each.names['en-US'] === names.nameEn) ?? {};
    const { sent } = await giveBack(
      [{ field: 'answers.applicantName', reasonId: id }],
      'individual',
      { requestHistoryRejectionReasonsList: [id] },
    );
    await app.call(saveRejectionReason, {
      token: admin,
      body: { id, version, ...names, nameEn: 'Another name' },
    });
    expect(
      (await app.call(saveRejectionReason, { token: admin, body: { id, version, ...names } }))
        .refused.error,
    ).toBe('ReasonHasChanged');
    const retired = await app.call(saveRejectionReason, {
      token: admin,
      body: { id, ...names, nameEn: 'Another name', isRetired: true },
    });
    expect(retired.body.find((each) => each.id === id)).toMatchObject({
      isRetired: true,
      version: 3,
    });
    const last = (await stage.read('individual', sent.requestId)).body.history.at(-1);
    expect([last?.reasons, last?.marks[0]?.message]).toEqual([[names.nameEn], names.nameEn]);
    expect(
      (await app.call(calls.rejectionReasonCollection, { token: admin })).body.some(
        (each) => each.id === id,
      ),
    ).toBe(false);
    expect(
      (await giveBack([{ field: 'answers.applicantName', reasonId: id }])).answer.refused.errors,
    ).toHaveProperty(['marks.0.reasonId']);
    expect(
      (await giveBack([], 'individual', { ...words, requestHistoryRejectionReasonsList: [id] }))
        .answer.refused.error,
    ).toBe('RejectionReasonNotFound');
  });

  it('refuse a name that is there, is blank or lacks a language, a reason that is not, and anybody but an admin', async () => {
    const admin = await app.signIn('admin');
    const [first] = (await app.call(calls.rejectionReasonCollection, { token: admin })).body;
    const taken = {
      nameAr: `  ${first?.names['ar-EG']} `,
      nameEn: first?.names['en-US'].toUpperCase() ?? '',
      nameUr: '\u202E',
    };
    expect(
      Object.keys(
        (await app.call(saveRejectionReason, { token: admin, body: taken })).refused.errors ?? {},
      ).sort(),
    ).toEqual(['nameAr', 'nameEn', 'nameUr']);
    expect(
      (
        await app.call(saveRejectionReason, {
          token: admin,
          body: { id: 99_999, nameAr: 'أ', nameEn: 'b', nameUr: 'پ' },
        })
      ).refused.error,
    ).toBe('RejectionReasonNotFound');
    expect(
      (
        await app.call(saveRejectionReason, {
          token: await app.signIn('employee'),
          body: taken,
        })
      ).status,
    ).toBe(403);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        app.call(saveRejectionReason, {
          token: admin,
          body: { nameAr: 'في آن واحد', nameEn: 'All at once', nameUr: 'ایک ساتھ' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });
});
