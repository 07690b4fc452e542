import { beforeEach, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { paymentPage } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getPaymentCases,
  getPayments,
  getRefunds,
  getRefusedPaymentMessages,
  type PaymentSummary,
} from '@diwan/contract/payments/events';
import { getJournal } from '@diwan/contract/payments/journal';
import { exportPaymentList } from '@diwan/contract/payments/payment-lists';
import { getPaymentRouting } from '@diwan/contract/payments/providers';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { getVisibleAgencies } from '@diwan/contract/requests/request-lists';

const agencyName = 'Dubai Customs';
const agency = { id: 2, name: agencyName };
const payment: PaymentSummary = {
  merchantReference: 'DW26-11111-22222-abcd',
  requestId: 1,
  requestNumber: 'DW26-11111-22222',
  provider: 'paypro',
  method: 'card',
  amount: 31_500,
  currency: 'AED',
  status: 'paid',
  createdAt: '2026-11-24T08:00:00.000Z',
  refunded: 0,
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  answerCall(getVisibleAgencies, [agency, { id: 3, name: 'Dubai Courts' }]);
});

const lastOf = (asked: { query: URLSearchParams }[]) => {
  const { ln: _, ...query } = Object.fromEntries(asked.at(-1)?.query ?? []);
  return query;
};

it('reads the filters from the address, shows them as chips, and removes one', async () => {
  const asked = answerCall(getPayments, paymentPage([payment], 31_500));
  const { address } = await renderPage(
    `/dashboard/payments?q=inv+10&from=2026-11-01&until=2026-11-30&agency=${agency.id}&provider=paypro&method=card&state=paid&min=5000&max=90000`,
  );
  await expect
    .poll(() => lastOf(asked))
    .toEqual({
      Keyword: 'inv 10',
      From: '2026-11-01',
      Until: '2026-11-30',
      AgencyId: String(agency.id),
      Provider: 'paypro',
      Method: 'card',
      State: 'paid',
      MinAmount: '5000',
      MaxAmount: '90000',
      PageNumber: '1',
      Take: '20',
    });
  await expect.element(page.getByRole('button', { name: `Remove: ${agencyName}` })).toBeVisible();
  await expect.element(page.getByText(/^Sum:$/).first()).toBeVisible();
  await expect.element(page.getByRole('strong')).toMatchTextContent(/^AED\s315\.00$/);
  await page.getByRole('button', { name: 'Remove: From AED 50.00' }).click();
  await expect.poll(() => lastOf(asked).MinAmount).toBeUndefined();
  expect(address()).not.toContain('min=');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(address).toBe('/dashboard/payments');
});

it('says at the field what is wrong with days and amounts, and asks for nothing then', async () => {
  const asked = answerCall(getPayments, paymentPage([payment]));
  await renderPage('/dashboard/payments?from=2026-11-10');
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  const before = asked.length;
  await page.getByLabelText('To', { exact: true }).fill('01/11/2026');
  await expect
    .element(page.getByText('The end date must not be before the start date.').first())
    .toBeVisible();
  const highest = page.getByLabelText(/Maximum amount/);
  await highest.fill('99999999999999');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByText(/Enter at most AED\s10,000,000,000\.00/).first())
    .toBeVisible();
  await page.getByLabelText(/Minimum amount/).fill('20');
  await highest.fill('10');
  await expect
    .element(page.getByText('This must not be below the minimum amount.').first())
    .toBeVisible();
  expect(asked.length).toBe(before);
  await highest.fill('30');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lastOf(asked)).toMatchObject({ MinAmount: '2000', MaxAmount: '3000' });
});

it('keeps the tab when filters are cleared, and says when nothing matches', async () => {
  answerCall(getPaymentCases, paymentPage([]));
  answerCall(getRefusedPaymentMessages, []);
  answerCall(getWaitingCharges, []);
  const { address } = await renderPage('/dashboard/payments?tab=cases&state=decided');
  await expect.element(page.getByText('Nothing matches these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(address).toBe('/dashboard/payments?tab=cases');
  await expect.element(page.getByText('Nothing is waiting for a decision')).toBeVisible();
});

it('exports the whole filtered list', async () => {
  answerCall(getPayments, paymentPage([payment]));
  const asked = answerCall(exportPaymentList, () => undefined);
  await renderPage('/dashboard/payments?state=paid&min=100');
  await page.getByRole('button', { name: 'Excel file' }).click();
  await expect
    .poll(() => lastOf(asked))
    .toEqual({ List: 'payments', Format: 'xlsx', State: 'paid', MinAmount: '100' });
});

it('says on paper which rows of a longer list it shows', async () => {
  answerCall(getPayments, { ...paymentPage([payment], 31_500), totalCount: 36 });
  await renderPage('/dashboard/payments?page=2');
  const rows = page.getByText('Rows 21 to 36 of 36');
  await expect.element(rows).toBeInTheDocument();
  await expect.element(rows).not.toBeVisible();
  const { send } = cdp() as unknown as {
    send: (method: string, values: object) => Promise<unknown>;
  };
  await send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.element(rows).toBeVisible();
  } finally {
    await send('Emulation.setEmulatedMedia', { media: '' });
  }
});

it('offers the providers that are set up or have payments, and says what an empty list will hold', async () => {
  const names = ['paypro', 'reserve', 'n-genius', 'stripe'] as const;
  const providers = names.map((name, index) => ({
    name,
    isConfigured: name === 'paypro',
    hasPayments: name === 'stripe',
    isEnabled: true,
    position: index,
    version: 1,
  }));
  answerCall(getPaymentRouting, { providers, rules: [] });
  answerCall(getPayments, paymentPage([]));
  await renderPage('/dashboard/payments');
  await expect.element(page.getByText('No payments yet')).toBeVisible();
  await expect.element(page.getByText(/appears here as soon as/)).toBeVisible();
  expect(page.getByText('0 rows').element().getBoundingClientRect().width).toBeLessThan(2);
  await page.getByRole('button', { name: /Payment provider$/ }).click();
  expect(namesOf(page.getByRole('option')).slice(1)).toEqual(['PayPro', 'Stripe']);
});

it.each([
  ['/dashboard/payments', 1],
  ['/dashboard/payments', 2],
  ['/dashboard/payments?tab=journal', 1],
  ['/dashboard/payments?tab=journal', 2],
])('offers agencies on %s where there are several: %i', async (path, count) => {
  answerCall(getVisibleAgencies, [agency, { id: 3, name: 'Dubai Courts' }].slice(0, count));
  answerCall(getPayments, paymentPage([payment], 31_500));
  answerCall(getJournal, { items: [], pageNumber: 1, totalCount: 0, sums: [] });
  await renderPage(path);
  const form = page.getByRole('search');
  await expect.element(form.getByText('Payment provider', { exact: true }).first()).toBeVisible();
  const filter = form.getByText('Government agency', { exact: true });
  await expect.poll(() => filter.elements().length > 0).toBe(count > 1);
});

it('says what the list of refunds will hold, and with a filter that nothing matches', async () => {
  answerCall(getRefunds, paymentPage([]));
  const { unmount } = await renderPage('/dashboard/payments?tab=refunds');
  await expect.element(page.getByText('There are no refunds')).toBeVisible();
  await expect.element(page.getByText(/as soon as it is started/)).toBeVisible();
  await unmount();
  await renderPage('/dashboard/payments?tab=refunds&min=5000');
  await expect.element(page.getByText('Nothing matches these filters')).toBeVisible();
  await expect.element(page.getByText('There are no refunds')).not.toBeInTheDocument();
});
