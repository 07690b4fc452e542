import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { answerUploads, fileOf } from '#testing/answer-uploads.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { submittedRequest } from '@diwan/contract/requests/request-actions';

const record = requestRecordOf({
  statusId: 4,
  attachments: [],
  allowedActions: ['submitted'],
  version: 4,
});
const done = requestRecordOf({ attachments: [], allowedActions: [], version: 5 });

beforeEach(() => {
  signInAs('ServiceProvider');
  answerRequest(record);
});

const dialog = () => page.getByRole('dialog', { name: 'إنجاز الطلب' });
const send = () => dialog().getByRole('button', { name: 'إنجاز الطلب' });
const choose = (file: File) =>
  userEvent.upload(dialog().element().querySelector<HTMLInputElement>('input[type=file]')!, file);
const row = (name: string) => dialog().getByRole('listitem').filter({ hasText: name });

async function openDialog(): Promise<void> {
  await renderPage(requestPath(record));
  await page.getByRole('button', { name: /إنجاز مع/ }).click();
  await expect.element(dialog()).toBeVisible();
}

it('completes a request with a result, a number of the provider and a message', async () => {
  const storage = answerUploads();
  const sent = answerCall(submittedRequest, done);
  await openDialog();
  const release = storage.hold();
  await choose(fileOf('licence.pdf'));
  await expect.element(dialog().getByText('انتظر حتى يكتمل رفع الملفات.')).toBeVisible();
  await expect.element(send()).toBeDisabled();
  release();
  await expect.element(row('licence.pdf')).toMatchTextContent('تم الرفع');
  await dialog()
    .getByRole('textbox', { name: /رقم المعاملة/ })
    .fill(' RTA-77 ');
  const message = dialog().getByRole('textbox', { name: /English/ });
  await message.fill('Your licence is ready');
  await send().click();
  await expect.element(dialog().getByRole('textbox', { name: /العربية/ })).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
  await message.fill('');
  await send().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText('أُنجز الطلب')).toBeVisible();
  expect(storage.announced[0]).toMatchObject({ requestId: 41, name: 'result' });
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        requestId: 41,
        version: 4,
        isUndoable: true,
        requestAttachmentList: ['5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e11'],
        serviceProviderRequestNumber: 'RTA-77',
      },
    ]);
});

it('does not complete while a chosen document failed', async () => {
  const storage = answerUploads();
  const sent = answerCall(submittedRequest, done);
  await openDialog();
  storage.refuseNext('AttachmentDamaged', 'الملف تالف');
  await choose(fileOf('licence.pdf'));
  await expect.element(row('licence.pdf')).toMatchTextContent('الملف تالف');
  await send().click();
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent('لم يصل أحد المستندات التي اخترتها');
  await expect.poll(() => sent).toEqual([]);
  await row('licence.pdf').getByRole('button', { name: /حذف/ }).click();
  await send().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => sent).toHaveLength(1);
});

it('keeps the result and the text after a refusal and after Escape', async () => {
  answerUploads();
  answerCall(submittedRequest, () => {
    throw refuse(500, 'InternalServerError', 'حدث خطأ');
  });
  await openDialog();
  await choose(fileOf('licence.pdf'));
  await dialog()
    .getByRole('textbox', { name: /رقم المعاملة/ })
    .fill('RTA-77');
  await expect.element(row('licence.pdf')).toMatchTextContent('تم الرفع');
  await send().click();
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('لم يُنفّذ الإجراء');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await page.getByRole('button', { name: /إنجاز مع/ }).click();
  await expect.element(row('licence.pdf')).toMatchTextContent('تم الرفع');
  await expect
    .element(dialog().getByRole('textbox', { name: /رقم المعاملة/ }))
    .toHaveValue('RTA-77');
});

it('asks for the document that the service issues', async () => {
  answerRequest({ ...record, isResultRequired: true });
  answerUploads();
  const sent = answerCall(submittedRequest, done);
  await openDialog();
  await send().click();
  await expect.element(dialog().getByText('أرفق المستند الذي سيتسلمه مقدم الطلب.')).toBeVisible();
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
  await expect.poll(() => sent).toEqual([]);
  await choose(fileOf('licence.pdf'));
  await expect.element(row('licence.pdf')).toMatchTextContent('تم الرفع');
  await expect
    .element(dialog().getByText('أرفق المستند الذي سيتسلمه مقدم الطلب.'))
    .not.toBeInTheDocument();
  await send().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => sent).toHaveLength(1);
});
