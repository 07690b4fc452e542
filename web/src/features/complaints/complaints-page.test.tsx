import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { fileOf, takeTransfers } from '#testing/answer-uploads.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  completeComplaintDocument,
  createComplaintDocument,
  downloadComplaintDocument,
} from '@diwan/contract/content/complaint-documents';
import {
  answerComplaint,
  findComplaint,
  getComplaints,
  getMyComplaints,
  sendComplaint,
  type OwnComplaint,
} from '@diwan/contract/content/complaints';

const own: OwnComplaint = {
  reference: 'CP-ABCDEFGH23',
  subject: 'staff',
  requestNumber: '',
  text: 'The office was closed at the time that the page names.',
  state: 'answered',
  at: '2026-11-20T08:00:00.000Z',
  answerBy: '2026-12-04',
  documents: [],
  answers: [
    {
      text: 'The hours have been corrected.',
      at: '2026-11-22T08:00:00.000Z',
      documents: [
        {
          documentId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e11',
          fileName: 'letter.pdf',
          mediaType: 'application/pdf',
          size: 2000,
          scanState: 'clean',
        },
      ],
    },
  ],
};
const main = page.getByRole('main');
const documentId = '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e12';

/** Answers the calls of one upload. Its result lets the content arrive. */
function answerUpload(): () => void {
  let arrive: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  takeTransfers(() => held);
  const url = '/storage/file?sig=1';
  answerCall(createComplaintDocument, {
    documentId,
    uploadUrl: url,
    upload: { url, blockBytes: 4_000_000, expiresAt: '2030-01-01T00:00:00.000Z' },
  });
  answerCall(completeComplaintDocument, {
    documentId,
    fileName: 'bill.pdf',
    mediaType: 'application/pdf',
    size: 2000,
    scanState: 'clean',
  });
  return arrive;
}
const choose = (within: ReturnType<typeof page.getByRole>) =>
  userEvent.upload(within.element().querySelector('input[type=file]')!, fileOf('bill.pdf'));

it('sends a complaint of a visitor, and shows what is missing beside its field', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerCall(sendComplaint, { reference: own.reference, answerBy: own.answerBy });
  await renderPage('/complaints');
  const send = page.getByRole('button', { name: 'Send the complaint' });
  await send.click();
  await expect.element(main).toMatchTextContent('Enter your full name');
  await page.getByRole('radio', { name: 'How someone treated me' }).click();
  const text = page.getByRole('textbox', { name: 'What happened?' });
  await text.fill('too short');
  await page.getByRole('textbox', { name: 'Your full name' }).fill('Salem Al Demo');
  await page.getByRole('textbox', { name: 'Email address' }).first().fill('salem@example.ae');
  await send.click();
  await expect.element(main).toMatchTextContent('Enter at least 20 characters');
  expect(sent).toEqual([]);
  await text.fill(own.text);
  await send.click();
  await expect.element(main).toMatchTextContent('CP-ABCDEFGH23');
  expect(sent[0]?.body).toEqual({
    subject: 'staff',
    requestNumber: '',
    text: own.text,
    documentIds: [],
    fullName: 'Salem Al Demo',
    email: 'salem@example.ae',
  });
});

it('shows a visitor their complaint by its reference and address', async () => {
  await useLanguageOfTest('en-US');
  let isKnown = false;
  answerCall(findComplaint, () => {
    if (!isKnown) throw refuse(404, 'ComplaintNotFound', 'There is no such complaint');
    return own;
  });
  await renderPage('/complaints');
  const reference = page.getByRole('textbox', { name: 'Reference' });
  await reference.fill('CP-ABCDEFGH23');
  await page.getByRole('textbox', { name: 'Email address' }).last().fill('salem@example.ae');
  const show = page.getByRole('button', { name: 'Show the complaint' });
  await show.click();
  await expect.element(reference).toHaveAccessibleDescription(/There is no such complaint/);
  isKnown = true;
  await show.click();
  await expect.element(main).toMatchTextContent('The hours have been corrected.');
  // The fields may change after the complaint was found: its file opens by what found it.
  const saved = answerCall(downloadComplaintDocument, 'a letter' as never);
  await reference.fill('CP-OTHER');
  await page.getByRole('button', { name: 'Download: letter.pdf' }).click();
  await expect
    .poll(() => saved[0]?.body)
    .toEqual({
      documentId: own.answers[0]?.documents[0]?.documentId,
      reference: 'CP-ABCDEFGH23',
      email: 'salem@example.ae',
    });
});

it('takes files of who is signed in, and waits until they have arrived', async () => {
  signInAs('Client');
  await useLanguageOfTest('en-US');
  answerCall(getMyComplaints, { items: [], pageNumber: 1, totalCount: 0 });
  const sent = answerCall(sendComplaint, { reference: own.reference, answerBy: own.answerBy });
  const arrive = answerUpload();
  await renderPage('/complaints');
  await page.getByRole('radio', { name: 'How someone treated me' }).click();
  await page.getByRole('textbox', { name: 'What happened?' }).fill(own.text);
  await page.getByRole('textbox', { name: 'Your full name' }).fill('Salem Al Demo');
  await page.getByRole('textbox', { name: 'Email address' }).first().fill('salem@example.ae');
  await choose(page.getByRole('group', { name: /^Files/ }));
  const send = page.getByRole('button', { name: 'Send the complaint' });
  await send.click();
  await expect.element(main).toMatchTextContent('Wait until all files are uploaded');
  expect(sent).toEqual([]);
  arrive();
  await expect.element(main).toMatchTextContent('Uploaded');
  await send.click();
  await expect.poll(() => sent[0]?.body).toMatchObject({ documentIds: [documentId] });
});

it('asks a visitor to sign in before files are added', async () => {
  await useLanguageOfTest('en-US');
  await renderPage('/complaints');
  await page.getByRole('button', { name: 'Sign in to add files' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Sign in');
  expect(page.getByRole('group', { name: /^Files/ }).elements()).toEqual([]);
});

it('lists the complaints of who is signed in', async () => {
  signInAs('Client');
  await useLanguageOfTest('en-US');
  const asked = answerCall(getMyComplaints, { items: [own], pageNumber: 1, totalCount: 11 });
  await renderPage('/complaints');
  await expect.element(page.getByText('My complaints')).toBeVisible();
  await expect.element(main).toMatchTextContent('The hours have been corrected.');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => asked.at(-1)?.query.get('PageNumber')).toBe('2');
});

it('is answered by an administrator, and closed or not', async () => {
  signInAs('AgencyAdmin');
  await useLanguageOfTest('en-US');
  const complaint = { ...own, complaintId: 4, version: 2, fullName: 'Salem', email: 'a@b.ae' };
  const arrive = answerUpload();
  const asked = answerCall(getComplaints, {
    items: [complaint, { ...complaint, complaintId: 5, reference: 'CP-2', state: 'closed' }],
    pageNumber: 1,
    totalCount: 121,
  });
  const answers = answerCall(answerComplaint, {});
  await renderPage('/dashboard/complaints');
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect.poll(() => asked.at(-1)?.query.get('PageNumber')).toBe('7');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send the answer' });
  await dialog.getByRole('textbox').fill('too short');
  await send.click();
  await expect.element(dialog).toMatchTextContent('Write at least 20 characters');
  await dialog.getByRole('textbox').fill('We apologise, and have changed the hours.');
  await dialog.getByRole('checkbox').click();
  await choose(dialog.getByRole('group', { name: /^Files/ }));
  await send.click();
  await expect.element(dialog).toMatchTextContent('Wait until all files are uploaded');
  expect(answers).toEqual([]);
  arrive();
  await expect.element(dialog).toMatchTextContent('Uploaded');
  await send.click();
  await expect
    .poll(() => answers[0]?.body)
    .toEqual({
      complaintId: 4,
      version: 2,
      answer: 'We apologise, and have changed the hours.',
      isClosed: false,
      documentIds: [documentId],
    });
});
