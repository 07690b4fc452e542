import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getUnusualReaders, type UnusualReader } from '@diwan/contract/staff/access-log';
import {
  getUrgentOpenings,
  reviewUrgentOpening,
  type UrgentOpening,
} from '@diwan/contract/staff/urgent-reading';

const reader: UnusualReader = {
  day: '2026-11-27',
  readerKind: 'employee',
  username: 'employee',
  fullName: 'Mariam Al Demo',
  records: 31,
  anHour: 21,
  explainedAnHour: 16,
  ofOnePerson: 6,
  personName: 'Salem Al Demo',
};

it('lists who opened many records, and leads to what they opened', async () => {
  signInAs('Admin');
  await useLanguageOfTest('en-US');
  const asked = answerCall(getUnusualReaders, [reader]);
  await renderPage('/dashboard/reading?from=2026-11-20&until=2026-11-28');
  const name = page.getByRole('link', { name: 'Mariam Al Demo' });
  await expect
    .element(name)
    .toHaveAttribute(
      'href',
      '/dashboard/audit?kind=read&person=employee&from=2026-11-27&until=2026-11-27',
    );
  await expect.element(page.getByRole('main')).toMatchTextContent('Salem Al Demo');
  expect(asked[0]?.query.toString()).toContain('From=2026-11-20&Until=2026-11-28');
});

it('says that nobody did', async () => {
  signInAs('Auditor');
  await useLanguageOfTest('en-US');
  answerCall(getUnusualReaders, []);
  await renderPage('/dashboard/reading');
  await expect
    .element(page.getByText('No one opened unusually many records in these days.'))
    .toBeVisible();
});

const opening: UrgentOpening = {
  openingId: 7,
  requestNumber: 'DW-2026-100200',
  serviceName: 'Renew vehicle ownership',
  agencyName: 'Roads and Transport Authority',
  applicantName: 'Salem Al Demo',
  readerName: 'Hind Al Demo',
  username: 'employee-moi',
  reason: 'danger',
  reasonText: 'The hospital needs the blood group now',
  at: '2026-11-27T08:00:00.000Z',
  until: '2026-11-27T09:00:00.000Z',
  mayReview: true,
};

it('lists urgent readings, and records what their review found', async () => {
  signInAs('AgencyAdmin');
  await useLanguageOfTest('en-US');
  answerCall(getUnusualReaders, []);
  const done = { ...opening, openingId: 6, mayReview: false, reviewedBy: 'Omar Al Demo' };
  answerCall(getUrgentOpenings, [
    opening,
    { ...done, finding: 'notJustified', findingText: 'Nobody called', reviewedAt: opening.until },
  ]);
  const reviews = answerCall(reviewUrgentOpening, {});
  await renderPage('/dashboard/reading');
  const main = page.getByRole('main');
  await expect.element(main).toMatchTextContent('To be reviewed');
  await expect.element(main).toMatchTextContent('Not justified');
  await page.getByRole('button', { name: 'Review' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Record the review' });
  await send.click();
  await expect.element(dialog).toMatchTextContent('Choose what you found');
  await expect.element(dialog).toMatchTextContent('Write at least 10 characters');
  expect(reviews).toEqual([]);
  await dialog.getByRole('radio', { name: 'Justified', exact: true }).click();
  await dialog
    .getByRole('textbox', { name: 'What did you find?' })
    .fill('The hospital confirmed it');
  await send.click();
  await expect
    .poll(() => reviews[0]?.body)
    .toEqual({ openingId: 7, finding: 'justified', findingText: 'The hospital confirmed it' });
});
