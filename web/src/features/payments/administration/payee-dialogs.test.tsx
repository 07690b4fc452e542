import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { requestPayout, getPayeeStatement, type Payee } from '@diwan/contract/payments/payouts';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { PayoutDialog, StatementDialog } from './payee-dialogs.tsx';

const payee: Payee = {
  agencyId: 3,
  name: 'Roads Agency',
  currency: 'AED',
  owed: 9_000_000,
  waiting: 0,
};
const shown = (day: string) => day.split('-').toReversed().join('/');
let closed = 0;
const close = () => (closed += 1);

beforeEach(async () => {
  closed = 0;
  await useLanguageOfTest('en-US');
  signInAs('Admin');
});

it('takes a payout of the last year within what is owed, and closes when it is recorded', async () => {
  const sent = answerCall(requestPayout, {
    id: 1,
    agencyId: 3,
    name: payee.name,
    amount: 9_000_000,
    currency: 'AED',
    reference: 'FT 1',
    paidOn: todayInDubai(),
    note: '',
    state: 'waiting',
    decisions: ['refuse'],
    requestedBy: 'Admin Demo',
    version: 1,
  });
  await renderComponent(<PayoutDialog payee={payee} onClose={close} />);
  const submit = page.getByRole('button', { name: 'Record payout' });
  const day = page.getByRole('textbox', { name: 'Transfer date' });
  await page.getByRole('textbox', { name: 'Bank reference' }).fill('FT 1');
  for (const amount of ['0', '-5', '90000.01']) {
    await page.getByRole('textbox', { name: /Amount/ }).fill(amount);
    await submit.click();
    await expect
      .element(page.getByRole('textbox', { name: /Amount/ }))
      .toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByRole('textbox', { name: /Amount/ }).fill('90000');
  for (const wrong of [dayAfter(todayInDubai(), 1), dayAfter(todayInDubai(), -367)]) {
    await day.fill(shown(wrong));
    await submit.click();
    await expect.element(day).toHaveAttribute('aria-invalid', 'true');
  }
  await expect.poll(() => sent).toEqual([]);
  const oldest = dayAfter(todayInDubai(), -366);
  await day.fill(shown(oldest));
  await submit.click();
  await expect.poll(() => closed).toBe(1);
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        agencyId: 3,
        amount: 9_000_000,
        currency: 'AED',
        reference: 'FT 1',
        paidOn: oldest,
        note: '',
      },
    ]);
});

it('names the currency of the payee, not dirhams', async () => {
  await renderComponent(
    <PayoutDialog payee={{ ...payee, currency: 'USD', owed: 12_345 }} onClose={close} />,
  );
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/USD.123\.45.* is owed now/)).toBeVisible();
  await dialog.getByRole('textbox', { name: /Amount/ }).fill('123.46');
  await dialog.getByRole('button', { name: 'Record payout' }).click();
  await expect.element(dialog.getByText(/Enter at most .*USD.123\.45/).first()).toBeVisible();
  expect(dialog.element().textContent).not.toMatch(/AED|Dirham/i);
});

it('asks for the statement of an agency as a workbook, and stays open', async () => {
  const asked = answerCall(getPayeeStatement, undefined);
  await renderComponent(<StatementDialog payee={payee} currencies={['AED']} onClose={close} />);
  await page.getByRole('textbox', { name: /^To$/ }).fill('31/12/2019');
  await expect.element(page.getByText('Choose a period of at most a year.')).toBeVisible();
  await page.getByRole('textbox', { name: /From/ }).fill('01/12/2019');
  await page.getByRole('button', { name: 'Excel file' }).click();
  await expect.poll(() => asked.length).toBe(1);
  await expect
    .poll(() => Object.fromEntries(asked[0]?.query ?? []))
    .toMatchObject({
      AgencyId: '3',
      Currency: 'AED',
      From: '2019-12-01',
      Until: '2019-12-31',
      Format: 'xlsx',
    });
  expect(closed).toBe(0);
});
