import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import {
  checkCertificate,
  getCertificates,
  type ListedCertificate,
} from '@diwan/contract/content/issued-certificates';
import { checkInvoice } from '@diwan/contract/requests/payments';

const main = page.getByRole('main');
const check = {
  isGenuine: true,
  number: 'CRT-2026-000041',
  language: 'en-US',
  title: 'Fishing licence',
  service: 'Renew a fishing licence',
  agency: 'Ministry of Climate Change',
  holder: 'P••• T••••••',
  issuedOn: '2026-11-24',
  validUntil: '2027-11-23',
  state: 'valid',
  digest: '7K2M-QX4D-9F3A',
} as const;

it('shows enough of a certificate to compare a paper with it', async () => {
  await useLanguageOfTest('en-US');
  answerCall(checkCertificate, check);
  await renderPage('/certificate?code=c-1a.abc');
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('certificate');
  for (const shown of [
    'This certificate is valid',
    check.number,
    check.title,
    check.service,
    check.agency,
    check.holder,
    '24 Nov 2026',
    '23 Nov 2027',
    check.digest,
  ])
    await expect.element(main.getByText(shown)).toBeVisible();
  await expect.element(main.getByText(/Compare number, title, agency/)).toBeVisible();
});

it.each([
  ['revoked', { ...check, state: 'revoked', revokedOn: '2026-12-01' }, '1 Dec 2026'],
  ['expired', { ...check, state: 'expired' }, 'This certificate has expired'],
] as const)('warns of a certificate that is %s', async (_state, reply, shown) => {
  await useLanguageOfTest('en-US');
  answerCall(checkCertificate, reply);
  await renderPage('/certificate?code=c-1a.abc');
  await expect.element(main.getByRole('alert')).toMatchTextContent('must not be accepted');
  await expect.element(main.getByText(shown)).toBeVisible();
});

it('leads old codes of certificates from the page of invoices, and the other way round', async () => {
  await useLanguageOfTest('en-US');
  const certificates = answerCall(checkCertificate, check);
  const invoices = answerCall(checkInvoice, { isGenuine: false });
  const { router } = await renderPage('/invoice?code=c-1a.abc');
  await expect.element(main.getByText(check.number)).toBeVisible();
  expect(router.state.location.pathname).toBe('/certificate');
  expect(invoices).toEqual([]);
  const field = main.getByRole('textbox', { name: 'Code of the certificate' });
  await field.fill('https://diwan.example/invoice?code=1a.abc');
  await main.getByRole('button', { name: 'Check the certificate' }).click();
  await expect.element(main.getByRole('alert')).toMatchTextContent('not from an invoice');
  expect(router.state.location.pathname).toBe('/invoice');
  expect(certificates).toHaveLength(1);
});

const listed: ListedCertificate = {
  requestId: 7,
  requestNumber: 'DW26-00000-00007',
  number: check.number,
  service: check.service,
  title: check.title,
  state: 'expired',
  issuedOn: check.issuedOn,
};

it('lists the certificates of an applicant, who cannot filter them', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
  answerCall(getCertificates, pageOf([listed]));
  await renderPage('/certificates');
  await expect.element(main.getByRole('link', { name: check.title })).toBeVisible();
  await expect.element(main.getByText('Expired', { exact: true })).toBeVisible();
  await expect
    .element(main.getByRole('button', { name: `Download ${check.number}` }))
    .toBeVisible();
  expect(main.getByRole('search').elements()).toEqual([]);
});

it('staff find a certificate by its number and state', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Employee');
  const sent = answerCall(getCertificates, pageOf([]));
  answerCall(serviceSearch, []);
  const { router } = await renderPage('/requests/certificates?state=revoked');
  await main.getByRole('textbox', { name: /Number of the certificate/ }).fill('41');
  await main.getByRole('search').getByRole('button', { name: 'Search' }).click();
  await expect.element(main.getByText('No certificate matches')).toBeVisible();
  await expect
    .poll(() => sent.map(({ query }) => [query.get('Keyword'), query.get('State')]).at(-1))
    .toEqual(['41', 'revoked']);
  expect(router.state.location.search).toBe('?state=revoked&q=41');
});
