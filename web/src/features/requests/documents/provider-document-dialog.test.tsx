import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerUploads, fileOf } from '#testing/answer-uploads.ts';
import { attachmentRecord } from '#testing/records.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  createServiceProviderRequestAttachment,
  saveServiceProviderRequestAttachment,
  type ServiceProviderAttachment,
} from '@diwan/contract/requests/provider-documents';
import { ProviderDocumentDialog } from './provider-document-dialog.tsx';

const documents: ServiceProviderAttachment[] = ['تقرير المعاينة', 'صورة اللوحة'].map(
  (title, index) => ({
    ...attachmentRecord,
    attachmentId: `5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e5${index}`,
    name: 'provider',
    title,
    isVisibleToApplicant: false,
    addedBy: 'Salem Al Ketbi',
    addedAt: '2026-11-20T06:30:00.000Z',
    mayChange: true,
  }),
);
const [first, second] = documents.map(({ attachmentId, title }) => ({
  attachmentId,
  title,
  isVisibleToApplicant: false,
}));

beforeEach(() => signInAs('ServiceProvider'));

const dialog = () => page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name });
const choose = (file: File) =>
  userEvent.upload(dialog().element().querySelector<HTMLInputElement>('input[type=file]')!, file);

async function openDialog(document?: ServiceProviderAttachment) {
  const onClose = vi.fn();
  await renderComponent(
    <ProviderDocumentDialog
      requestId={41}
      serviceId={7}
      document={document}
      documents={documents}
      onClose={onClose}
    />,
  );
  return onClose;
}

it('adds a document with a title and a file', async () => {
  const storage = answerUploads();
  let isFull = true;
  const sent = answerCall(createServiceProviderRequestAttachment, () => {
    if (isFull) throw refuse(409, 'AttachmentCountExceeded', 'عدد الملفات أكثر من المسموح به');
    return documents;
  });
  const onClose = await openDialog();
  const title = dialog().getByRole('textbox', { name: 'العنوان' });
  await button('إضافة مستند').click();
  await expect.element(title).toHaveFocus();
  await expect.element(dialog()).toMatchTextContent('اكتب عنوانًا');
  await expect.element(dialog()).toMatchTextContent('اختر ملفًا');
  await title.fill(' تقرير ');
  await choose(fileOf('report.pdf'));
  await expect.element(dialog().getByRole('listitem')).toMatchTextContent('تم الرفع');
  await expect.element(dialog()).not.toMatchTextContent('اختر ملفًا');
  await dialog()
    .getByRole('checkbox', { name: /يظهر لمقدم الطلب/ })
    .click();
  await button('إضافة مستند').click();
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent('عدد الملفات أكثر من المسموح به');
  await expect.element(title).toHaveValue(' تقرير ');
  isFull = false;
  await button('إضافة مستند').click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(storage.announced[0]).toMatchObject({ name: 'provider', requestId: 41 });
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({
      RequestId: 41,
      ServiceProviderRequestAttachments: [
        {
          attachmentId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e11',
          title: 'تقرير',
          isVisibleToApplicant: true,
        },
      ],
    });
});

it('renames one document and leaves the others as they are', async () => {
  const sent = answerCall(saveServiceProviderRequestAttachment, documents);
  const onClose = await openDialog(documents[0]);
  await dialog().getByRole('textbox', { name: 'العنوان' }).fill('تقرير الفحص');
  await button('حفظ').click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        RequestId: 41,
        ServiceProviderRequestAttachments: [{ ...first, title: 'تقرير الفحص' }, second],
      },
    ]);
});

it('removes a document', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerCall(saveServiceProviderRequestAttachment, documents);
  const onClose = await openDialog(documents[0]);
  await button('Remove the document').click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ RequestId: 41, ServiceProviderRequestAttachments: [second] }]);
});
