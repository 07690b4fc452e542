import { useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerUploads, fileOf } from '#testing/answer-uploads.ts';
import { serviceRecord } from '#testing/records.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { completeAttachment, downloadFile } from '@diwan/contract/requests/attachments';
import { DocumentUploads } from './document-uploads.tsx';
import type { UploadedDocument } from './uploaded-documents.ts';
import { useDocumentUploads } from './use-document-uploads.ts';

const [rule] = serviceRecord().attachments as [AttachmentRule];

function Sample({
  count = 1,
  bytes = 10_000,
  earlier = [],
}: {
  count?: number;
  bytes?: number;
  /** The documents of an earlier visit. */
  earlier?: readonly UploadedDocument[];
}) {
  const rules = [{ ...rule, maximumCount: count, maximumBytes: bytes }];
  const [value, setValue] = useState(earlier);
  const uploads = useDocumentUploads({ serviceId: 7, rules, value, onChange: setValue });
  return (
    <>
      <DocumentUploads rules={rules} uploads={uploads} />
      <output>{value.map(({ fileName }) => fileName).join(' ')}</output>
    </>
  );
}

/** The hidden field behind the button that selects files. */
const choose = (...files: File[]) =>
  userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, files);
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const button = (name: string) => page.getByRole('button', { name });

it('uploads a chosen file with progress and shows the result of the scan', async () => {
  signInAs('Client');
  const storage = answerUploads();
  const release = storage.hold();
  await renderComponent(<Sample />);
  await expect.element(page.getByText(/JPG.*PNG/)).toBeVisible();
  await choose(fileOf('identity.pdf'));
  await expect.element(row('identity.pdf')).toMatchTextContent('جارٍ الرفع، 50');
  await expect
    .element(page.getByRole('progressbar', { name: 'identity.pdf' }))
    .toHaveAttribute('value', '0.5');
  await expect.element(page.getByRole('status').first()).toBeInTheDocument();
  release();
  await expect.element(row('identity.pdf')).toMatchTextContent('تم الرفع');
  await expect.element(row('identity.pdf')).toMatchTextContent('فُحص الملف وهو آمن');
  await expect.element(button('اختيار ملف: نسخة من الهوية')).not.toBeInTheDocument();
  expect(storage.announced).toEqual([
    {
      serviceId: 7,
      name: 'emiratesIdCopy',
      fileName: 'identity.pdf',
      mediaType: 'application/pdf',
      size: 2000,
    },
  ]);
  expect(storage.puts).toHaveLength(2);
});

it.each([
  ['of a wrong type', fileOf('letter.docx', 'application/msword'), 'نوع الملف غير مقبول'],
  ['too large', fileOf('scan.pdf', 'application/pdf', 20_000), 'والحد الأقصى'],
  ['empty', fileOf('empty.pdf', 'application/pdf', 0), 'الملف فارغ'],
])('does not send a file that is %s', async (_, file, message) => {
  signInAs('Client');
  const storage = answerUploads();
  await renderComponent(<Sample />);
  await choose(file);
  await expect.element(row(file.name)).toMatchTextContent(message);
  await expect.element(page.getByRole('button', { name: /إعادة رفع/ })).not.toBeInTheDocument();
  expect(storage.announced).toEqual([]);
  await choose(fileOf('identity.pdf'));
  await expect.element(row('identity.pdf')).toMatchTextContent('تم الرفع');
  await expect.element(row(file.name)).not.toBeInTheDocument();
});

/** A PDF of one page with these drawing operators. */
function pdfOf(name: string, content: string): File {
  const parts = [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R>>endobj',
    `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
    'trailer<</Root 1 0 R>>\n%%EOF',
  ];
  return new File([parts.join('\n')], name, { type: 'application/pdf' });
}

it('shows the first page of a PDF in small, and says when it may be hard to read', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
  answerUploads();
  await renderComponent(<Sample count={4} />);
  const rows = Array.from({ length: 20 }, (_, line) => line * 20);
  // Black lines on white, nothing, a scan in the dark, and a scan out of focus.
  await choose(
    pdfOf('letter.pdf', rows.map((y) => `20 ${y} 260 4 re f`).join('\n')),
    pdfOf('empty.pdf', ''),
    pdfOf(
      'dark.pdf',
      `0.05 g 0 0 300 400 re f 0.1 g ${rows.map((y) => `20 ${y} 260 4 re f`).join(' ')}`,
    ),
    pdfOf('blurred.pdf', rows.map((y) => `${1 - y / 600} g 0 ${y} 300 20 re f`).join('\n')),
  );
  const preview = (name: string) => row(name).element().querySelector('img');
  await expect.poll(() => preview('letter.pdf')?.naturalHeight).toBe(160);
  expect(preview('letter.pdf')?.naturalWidth).toBe(120);
  await expect.element(row('empty.pdf')).toMatchTextContent('The first page looks empty');
  await expect.element(row('dark.pdf')).toMatchTextContent('This picture is dark');
  await expect.element(row('blurred.pdf')).toMatchTextContent('looks blurred');
  await expect.element(row('letter.pdf')).not.toMatchTextContent(/dark|blurred|empty/);
});

it('sends a file again after a failure', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
  const storage = answerUploads();
  storage.refuseNext('NotFound', 'Not available now', 404);
  await renderComponent(<Sample />);
  await choose(fileOf('identity.pdf'));
  await expect.element(row('identity.pdf')).toMatchTextContent('Not available now');
  await page.getByRole('button', { name: /again$/ }).click();
  await expect.element(row('identity.pdf')).toMatchTextContent('Uploaded');
  expect(storage.announced).toHaveLength(2);
  await expect.poll(() => document.querySelector('output')?.textContent).toBe('identity.pdf');
});

it('cancels an upload and removes an uploaded file', async () => {
  signInAs('Client');
  const storage = answerUploads();
  const release = storage.hold();
  await renderComponent(<Sample count={2} />);
  await choose(fileOf('first.pdf'));
  await page.getByRole('button', { name: /إلغاء رفع/ }).click();
  await expect.element(row('first.pdf')).not.toBeInTheDocument();
  await expect.poll(() => storage.deleted.length).toBe(1);
  release();
  await choose(fileOf('second.pdf'));
  await expect.element(row('second.pdf')).toMatchTextContent('تم الرفع');
  await expect.element(page.getByRole('status').first()).toBeInTheDocument();
  await expect.poll(() => document.querySelector('output')?.textContent).toBe('second.pdf');
  await page.getByRole('button', { name: /حذف/ }).click();
  await expect.element(row('second.pdf')).not.toBeInTheDocument();
  await expect.poll(() => document.querySelector('output')?.textContent).toBe('');
  await expect.poll(() => storage.deleted.length).toBe(2);
});

it('sends three files at a time, and cancels one of them', async () => {
  signInAs('Client');
  const storage = answerUploads();
  const release = storage.hold();
  await renderComponent(<Sample count={4} />);
  await choose(...['front', 'back', 'tenant', 'last'].map((name) => fileOf(`${name}.pdf`)));
  await expect.element(row('last.pdf')).toMatchTextContent('في انتظار دوره');
  await expect.element(row('tenant.pdf')).toMatchTextContent('جارٍ الرفع، 50');
  await row('back.pdf').getByRole('button').click();
  await expect.element(row('back.pdf')).not.toBeInTheDocument();
  await expect.element(row('last.pdf')).toMatchTextContent('جارٍ الرفع، 50');
  release();
  for (const name of ['front.pdf', 'tenant.pdf', 'last.pdf'])
    await expect.element(row(name)).toMatchTextContent('تم الرفع');
});

it('shows that a scan is waiting and removes an infected file', async () => {
  signInAs('Client');
  const storage = answerUploads();
  storage.setScanState('waiting');
  await renderComponent(<Sample count={2} />);
  await choose(fileOf('identity.pdf'));
  await expect.element(row('identity.pdf')).toMatchTextContent('يجري فحص الملف');
  storage.refuseNext('AttachmentInfected', 'عُثر في هذا الملف على محتوى ضار');
  await choose(fileOf('virus.pdf'));
  await expect.element(row('virus.pdf')).toMatchTextContent('عُثر في هذا الملف على محتوى ضار');
  await expect.element(page.getByRole('button', { name: /إعادة رفع/ })).not.toBeInTheDocument();
  await expect.poll(() => document.querySelector('output')?.textContent).toBe('identity.pdf');
});

/** A picture of lines of text, as a photograph shows them. */
async function photographOf(name: string, { side = 1000, blur = 0, light = 1 } = {}) {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d')!;
  context.filter = `blur(${blur}px) brightness(${light})`;
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  context.fillStyle = 'black';
  context.font = '24px monospace';
  for (let y = 40; y < side; y += 40) context.fillText('ILARE1234567890784199012345676', 20, y);
  return new File([await canvas.convertToBlob({ type: 'image/jpeg' })], name, {
    type: 'image/jpeg',
  });
}

it.each([
  ['a sharp one', {}, undefined],
  ['a blurred one', { blur: 6 }, 'تبدو هذه الصورة غير واضحة'],
  ['a dark one', { light: 0.15 }, 'هذه الصورة معتمة'],
  ['a small one', { side: 300 }, 'هذه الصورة صغيرة'],
] as const)(
  'shows a picture in small and a hint where it is hard to read: %s',
  async (_, how, hint) => {
    signInAs('Client');
    answerUploads();
    await renderComponent(<Sample bytes={1_000_000} />);
    await choose(await photographOf('card.jpg', how));
    await expect.element(row('card.jpg')).toMatchTextContent('تم الرفع');
    await expect
      .poll(() => row('card.jpg').element().querySelector('img')?.src ?? '')
      .toMatch(/^data:image/);
    if (hint) await expect.element(row('card.jpg')).toMatchTextContent(hint);
    else await expect.element(row('card.jpg')).not.toMatchTextContent('تأكد');
  },
);

it('shows pictures of an earlier visit in small, one after the other, and other documents by their kind', async () => {
  signInAs('Client');
  answerUploads();
  const sentBefore = (number: number, fileName: string, mediaType: string, name = rule.name) => ({
    attachmentId: `5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e2${number}`,
    name,
    fileName,
    size: 2000,
    mediaType,
  });
  const earlier = [
    sentBefore(1, 'broken.jpg', 'image/jpeg'),
    sentBefore(2, 'card.jpg', 'image/jpeg'),
    sentBefore(3, 'letter.pdf', 'application/pdf'),
    sentBefore(4, 'elsewhere.jpg', 'image/jpeg', 'ruleOfAnotherStep'),
  ];
  answerCall(completeAttachment, ({ params: [attachmentId = ''] }) => {
    const { fileName, size, mediaType } = earlier.find(
      (each) => each.attachmentId === attachmentId,
    )!;
    const filePath = `reference of ${fileName}`;
    return { attachmentId, fileName, size, mediaType, scanState: 'clean' as const, filePath };
  });
  const content = await photographOf('card.jpg', { blur: 6 });
  const downloads = answerCall(downloadFile, ({ query }) => {
    if (query.get('filePath')?.includes('broken')) throw refuse(404, 'AttachmentNotFound');
    return new Response(content) as never;
  });
  await renderComponent(<Sample count={4} earlier={earlier} />);
  await expect.poll(() => row('card.jpg').element().querySelector('img')?.naturalHeight).toBe(160);
  await expect.element(row('card.jpg')).toMatchTextContent('تبدو هذه الصورة غير واضحة');
  for (const name of ['broken.jpg', 'letter.pdf'])
    expect(row(name).element().querySelector('img')).toBeNull();
  expect(downloads.map(({ query }) => query.get('filePath'))).toEqual([
    'reference of broken.jpg',
    'reference of card.jpg',
  ]);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
