import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf, paymentPage } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getServiceNameByServiceId, serviceSearch } from '@diwan/contract/catalogue/services';
import { getLedgerClosings, previewLedgerClosing } from '@diwan/contract/payments/closings';
import {
  decidePaymentCase,
  getPaymentCases,
  getRefunds,
  getRefusedPaymentMessages,
  type PaymentCase,
  type RefundRecord,
} from '@diwan/contract/payments/events';
import { getTrialBalance } from '@diwan/contract/payments/journal';
import {
  closeLedgerDay,
  decideSettlementDifference,
  fetchSettlement,
  getLedgerBalances,
  getLedgerDays,
  getProviderCharges,
  getSettlementDifferences,
  type LedgerDay,
  type SettlementDifference,
} from '@diwan/contract/payments/ledger';
import {
  decidePayout,
  getPayees,
  getPayeeStatement,
  getPayouts,
  requestPayout,
  type Payee,
  type Payout,
} from '@diwan/contract/payments/payouts';
import { getPaymentRouting, savePaymentRule } from '@diwan/contract/payments/providers';
import {
  cancelReceiptRun,
  getReceiptRuns,
  startReceiptRun,
  type ReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
import { getSettlementFiles } from '@diwan/contract/payments/settlement-files';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { downloadFile } from '@diwan/contract/requests/attachments';

const found: PaymentCase = {
  id: 7,
  kind: 'wrongAmount',
  merchantReference: 'DW26-11111-22222-abcd',
  requestId: 1,
  requestNumber: 'DW26-11111-22222',
  provider: 'paypro',
  amount: 9_999,
  currency: 'AED',
  expected: 10_000,
  detail: '',
  createdAt: '2026-11-24T08:00:00.000Z',
  decisions: ['accept', 'return'],
  note: '',
  version: 1,
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  // The filters of every list and the cases read these.
  answerCall(getAgencyRecords, []);
  answerCall(getWaitingCharges, []);
});

it('decides a case only with a choice and a reason', async () => {
  answerCall(getPaymentCases, paymentPage([found]));
  answerCall(getRefusedPaymentMessages, []);
  answerCall(getWaitingCharges, []);
  const sent = answerCall(decidePaymentCase, { ...found, decisions: [], decision: 'return' });
  await renderPage('/dashboard/payments?tab=cases');
  await page.getByRole('button', { name: 'Decide on payment DW26-11111-22222-abcd' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect.element(dialog.getByText('Choose a decision.').first()).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await dialog.getByRole('radio', { name: /Refund the amount/ }).click({ force: true });
  await dialog.getByRole('textbox').fill('Wrong card');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect.element(page.getByText('Your decision was saved')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ id: 7, version: 1, decision: 'return', note: 'Wrong card' }]);
});

it('makes the documents of a period, shows how far it is, and stops on request', async () => {
  const run: ReceiptRun = {
    runId: 3,
    from: '2026-11-01',
    until: '2026-11-24',
    kind: 'invoice',
    withXml: true,
    state: 'running',
    total: 1000,
    done: 250,
    perMinute: 500,
    startedBy: 'Aisha Al Demo',
    createdAt: '2026-11-24T08:00:00.000Z',
    parts: [{ number: 1, documents: 250, size: 9_000_000, filePath: 'part' }],
  };
  let runs: ReceiptRun[] = [];
  answerCall(getReceiptRuns, () => ({ runs, keptDays: 7 }));
  const started = answerCall(startReceiptRun, () => {
    runs = [run];
    return { runs, keptDays: 7 };
  });
  const cancelled = answerCall(cancelReceiptRun, () => {
    runs = [{ ...run, state: 'cancelled' }];
    return { runs, keptDays: 7 };
  });
  await renderPage('/dashboard/payments?tab=receipts');
  await expect
    .element(page.getByText('No documents were created in the last 7 days.'))
    .toBeVisible();
  const begin = page.getByRole('button', { name: 'Make ZIP files' });
  await page.getByRole('button', { name: /All documents/ }).click();
  await page.getByRole('option', { name: 'Invoices' }).click();
  await page.getByText('Add the e-invoices as XML files').click();
  await begin.click();
  await expect.element(page.getByText(/250 of 1,000 made · about 2 minutes left/)).toBeVisible();
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '250');
  await expect.element(page.getByRole('button', { name: /File 1: 250 documents/ })).toBeVisible();
  await expect.element(begin).toBeDisabled();
  await expect
    .poll(() => started.map(({ body }) => body))
    .toMatchObject([{ kind: 'invoice', withXml: true }]);
  await page.getByRole('button', { name: 'Stop the run' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => cancelled).toEqual([]);
  await dialog.getByRole('button', { name: 'Stop the run' }).click();
  await expect.element(page.getByText('Stopped', { exact: true })).toBeVisible();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  answerCall(downloadFile, () => new Response('zip') as never);
  await page.getByRole('button', { name: /File 1: 250 documents/ }).click();
  await expect.poll(() => names).toEqual(['documents-invoice-2026-11-01-2026-11-24.zip']);
  await expect.poll(() => cancelled.map(({ body }) => body)).toEqual([{ runId: 3 }]);
});

it('moves a rule, and shows both values when two people change one', async () => {
  const provider = {
    name: 'paypro',
    isConfigured: true,
    hasPayments: true,
    isEnabled: true,
    position: 1,
    version: 1,
  };
  const second = { ...provider, name: 'reserve', position: 2 };
  const serviceName = { 'ar-EG': 'تجديد رخصة', 'en-US': 'Renew a licence', 'ur-PK': 'تجدید' };
  const ofService = { serviceId: 12, serviceName };
  const first = { id: 1, ...ofService, minimum: 100_000, provider: 'paypro', version: 1 };
  let last = { id: 2, method: 'bankAccount', maximum: 5_000, provider: 'paypro', version: 1 };
  answerCall(getAgencyRecords, []);
  answerCall(serviceSearch, []);
  answerCall(
    getPaymentRouting,
    () => ({ providers: [provider, second], rules: [first, last] }) as never,
  );
  const sent = answerCall(savePaymentRule, ({ body }) => {
    if ((body as { version?: number }).version === 1 && !('move' in (body as object))) {
      last = { ...last, maximum: 7_000, version: 2 };
      throw refuse(400, 'RecordHasChanged', 'Somebody else changed it');
    }
    return { providers: [], rules: [] } as never;
  });
  await renderPage('/dashboard/payments?tab=routing');
  const down = page.getByRole('button', { name: /^Move Renew a licence · From .* down$/ });
  await expect
    .element(page.getByRole('button', { name: /^Move Renew a licence · From .* up$/ }))
    .toBeDisabled();
  await down.click();
  await expect.element(page.getByText('The order was saved')).toBeVisible();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({ id: 1, version: 1, provider: 'paypro', move: 'down' });
  await page.getByRole('button', { name: /^Change the rule for Bank account · Up to/ }).click();
  const dialog = page.getByRole('dialog');
  const lowest = dialog.getByRole('textbox', { name: /Minimum amount/ });
  const highest = dialog.getByRole('textbox', { name: /Maximum amount/ });
  await lowest.fill('٧٠');
  await highest.fill('60');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect.element(highest).toHaveAccessibleDescription(/must not be below the minimum amount/);
  await lowest.clear();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await dialog.getByRole('button', { name: 'Save my version' }).click();
  await expect.element(page.getByText('Your change was saved')).toBeVisible();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({
      id: 2,
      version: 2,
      method: 'bankAccount',
      maximum: 6_000,
      provider: 'paypro',
    });
});

it('finds the service of a rule by its name', async () => {
  const provider = {
    name: 'paypro',
    isConfigured: true,
    hasPayments: true,
    isEnabled: true,
    position: 1,
    version: 1,
  };
  answerCall(getAgencyRecords, []);
  answerCall(getPaymentRouting, { providers: [provider], rules: [] } as never);
  answerCall(serviceSearch, [{ id: 12, name: 'Renew a licence' }] as never);
  answerCall(getServiceNameByServiceId, { name: 'Renew a licence' } as never);
  const sent = answerCall(savePaymentRule, { providers: [], rules: [] } as never);
  await renderPage('/dashboard/payments?tab=routing');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: /^Service/ }).fill('licence');
  await page.getByRole('option', { name: 'Renew a licence' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ serviceId: 12, provider: 'paypro' }]);
});

it('resolves a difference of a settlement only with a choice and a reason', async () => {
  const difference: SettlementDifference = {
    id: 5,
    kind: 'missingThere',
    provider: 'paypro',
    day: '2026-11-23',
    merchantReference: 'DW26-11111-22222-abcd',
    isKnown: true,
    expected: 10_500,
    currency: 'AED',
    state: 'open',
    decisions: ['accept', 'correct'],
    note: '',
    isOwn: false,
    createdAt: '2026-11-24T08:00:00.000Z',
    version: 1,
  };
  answerCall(getSettlementDifferences, paymentPage([difference]));
  answerCall(getSettlementFiles, pageOf([]));
  answerCall(getProviderCharges, [
    { provider: 'paypro', rate: 150, fixed: 0, version: 1, isFetched: true },
  ]);
  const sent = answerCall(decideSettlementDifference, { ...difference, state: 'resolved' });
  await renderPage('/dashboard/payments?tab=reconciliation');
  await page
    .getByRole('button', { name: 'Resolve the difference of DW26-11111-22222-abcd' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect.element(dialog.getByText('Choose a decision.').first()).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await dialog.getByRole('radio', { name: /Book a correction/ }).click({ force: true });
  await dialog.getByRole('textbox').fill('Never settled');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect.element(page.getByText('Your decision was saved')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ id: 5, version: 1, decision: 'correct', note: 'Never settled' }]);
});

it('fetches all missing files of past days, and keeps what came before an error', async () => {
  const day: LedgerDay = {
    day: '2026-11-20',
    entries: 1,
    totals: [],
    openDifferences: 0,
    missingSettlements: ['paypro', 'stripe'],
    waitingWithdrawals: 0,
  };
  answerCall(getSettlementDifferences, paymentPage([]));
  answerCall(getLedgerDays, pageOf([{ ...day, day: '2026-11-21' }, day]));
  const rate = { rate: 150, fixed: 0, version: 1, isFetched: true };
  answerCall(getSettlementFiles, pageOf([]));
  answerCall(getProviderCharges, [
    { ...rate, provider: 'paypro' },
    { ...rate, provider: 'stripe', isFetched: false },
  ]);
  const sent = answerCall(fetchSettlement, () => {
    if (sent.length === 2) throw refuse(503, 'PaymentProviderUnreachable', 'It does not answer');
    return { isKnown: false, lines: 3, matched: 3, differences: 0, problems: [] };
  });
  await renderPage('/dashboard/payments?tab=reconciliation');
  await page.getByRole('button', { name: 'Fetch all missing files' }).click();
  await expect.element(page.getByText('It does not answer')).toBeVisible();
  await expect.element(page.getByText(/Files fetched: 1\. Lines: 3, matched: 3/)).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { provider: 'paypro', day: '2026-11-20' },
      { provider: 'paypro', day: '2026-11-21' },
    ]);
});

/** A day without entries that can be closed. */
const quiet: LedgerDay = {
  day: '2026-11-20',
  entries: 0,
  totals: [],
  openDifferences: 0,
  missingSettlements: [],
  waitingWithdrawals: 0,
};

it('shows the days of the ledger, no amount as no amount, and closes one after a question', async () => {
  const busy: LedgerDay = {
    ...quiet,
    day: '2026-11-21',
    entries: 3,
    totals: [{ account: 'revenue', currency: 'AED', amount: -10_000 }],
    openDifferences: 2,
    missingSettlements: ['paypro'],
    waitingWithdrawals: 0,
  };
  answerCall(getLedgerDays, pageOf([busy, quiet]));
  const revenue = { account: 'revenue' as const, currency: 'AED', debits: 0 };
  answerCall(getTrialBalance, []);
  answerCall(getLedgerClosings, pageOf([]));
  answerCall(previewLedgerClosing, {
    days: ['2026-11-20'],
    entries: 3,
    accounts: [{ account: 'bank', currency: 'AED', debits: 12_300, credits: 0 }],
    providers: [],
    hash: '',
  });
  answerCall(getLedgerBalances, [
    { ...revenue, agencyId: 1, agencyName: 'Roads', credits: 10_000, balance: -10_000 },
    { ...revenue, agencyId: 2, agencyName: 'Ports', credits: 2_500, balance: -2_500 },
  ]);
  const sent = answerCall(closeLedgerDay, { ...quiet, closedAt: '2026-11-24T08:00:00.000Z' });
  await renderPage('/dashboard/payments?tab=ledger');
  const close = page.getByRole('button', { name: /^Close/ });
  await expect.element(close).toBeVisible();
  const rows = page.getByRole('row');
  await expect.element(rows.nth(1)).toMatchTextContent(/AED\s100\.00/);
  await expect.element(rows.nth(2)).toMatchTextContent(/AED\s0\.00/);
  expect(rows.nth(2).element().textContent).not.toContain('-');
  expect(close.elements()).toHaveLength(1);
  // An account is one row, until its agencies are asked for.
  const balances = page.getByRole('table', { name: 'Balances' });
  await expect.element(balances.getByText(/125\.00/).first()).toBeVisible();
  expect(balances.getByText('Roads').elements()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Show by agency and provider' }).click({ force: true });
  await expect.element(balances.getByText('Roads')).toBeVisible();
  await close.click();
  // The dialog says which days and sums are closed.
  await expect.element(page.getByRole('dialog').getByText(/123\.00/)).toBeVisible();
  await expect
    .element(page.getByRole('dialog').getByText('These days will be closed: 20 Nov 2026'))
    .toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close day' }).click();
  await expect.element(page.getByText('The day was closed')).toBeVisible();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ day: '2026-11-20' }]);
});

it('says how many days a closing of a time takes, and not each of them', async () => {
  const day = (at: number) => `2026-11-${String(at).padStart(2, '0')}`;
  const ready: LedgerDay = { ...quiet, day: day(20) };
  answerCall(getLedgerDays, pageOf([ready]));
  answerCall(getLedgerBalances, []);
  answerCall(getTrialBalance, []);
  answerCall(getLedgerClosings, pageOf([]));
  const days = Array.from({ length: 20 }, (_, at) => day(20 - at));
  answerCall(previewLedgerClosing, { days, entries: 85, accounts: [], providers: [], hash: '' });
  await renderPage('/dashboard/payments?tab=ledger');
  await page.getByRole('button', { name: /^Close/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Close days until 20 Nov 2026' });
  await expect
    .element(
      dialog.getByText('20 days with entries will be closed, from 1 Nov 2026 to 20 Nov 2026'),
    )
    .toBeVisible();
  await expect
    .element(dialog.getByRole('button', { name: 'Close days until 20 Nov 2026' }))
    .toBeVisible();
});

it('records a payout within what is owed, and confirms that of another person after a question', async () => {
  const agency: Payee = {
    agencyId: 3,
    name: 'Roads Agency',
    currency: 'AED',
    owed: 100_000,
    waiting: 20_000,
  };
  const held: Payee = { provider: 'paypro', name: '', currency: 'AED', owed: -5_000, waiting: 0 };
  const waiting: Payout = {
    id: 9,
    agencyId: 3,
    name: 'Roads Agency',
    amount: 20_000,
    currency: 'AED',
    reference: 'FT 1',
    paidOn: '2026-11-20',
    note: '',
    state: 'waiting',
    decisions: ['confirm', 'refuse'],
    requestedBy: 'Employee Demo',
    version: 1,
  };
  answerCall(getPayees, [agency, held]);
  answerCall(getPayouts, paymentPage([waiting]));
  const sent = answerCall(requestPayout, () => {
    if (sent.length === 1) throw refuse(400, 'PayoutReferenceTaken', 'It is already recorded');
    return { ...waiting, id: 10, state: 'booked' as const, decisions: ['return' as const] };
  });
  const decided = answerCall(decidePayout, { ...waiting, state: 'booked', decisions: ['return'] });
  await renderPage('/dashboard/payments?tab=payouts');
  await expect
    .element(page.getByRole('button', { name: 'Record payout to Roads Agency' }))
    .toBeVisible();
  await expect.element(page.getByText(/Held for the portal/)).toBeVisible();
  const record = page.getByRole('button', { name: 'Record payout to Roads Agency' });
  await expect.element(record).toBeVisible();
  expect(page.getByRole('button', { name: /^Record payout/ }).elements()).toHaveLength(1);
  await record.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /Amount/ }).fill('900');
  await dialog.getByRole('button', { name: 'Record payout' }).click();
  await expect.element(dialog.getByText(/Enter at most AED\s800\.00/)).toBeVisible();
  await expect.element(dialog.getByText('Enter the reference of the bank transfer.')).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await dialog.getByRole('textbox', { name: /Amount/ }).fill('800');
  await dialog.getByRole('textbox', { name: 'Bank reference' }).fill('FT 2');
  await dialog.getByRole('button', { name: 'Record payout' }).click();
  await expect.element(dialog.getByText('It is already recorded')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Bank reference' }).fill('FT 3');
  await dialog.getByRole('button', { name: 'Record payout' }).click();
  await expect.element(page.getByText('The payout was recorded')).toBeVisible();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toMatchObject({ agencyId: 3, amount: 80_000, reference: 'FT 3' });
  await page.getByRole('button', { name: 'Confirm payout FT 1' }).click();
  await expect.poll(() => decided).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm payout' }).click();
  await expect.element(page.getByText('The payout was confirmed')).toBeVisible();
  await expect
    .poll(() => decided.map(({ body }) => body))
    .toEqual([{ id: 9, version: 1, decision: 'confirm' }]);
});

it('offers a statement only for a period of at most a year, and says why one failed', async () => {
  answerCall(getPayees, [
    { provider: 'paypro', name: '', currency: 'AED', owed: -5_000, waiting: 0 },
  ]);
  answerCall(getPayouts, paymentPage([]));
  const asked = answerCall(getPayeeStatement, () => {
    throw refuse(503, 'ServerBusy', 'Try again in a minute');
  });
  await renderPage('/dashboard/payments?tab=payouts');
  await expect.element(page.getByText('No payout has been recorded yet')).toBeVisible();
  await page.getByRole('button', { name: 'Statement of PayPro' }).click();
  const dialog = page.getByRole('dialog');
  const pdf = dialog.getByRole('button', { name: 'Download PDF' });
  const from = dialog.getByRole('textbox', { name: /From/ });
  await from.fill('01/01/2020');
  await expect.element(dialog.getByText('Choose a period of at most a year.')).toBeVisible();
  await expect.element(pdf).toBeDisabled();
  await from.fill('01/11/2026');
  await dialog.getByRole('textbox', { name: /^To$/ }).fill('20/11/2026');
  await pdf.click();
  await expect.element(dialog.getByText('Try again in a minute')).toBeVisible();
  await expect
    .poll(() => Object.fromEntries(asked.at(-1)?.query ?? []))
    .toMatchObject({
      Provider: 'paypro',
      From: '2026-11-01',
      Until: '2026-11-20',
      Format: 'pdf',
    });
});

it.each(['en-US', 'ar-EG'] as const)(
  'shows the selected tab on a phone in %s',
  async (language) => {
    await page.viewport(390, 844);
    await useLanguageOfTest(language);
    answerCall(getPayees, []);
    answerCall(getPayouts, paymentPage([]));
    answerCall(getPaymentCases, paymentPage([]));
    answerCall(getRefusedPaymentMessages, []);
    answerCall(getWaitingCharges, []);
    await renderPage('/dashboard/payments?tab=payouts');
    const row = page.getByRole('tablist');
    await expect.element(row).toBeVisible();
    const selected = page.getByRole('tab', { selected: true });
    const isCutOff = () => {
      const [outer, inner] = [row, selected].map((each) => each.element().getBoundingClientRect());
      // Positions of scrolled parts are whole pixels.
      return !outer || !inner || inner.left < outer.left - 1 || inner.right > outer.right + 1;
    };
    await expect.poll(isCutOff).toBe(false);
    expect(row.element().scrollLeft).not.toBe(0);
    // The second tab, which the row cuts off now. Its neighbours are seen on both sides.
    const next = page.getByRole('tab').nth(1);
    (next.element() as HTMLElement).click();
    await expect.element(next).toHaveAttribute('aria-selected', 'true');
    await expect.poll(isCutOff).toBe(false);
  },
);

it('asks before a refund outside of the portal is confirmed, and names its reference', async () => {
  answerCall(
    getRefunds,
    paymentPage([
      {
        id: 4,
        merchantReference: '',
        outsideReference: 'BANK-77',
        requestId: 1,
        requestNumber: 'DW26-11111-22222',
        amount: 150_000,
        currency: 'AED',
        reason: 'recorded',
        state: 'waiting',
        requestedBy: 'Aisha Al Demo',
        decidedBy: '',
        isOwn: false,
        note: '',
        createdAt: '2026-11-24T08:00:00.000Z',
        lastError: '',
        version: 1,
      },
    ] satisfies RefundRecord[]),
  );
  await renderPage('/dashboard/payments?tab=refunds');
  const row = page.getByRole('row').nth(1);
  await expect.element(row).toMatchTextContent('Paid back outside the portal');
  await expect.element(row.getByRole('link')).not.toBeInTheDocument();
  await row.getByRole('button', { name: /Confirm refund/ }).click();
  await expect
    .element(page.getByRole('alertdialog').or(page.getByRole('dialog')))
    .toMatchTextContent('outside the portal, as the reference BANK-77 shows');
});

it('shows who asked for a refund, who decided and why, and what the portal returned by rule', async () => {
  const refund: RefundRecord = {
    id: 1,
    merchantReference: 'DW26-11111-22222-abcd',
    requestId: 1,
    requestNumber: 'DW26-11111-22222',
    amount: 9_999,
    currency: 'AED',
    reason: 'unexpectedAmount',
    state: 'succeeded',
    requestedBy: '',
    decidedBy: 'Aisha Al Demo',
    isOwn: false,
    note: 'The payer asked for it',
    createdAt: '2026-11-24T08:00:00.000Z',
    lastError: '',
    version: 2,
  };
  answerCall(getRefunds, () =>
    paymentPage([
      refund,
      { ...refund, id: 2, requestedBy: 'Omar Al Demo', note: 'Rejected' },
      { ...refund, id: 3, reason: 'chargedTwice', decidedBy: '', note: '' },
    ]),
  );
  await renderPage('/dashboard/payments?tab=refunds');
  const row = (index: number) => page.getByRole('row').nth(index);
  await expect.element(row(1)).toMatchTextContent('The payer asked for it');
  await expect.element(row(1)).toMatchTextContent('Decided by Aisha Al Demo');
  await expect.element(row(1)).not.toMatchTextContent('by rule');
  await expect.element(row(2)).toMatchTextContent('Omar Al Demo');
  await expect.element(row(2)).toMatchTextContent('Decided by Aisha Al Demo');
  await expect.element(row(3)).toMatchTextContent('The portal, by rule');
});
