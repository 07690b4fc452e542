import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '../../testing/render-page.tsx';
import { ChangedFields } from './change-history.tsx';

it('shows stored numbers and codes in words, and texts as they are', async () => {
  await useLanguageOfTest('en-US');
  await renderComponent(
    <ChangedFields
      entity="payout"
      fields={[
        { field: 'amount', before: 12_345, after: 500 },
        { field: 'rate', before: 150, after: 0 },
        { field: 'provider', before: 'reserve', after: 'paypro' },
        { field: 'payee', after: 'n-genius' },
        { field: 'state', before: 'waiting', after: 'booked' },
        { field: 'paidOn', after: '2026-11-24' },
        { field: 'isWaiting', before: true, after: false },
        { field: 'note', after: 'values.state.waiting' },
        { field: 'unheardOf', after: 'https://example.com/state' },
      ]}
    />,
  );
  const value = (name: string) =>
    [...document.querySelectorAll('dt')]
      .find(({ textContent }) => textContent === name)
      ?.parentElement?.textContent.replaceAll('\u00A0', ' ');
  await expect.element(page.getByText('Amount', { exact: true })).toBeVisible();
  expect(value('Amount')).toBe('AmountBefore: AED 123.45After: AED 5.00');
  expect(value('Percent of the amount')).toContain('Before: 1.5After: 0');
  expect(value('Provider')).toContain('Before: PayPro, second accountAfter: PayPro');
  expect(value('Owed to')).toContain('After: N-Genius Online');
  expect(value('State')).toContain('Before: Waits for a second personAfter: Booked');
  expect(value('Day of the transfer')).toContain('After: 24 Nov 2026');
  expect(value('Waits for a second person')).toContain('Before: YesAfter: No');
  expect(value('Reason')).toContain('After: values.state.waiting');
  expect(value('unheardOf')).toContain('After: https://example.com/state');
});
