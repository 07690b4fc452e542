import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
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
  answers: [{ text: 'The hours have been corrected.', at: '2026-11-22T08:00:00.000Z' }],
};
const main = page.getByRole('main');

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
});

it('lists the complaints of who is signed in', async () => {
  signInAs('Client');
  await useLanguageOfTest('en-US');
  answerCall(getMyComplaints, [own]);
  await renderPage('/complaints');
  await expect.element(page.getByText('My complaints')).toBeVisible();
  await expect.element(main).toMatchTextContent('The hours have been corrected.');
});

it('is answered by an administrator, and closed or not', async () => {
  signInAs('AgencyAdmin');
  await useLanguageOfTest('en-US');
  const complaint = { ...own, complaintId: 4, version: 2, fullName: 'Salem', email: 'a@b.ae' };
  answerCall(getComplaints, {
    items: [complaint, { ...complaint, complaintId: 5, reference: 'CP-2', state: 'closed' }],
    pageNumber: 1,
    totalCount: 2,
  });
  const answers = answerCall(answerComplaint, {});
  await renderPage('/dashboard/complaints');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send the answer' });
  await dialog.getByRole('textbox').fill('too short');
  await send.click();
  await expect.element(dialog).toMatchTextContent('Write at least 20 characters');
  await dialog.getByRole('textbox').fill('We apologise, and have changed the hours.');
  await dialog.getByRole('checkbox').click();
  await send.click();
  await expect
    .poll(() => answers[0]?.body)
    .toEqual({
      complaintId: 4,
      version: 2,
      answer: 'We apologise, and have changed the hours.',
      isClosed: false,
    });
});
