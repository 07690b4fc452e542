import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import {
  freeService,
  openRequestStage,
  messageTexts,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { saveRejectionReason } from '@diwan/contract/requests/rejection-reasons';
import * as rejectionReasons from '@diwan/contract/requests/rejection-reasons';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as calls from '@diwan/contract/requests/requests';
import type { ReturnMark } from '@diwan/contract/requests/return-marks';
import { languages } from '@diwan/contract/wire/languages';

const app = useTestApp();
const stage = openRequestStage(app);

const document = 'attachments.identityDocument';
const nameMark = {
  field: 'answers.applicantName',
  messageAr: 'الاسم كما في الهوية',
  messageEn: 'The name as on the ID',
  messageUr: 'نام شناختی کارڈ کے مطابق',
};

async function returnWithMarks(marks: ReturnMark[], username = 'individual', more: object = {}) {
  const sent = await stage.sendAndReceive(username);
  const answer = await stage.performAction('employee', actionCalls.returnRequest, {
    requestId: sent.requestId,
    version: 2,
    marks,
    ...more,
  });
  return { sent, answer };
}
const marksOf = (sent: SentRequest): ReturnMark[] => [
  nameMark,
  { field: 'answers.applicantEmail', reasonId: 1 },
  { field: document, attachmentId: sent.attachmentIds[0], reasonId: 2 },
];
async function uploadReplacement(username: string): Promise<string> {
  const [replacement = ''] = await uploadRequiredDocuments(
    app,
    await app.signIn(username),
    await stage.findService(freeService),
  );
  return replacement;
}

describe('a return with marks', () => {
  it('needs no message, and shows each mark to the applicant in their language', async () => {
    const sent = await stage.sendAndReceive('individual');
    const { status } = await stage.performAction('employee', actionCalls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    expect(status).toBe(200);
    const reasons = (await app.callAs('employee', rejectionReasons.rejectionReasonCollection)).body;
    for (const language of languages) {
      const { body } = await app.callAs('individual', calls.getRequestById, {
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

  it('needs a message without marks', async () => {
    const { answer } = await returnWithMarks([]);
    expect(answer.refused.error).toBe('MessageIncomplete');
    expect((await returnWithMarks([], 'individual', messageTexts)).answer.status).toBe(200);
  });

  it('refuses every invalid mark by name and changes nothing', async () => {
    const other = await stage.send('individual');
    const { sent, answer } = await returnWithMarks([
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
      'marks.9.field',
    ]);
    expect((await stage.read('employee', sent.requestId)).body).toMatchObject({
      statusName: 'Being processed',
      version: 2,
    });
  });

  it('refuses a thousand marks, NUL and lone surrogates, and removes bidi controls from messages', async () => {
    const many = await returnWithMarks(Array.from({ length: 1000 }, () => nameMark));
    expect([many.answer.status, Object.keys(many.answer.refused.errors ?? {}).join()]).toEqual([
      400,
      expect.stringMatching(/^marks\b/),
    ]);
    for (const bad of ['a\u0000b', 'a\uD800b', 'x'.repeat(100_000)])
      expect((await returnWithMarks([{ ...nameMark, messageEn: bad }])).answer.status).toBe(400);
    const { answer } = await returnWithMarks([{ ...nameMark, messageEn: 'abc\u202Edef\u2066' }]);
    expect(answer.body.history.at(-1)?.marks[0]?.message).toBe('abcdef');
  });
});

describe('the message of a return', () => {
  it('lists each mark with its message', async () => {
    const { sent } = await returnWithMarks([nameMark]);
    const { rows } = await sql<{ body: string }>`
      select body
      from messages
      where request_id = ${sent.requestId}
      order by created_at
    `.execute(app.database);
    expect(
      rows.some(({ body }) => /- .+: (The name as on the ID|الاسم كما في الهوية)/.test(body)),
    ).toBe(true);
  });
});

describe('the correction of marks', () => {
  it('shows the content before and after, keeps the replaced document, and closes the marks', async () => {
    const sent = await stage.sendAndReceive('individual');
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    const replacement = await uploadReplacement('individual');
    const answers = {
      ...sent.answers,
      applicantName: 'Sara Corrected',
      applicantEmail: 'corrected@example.com',
    };
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId: sent.requestId,
          answers,
          attachmentIds: [replacement],
        })
      ).status,
    ).toBe(200);
    const { body } = await stage.read('employee', sent.requestId);
    const last = body.history.at(-1);
    expect(last?.correction).toMatchObject({
      before: {
        applicantName: sent.answers.applicantName,
        applicantEmail: sent.answers.applicantEmail,
      },
      after: { applicantName: 'Sara Corrected', applicantEmail: 'corrected@example.com' },
      documents: [{ name: 'identityDocument', removed: sent.attachmentIds, added: [replacement] }],
    });
    expect(
      last?.correction?.marks.map(({ field, isChanged, explanation }) => [
        field,
        isChanged,
        explanation,
      ]),
    ).toEqual([
      [nameMark.field, true, ''],
      ['answers.applicantEmail', true, ''],
      [document, true, ''],
    ]);
    expect(body.attachments.map(({ attachmentId }) => attachmentId)).toEqual([replacement]);
    expect(body.earlierAttachments.map(({ attachmentId }) => attachmentId)).toEqual(
      sent.attachmentIds,
    );
    const file = await app.callAs('employee', downloadFile, {
      query: { filePath: body.earlierAttachments[0]?.filePath ?? '' },
    });
    expect(file.status).toBe(200);
    // A second return without marks does not open the answered marks again.
    await stage.receive('employee', sent.requestId);
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId: sent.requestId,
      ...messageTexts,
    });
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId: sent.requestId,
          answers,
          attachmentIds: [replacement],
        })
      ).status,
    ).toBe(200);
  });

  it('refuses unchanged marks by name, and accepts and shows explanations for them', async () => {
    const { sent } = await returnWithMarks([nameMark, { field: document, reasonId: 2 }]);
    const { requestId, answers, attachmentIds } = sent;
    const unchanged = await stage.performAction('individual', actionCalls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    expect(Object.keys(unchanged.refused.errors ?? {}).sort()).toEqual([nameMark.field, document]);
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
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
    const explanations = [
      { field: document, text: 'It is the newest one' },
      { field: nameMark.field, text: 'My name is right\u202E' },
    ];
    expect(
      (
        await stage.performAction('individual', actionCalls.updateRequest, {
          requestId,
          answers,
          attachmentIds,
          explanations,
        })
      ).status,
    ).toBe(200);
    const { body } = await stage.read('employee', requestId);
    expect(
      body.history
        .at(-1)
        ?.correction?.marks.map(({ isChanged, explanation }) => [isChanged, explanation]),
    ).toEqual([
      [false, 'My name is right'],
      [false, 'It is the newest one'],
    ]);
    expect(body.earlierAttachments).toEqual([]);
  });

  it('names what changed, what was explained and what changed without a mark', async () => {
    const { sent } = await returnWithMarks([nameMark, { field: document, reasonId: 2 }]);
    const { requestId, answers, attachmentIds } = sent;
    const own = { applicantName: 'پام ٹریڈنگ', applicantEmail: 'palm@example.com' };
    const explanation = 'یہی تازہ ترین دستاویز ہے';
    const { status } = await stage.performAction('individual', actionCalls.updateRequest, {
      requestId,
      answers: { ...answers, ...own },
      attachmentIds,
      explanations: [{ field: document, text: explanation }],
    });
    expect(status).toBe(200);
    const { body } = await stage.read('employee', requestId);
    const { correction } = body.history.at(-1) ?? {};
    expect(correction?.marks.map((mark) => [mark.isChanged, mark.explanation])).toEqual([
      [true, ''],
      [false, explanation],
    ]);
    expect(correction?.after).toEqual(own);
  });

  it('is open to colleagues in the same company', async () => {
    const sent = await stage.sendAndReceive('company');
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId: sent.requestId,
      marks: marksOf(sent),
    });
    const replacement = await uploadReplacement('company');
    expect(
      (
        await stage.performAction('company2', actionCalls.updateRequest, {
          requestId: sent.requestId,
          answers: sent.answers,
          attachmentIds: [replacement],
        })
      ).refused.error,
    ).toBe('RequestNotFound');
    const done = await stage.performAction('company', actionCalls.updateRequest, {
      requestId: sent.requestId,
      answers: {
        ...sent.answers,
        applicantName: 'Palm Corrected',
        applicantEmail: 'palm@example.com',
      },
      attachmentIds: [replacement],
    });
    expect(done.status).toBe(200);
  });
});

describe('rejection reasons', () => {
  it('are renamed and retired without changing earlier steps', async () => {
    const admin = await app.signIn('admin');
    const names = { nameAr: 'سبب للتجربة', nameEn: 'A trial reason', nameUr: 'آزمائشی وجہ' };
    const added = await app.call(saveRejectionReason, { token: admin, body: names });
    const { id = 0, version = 0 } =
      added.body.find((each) => each.names['en-US'] === names.nameEn) ?? {};
    const { sent } = await returnWithMarks(
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
    ).toBe('RecordHasChanged');
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
      (await app.call(rejectionReasons.rejectionReasonCollection, { token: admin })).body.some(
        (each) => each.id === id,
      ),
    ).toBe(false);
    expect(
      (await returnWithMarks([{ field: 'answers.applicantName', reasonId: id }])).answer.refused
        .errors,
    ).toHaveProperty(['marks.0.reasonId']);
    expect(
      (
        await returnWithMarks([], 'individual', {
          ...messageTexts,
          requestHistoryRejectionReasonsList: [id],
        })
      ).answer.refused.error,
    ).toBe('RejectionReasonNotFound');
  });

  it('say what they are about, which only a return or a rejection asks for', async () => {
    const admin = await app.signIn('admin');
    const save = async (body: object, english: string) => {
      const names = { nameAr: `سبب ${english}`, nameEn: english, nameUr: `وجہ ${english}` };
      const saved = await app.call(saveRejectionReason, {
        token: admin,
        body: { ...names, ...body },
      });
      return saved.body.find((each) => each.names['en-US'] === english);
    };
    const added = await save({ about: 'document' }, 'Blurred');
    expect(added?.about).toBe('document');
    const offered = await app.call(rejectionReasons.rejectionReasonCollection, { token: admin });
    expect(offered.body.find(({ id }) => id === added?.id)?.about).toBe('document');
    const { id, version } = added!;
    expect((await save({ id, version }, 'Blurred'))?.about).toBeUndefined();
    expect((await save({ kind: 'fine', about: 'answer' }, 'Late'))?.about).toBeUndefined();
    // The usual ones say it.
    expect(new Set(offered.body.map(({ about }) => about))).toEqual(
      new Set(['document', 'answer', 'request', undefined]),
    );
  });

  it('need unique names in three languages, and are changed by admins only', async () => {
    const admin = await app.signIn('admin');
    const [first] = (await app.call(rejectionReasons.rejectionReasonCollection, { token: admin }))
      .body;
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
    expect((await app.callAs('employee', saveRejectionReason, { body: taken })).status).toBe(403);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        app.call(saveRejectionReason, {
          token: admin,
          body: { nameAr: 'في آن واحد', nameEn: 'All together', nameUr: 'ایک ساتھ' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });
});
