import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getUnusualReaders, type UnusualReader } from '@diwan/contract/staff/access-log';

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
