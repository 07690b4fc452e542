import { useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderComponent } from '#testing/render-page.tsx';
import { Tabs } from './tabs.tsx';

const names = ['Payments', 'To decide', 'Refunds', 'Documents', 'Ledger', 'Journal', 'Sellers'];

function Sample({ dir, width }: { dir: 'ltr' | 'rtl'; width: number }) {
  const [selected, setSelected] = useState('Payments');
  return (
    <div dir={dir} style={{ width }}>
      <Tabs
        label="Payments"
        selected={selected}
        onSelect={setSelected}
        tabs={names.map((name) => ({ id: name, label: name, content: name }))}
      />
    </div>
  );
}

const more = (side: 'start' | 'end') =>
  document.querySelector<HTMLButtonElement>(`[data-more=${side}]`);

/** Whether a click in the middle of a tab reaches the tab. */
function isReachable(name: string): boolean {
  const tab = page.getByRole('tab', { name }).element();
  const { left, right, top, bottom } = tab.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === tab;
}

it.each(['ltr', 'rtl'] as const)('says that more tabs follow, and shows them: %s', async (dir) => {
  await renderComponent(<Sample dir={dir} width={360} />);
  await expect.poll(() => more('end')).not.toBeNull();
  expect(more('start')).toBeNull();
  expect(isReachable('Sellers')).toBe(false);
  await expect
    .poll(() => {
      more('end')?.click();
      return isReachable('Sellers');
    })
    .toBe(true);
  await expect.poll(() => more('end')).toBeNull();
  await page.getByRole('tab', { name: 'Sellers' }).click();
  await expect.element(page.getByRole('tabpanel')).toHaveTextContent('Sellers');
  expect(more('start')).not.toBeNull();
  // The button at the edge covers no tab that the keyboard has chosen.
  await userEvent.keyboard('{Home}');
  await expect.poll(() => isReachable('Payments')).toBe(true);
  await expect.poll(() => more('start')).toBeNull();
});

it('has no buttons where every tab fits', async () => {
  await renderComponent(<Sample dir="ltr" width={1000} />);
  await expect.poll(() => isReachable('Sellers')).toBe(true);
  expect([more('start'), more('end')]).toEqual([null, null]);
});
