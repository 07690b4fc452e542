import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse, refuseFields } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { answerUploads, fileOf } from '#testing/answer-uploads.ts';
import { attachmentRecord, requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { savedDraftRecord } from '#testing/request-records.ts';
import { completeAttachment } from '@diwan/contract/requests/attachments';
import { getDraft, getDrafts, saveDraft } from '@diwan/contract/requests/drafts';
import {
  saveRequestAttachments,
  updateRequest,
  updateRequestAttachments,
} from '@diwan/contract/requests/request-actions';
import { getRequestByIdForUpdate, type RequestRecord } from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/staff/access-log';

const [sent] = requestRecordOf().history as [RequestRecord['history'][number]];
const mark = { field: 'answers.plateNumber', title: 'رقم اللوحة', message: 'الرقم غير صحيح' };
const record = requestRecordOf({
  statusId: 5,
  statusName: 'معاد للتعديل',
  statusTone: 'waiting',
  allowedActions: ['update'],
  due: 0,
  version: 6,
  history: [
    sent,
    {
      ...sent,
      action: 'return',
      statusId: 5,
      actorKind: 'employee',
      actorName: '',
      reasons: ['غير مكتمل'],
      marks: [mark],
      at: '2026-11-21T06:30:00.000Z',
    },
  ],
});
const corrected = requestRecordOf({ allowedActions: [], version: 7 });

const button = (name: string | RegExp) => page.getByRole('button', { name });
const plate = () => page.getByRole('textbox', { name: 'رقم اللوحة' });
const send = () => button('إعادة إرسال الطلب');
const agree = () => page.getByRole('checkbox', { name: /أقرّ بصحة البيانات/ });

function answerDrafts() {
  answerCall(getDrafts, []);
  answerCall(getDraft, {});
  return answerCall(saveDraft, ({ body }) => ({
    draftId: (body as { draftId: string }).draftId,
    revision: (body as { revision: number }).revision + 1,
    savedAt: '2026-11-21T07:00:00.000Z',
    keptUntil: '2026-12-21T07:00:00.000Z',
    leftOut: [],
  }));
}

async function openForm(opened = record) {
  const server = answerRequest(opened);
  await renderPage(requestPath(opened));
  await button('تعديل الطلب').click();
  await expect.element(send()).toBeVisible();
  return server;
}

beforeEach(() => {
  signInAs('Client');
  answerCall(getRequestReads, []);
  const { attachmentId, fileName, mediaType, size } = attachmentRecord;
  const scanState = 'clean' as const;
  const filePath = 'reference';
  answerCall(completeAttachment, { attachmentId, fileName, mediaType, size, scanState, filePath });
});

it('opens only the marked answer, saves it and sends the request again', async () => {
  const saved = answerDrafts();
  const updated = answerCall(updateRequest, corrected);
  await openForm();
  await expect
    .element(page.getByRole('heading', { name: 'بند واحد يحتاج إلى تعديل' }))
    .toBeVisible();
  await expect.element(page.getByText('الرقم غير صحيح')).toBeVisible();
  await expect.element(plate()).toHaveValue('A 12345');
  await expect.element(page.getByRole('textbox', { name: /ملاحظة/ })).not.toBeInTheDocument();
  await send().click();
  const why = page.getByRole('textbox', { name: 'لماذا هو صحيح كما هو؟' });
  await expect.element(why).toHaveFocus();
  await plate().fill('B 777');
  await expect
    .element(page.getByText('عدّل هذا البند أعلاه', { exact: false }))
    .not.toBeInTheDocument();
  await send().click();
  await expect.element(agree()).toHaveFocus();
  await expect.element(page.getByText('أكّد ذلك قبل الإرسال.')).toBeVisible();
  await expect.poll(() => updated).toEqual([]);
  await expect
    .poll(() => saved.at(-1)?.body)
    .toMatchObject({
      requestId: 41,
      version: 6,
      answers: { plateNumber: 'B 777' },
    });
  await agree().click();
  await send().dblClick();
  await expect.element(page.getByText('أُعيد إرسال طلبك')).toBeVisible();
  await expect.element(send()).not.toBeInTheDocument();
  await expect
    .poll(() => updated.map(({ body }) => body))
    .toEqual([
      {
        requestId: 41,
        version: 6,
        answers: { plateNumber: 'B 777', emirateOfPlate: 'dubai' },
        attachmentIds: [record.attachments[0]?.attachmentId],
        agreeToTermsAndConditions: true,
      },
    ]);
});

it('sends an explanation instead of a change', async () => {
  answerDrafts();
  const updated = answerCall(updateRequest, corrected);
  await openForm();
  await button('صحيح كما هو: رقم اللوحة').click();
  await page.getByRole('textbox', { name: /لماذا هو صحيح/ }).fill('هذا رقم اللوحة الجديد');
  await agree().click();
  await send().click();
  await expect.element(page.getByText('أُعيد إرسال طلبك')).toBeVisible();
  await expect
    .poll(() => updated[0]?.body)
    .toMatchObject({
      answers: { plateNumber: 'A 12345' },
      explanations: [{ field: 'answers.plateNumber', text: 'هذا رقم اللوحة الجديد' }],
    });
});

it('opens the rest of the form on demand', async () => {
  answerDrafts();
  await openForm();
  await button('تعديل شيء آخر أيضًا').click();
  await expect.element(page.getByRole('textbox', { name: /ملاحظة/ })).toBeVisible();
  await expect.element(button('تعديل شيء آخر أيضًا')).not.toBeInTheDocument();
});

it('shows the errors of the server beside the answer and keeps it', async () => {
  answerDrafts();
  answerCall(updateRequest, () => {
    throw refuseFields({ 'answers.plateNumber': ['لا توجد لوحة بهذا الرقم'] });
  });
  await openForm();
  await plate().fill('B 777');
  await agree().click();
  await send().click();
  await expect.element(page.getByText('لا توجد لوحة بهذا الرقم').first()).toBeVisible();
  await expect.element(plate()).toHaveValue('B 777');
  await expect.element(plate()).toBeInvalid();
});

it('keeps the text on the page when the request has moved on', async () => {
  answerDrafts();
  answerCall(updateRequest, () => {
    throw refuse(409, 'VersionHasChanged', 'تغيّر الطلب بعد أن فتحته');
  });
  const server = await openForm();
  await plate().fill('B 777');
  await agree().click();
  server.change({ version: 7, allowedActions: [], statusTone: 'progress' });
  await send().click();
  await expect.element(page.getByText('تغيّر الطلب بعد أن فتحته').first()).toBeVisible();
  await expect.element(send()).toBeDisabled();
  await expect.element(plate()).toHaveValue('B 777');
  await button('عرض آخر حالة للطلب').click();
  await expect.element(plate()).not.toBeInTheDocument();
  await expect.element(button('تعديل الطلب')).not.toBeInTheDocument();
});

it('opens the request as it is now, or says why it cannot be corrected', async () => {
  answerDrafts();
  answerRequest(record);
  let isOver = true;
  const newMark = { ...mark, message: 'الرقم من إمارة أخرى' };
  const asked = answerCall(getRequestByIdForUpdate, () => {
    if (isOver) throw refuse(400, 'ActionNotAllowed', 'لا يمكن تعديل الطلب الآن');
    return { ...record, version: 8, openMarks: [newMark], keptAttachments: [] };
  });
  const updated = answerCall(updateRequest, corrected);
  await renderPage(requestPath(record));
  await button('تعديل الطلب').click();
  const refusal = page.getByRole('alert').filter({ hasText: 'لا يمكن تعديل الطلب الآن' });
  await expect.element(refusal).toMatchTextContent('الطلب محفوظ ولم يتغير فيه شيء.');
  await button('عرض آخر حالة للطلب').click();
  isOver = false;
  await button('تعديل الطلب').click();
  await expect.element(page.getByText('الرقم من إمارة أخرى')).toBeVisible();
  await plate().fill('B 777');
  await agree().click();
  await send().click();
  await expect.element(page.getByText('أُعيد إرسال طلبك')).toBeVisible();
  await expect
    .poll(() => updated.map(({ body }) => (body as { version: number }).version))
    .toEqual([8]);
  await expect.poll(() => asked.map(({ query }) => query.get('RequestId'))).toEqual(['41', '41']);
});

it('continues a correction that was saved before', async () => {
  answerDrafts();
  answerCall(getDraft, {
    draft: savedDraftRecord({
      answers: { plateNumber: 'C 42', emirateOfPlate: 'dubai' },
      passed: [],
    }),
  });
  await openForm();
  await expect.element(plate()).toHaveValue('C 42');
  await button('متابعة التعديل لاحقًا').click();
  await expect.element(page.getByRole('region', { name: 'ماذا يحدث الآن' })).toBeVisible();
});

const documentMark = {
  field: `attachments.${attachmentRecord.name}`,
  attachmentId: attachmentRecord.attachmentId,
  title: 'بطاقة المالك',
  message: 'الصورة غير واضحة',
};
const withDocumentMark = requestRecordOf({
  ...record,
  history: [sent, { ...record.history[1]!, marks: [documentMark] }],
});

it('replaces a document that alone is asked for, stores it and sends the request', async () => {
  const drafts = answerDrafts();
  answerUploads();
  const stored = answerCall(saveRequestAttachments, ({ body }) => ({
    requestId: 41,
    requestAttachmentList: (body as { requestAttachmentList: string[] }).requestAttachmentList,
  }));
  const updated = answerCall(updateRequestAttachments, corrected);
  await openForm(withDocumentMark);
  await expect.element(page.getByText('الصورة غير واضحة')).toBeVisible();
  await expect.element(agree()).not.toBeInTheDocument();
  await expect.element(button(/صحيح كما هو/)).not.toBeInTheDocument();
  await send().click();
  await expect.element(page.getByText('ارفع المستند المطلوب قبل الإرسال.')).toBeVisible();
  expect(updated).toEqual([]);
  await userEvent.upload(
    document.querySelector<HTMLInputElement>('main input[type=file]')!,
    fileOf('card.pdf'),
  );
  const list = {
    requestId: 41,
    version: 6,
    requestAttachmentList: ['5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e11'],
  };
  await expect.poll(() => stored.map(({ body }) => body)).toEqual([list]);
  await expect.element(page.getByText(/^آخر حفظ/)).toBeVisible();
  await send().dblClick();
  await expect.element(page.getByText('أُعيد إرسال طلبك')).toBeVisible();
  await expect.poll(() => updated.map(({ body }) => body)).toEqual([list]);
  expect(drafts).toEqual([]);
});

it('asks for the consent to a document of special data that is new', async () => {
  answerDrafts();
  answerUploads();
  answerCall(saveRequestAttachments, { requestId: 41, requestAttachmentList: [] });
  const updated = answerCall(updateRequestAttachments, corrected);
  await openForm({
    ...withDocumentMark,
    attachments: [],
    attachmentRules: withDocumentMark.attachmentRules.map((rule) => ({
      ...rule,
      special: 'health' as const,
    })),
  });
  const consent = () => page.getByRole('checkbox', { name: /أوافق/ });
  await expect.element(consent()).not.toBeInTheDocument();
  await userEvent.upload(
    document.querySelector<HTMLInputElement>('main input[type=file]')!,
    fileOf('card.pdf'),
  );
  await expect.element(consent()).toBeVisible();
  await expect.element(page.getByText(/^آخر حفظ/)).toBeVisible();
  await send().click();
  await expect.element(consent()).toHaveFocus();
  expect(updated).toEqual([]);
  await consent().click();
  await send().click();
  await expect.poll(() => updated[0]?.body).toMatchObject({ consentsToSpecialData: true });
});

it('opens the form where a document is explained instead, with the documents stored so far', async () => {
  answerDrafts();
  const updated = answerCall(updateRequest, corrected);
  await openForm(withDocumentMark);
  await button('توضيح سبب صحة المستند، أو تعديل شيء آخر').click();
  await button(/صحيح كما هو/).click();
  await page.getByRole('textbox', { name: /لماذا هو صحيح/ }).fill('الصورة واضحة عند التكبير');
  await agree().click();
  await send().click();
  await expect
    .poll(() => updated[0]?.body)
    .toMatchObject({ explanations: [{ text: 'الصورة واضحة عند التكبير' }] });
});

it('opens the form immediately where a draft explains a document or changes an answer', async () => {
  answerDrafts();
  answerCall(getDraft, {
    draft: savedDraftRecord({
      answers: { plateNumber: 'C 42', emirateOfPlate: 'dubai' },
      passed: [],
    }),
  });
  await openForm(withDocumentMark);
  await expect.element(agree()).toBeVisible();
});

it('says what the server refuses of the documents beside it, or that the request has changed', async () => {
  answerDrafts();
  answerUploads();
  let refusal = refuseFields({ [documentMark.field]: ['الملف تالف'] });
  answerCall(saveRequestAttachments, () => {
    throw refusal;
  });
  await openForm(withDocumentMark);
  const upload = () =>
    userEvent.upload(
      document.querySelector<HTMLInputElement>('main input[type=file]')!,
      fileOf('card.pdf'),
    );
  await upload();
  await expect.element(page.getByText('الملف تالف').first()).toBeVisible();
  await button(/card.pdf/).click();
  refusal = refuse(409, 'VersionHasChanged', 'تغيّر الطلب بعد أن فتحته');
  await upload();
  await expect.element(page.getByText('تغيّر الطلب بعد أن فتحته').first()).toBeVisible();
  await expect.element(send()).toBeDisabled();
});
