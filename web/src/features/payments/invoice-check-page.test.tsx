import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, noConnection, refuse } from '#testing/answer-calls.ts';
import { renderPage, useLanguageOfTest } from '#testing/render-page.tsx';
import { checkInvoice, checkSealedFile } from '@diwan/contract/requests/payments';

const main = page.getByRole('main');
const genuine = {
  isGenuine: true,
  kind: 'invoice',
  number: 'INV-2026-000041',
  total: 13_500,
  issuedOn: '2026-11-24',
  state: 'refundedInPart',
} as const;

it('shows what the code of the address confirms', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerCall(checkInvoice, genuine);
  await renderPage('/invoice?code=1a.abc');
  await expect.element(main.getByText('This document is genuine')).toBeVisible();
  for (const shown of [
    'INV-2026-000041',
    /135\.00/,
    '24 Nov 2026',
    /part of the money was refunded/,
  ])
    await expect.element(main.getByText(shown)).toBeVisible();
  await expect.poll(() => sent.map(({ query }) => query.get('Code'))).toEqual(['1a.abc']);
});

it('says so for a code of somebody else, in Arabic', async () => {
  answerCall(checkInvoice, { isGenuine: false });
  await renderPage('/invoice?code=x');
  await expect.element(main.getByRole('alert')).toMatchTextContent('ليس من فاتورة');
});

it('asks for a code, and takes it out of a pasted address', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerCall(checkInvoice, genuine);
  const { router } = await renderPage('/invoice');
  const submit = main.getByRole('button', { name: 'Check the invoice' });
  await submit.click();
  await expect.element(main.getByText('Enter the code')).toBeVisible();
  const field = main.getByRole('textbox', { name: 'Code of the invoice' });
  await field.fill('https://diwan.example/invoice?code=1a.abc&ln=Urdu');
  await submit.click();
  await expect.element(main.getByText('INV-2026-000041')).toBeVisible();
  expect(router.state.location.search).toBe('?code=1a.abc');
  await expect.poll(() => sent).toHaveLength(1);
});

it.each([
  [
    'too many checks',
    () => {
      throw refuse(429, 'TooManyRequests', 'Wait a minute');
    },
  ],
  ['no connection', noConnection],
])('shows an error and can be repeated: %s', async (_, answer) => {
  await useLanguageOfTest('en-US');
  answerCall(checkInvoice, answer);
  await renderPage('/invoice?code=1a.abc');
  await expect.element(main.getByRole('alert')).toBeVisible();
  answerCall(checkInvoice, genuine);
  await main.getByRole('button', { name: 'Check the invoice' }).click();
  await expect.element(main.getByText('This document is genuine')).toBeVisible();
  await expect.element(main.getByRole('alert')).not.toBeInTheDocument();
});

it('checks the seal of a file, and refuses one that is too large', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerCall(checkSealedFile, { state: 'changed' });
  await renderPage('/invoice');
  await expect.element(main.getByRole('button', { name: 'Choose a PDF' })).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no input');
  await userEvent.upload(input, new File(['%PDF-1.7'], 'invoice.pdf'));
  await expect.element(main.getByText(/was changed after/)).toBeVisible();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ content: btoa('%PDF-1.7') }]);
  await userEvent.upload(input, new File([new Uint8Array(700_001)], 'large.pdf'));
  await expect.element(main.getByText(/too large/)).toBeVisible();
  expect(main.getByText(/was changed after/).elements()).toEqual([]);
  await expect.poll(() => sent).toHaveLength(1);
});
