import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { MoneyField } from './number-field.tsx';

const box = page.getByRole('textbox', { name: 'Fee' });
const onChange = vi.fn<(value: number | undefined) => void>();

/** A form that keeps the last amount when what is typed is none. */
function Fee() {
  const [value, setValue] = useState<number | undefined>(2000);
  return (
    <MoneyField
      label="Fee"
      value={value}
      onChange={(next) => {
        onChange(next);
        if (!Number.isNaN(next)) setValue(next);
      }}
    />
  );
}

it.each([
  ['1500', 150_000, '1,500'],
  ['1,500', 150_000, '1,500'],
  ['1,500.5', 150_050, '1,500.50'],
  ['٥٠٫٥', 5050, '50.50'],
  ['۱٬۵۰۰', 150_000, '1,500'],
  ['12.', 1200, '12'],
  ['', undefined, ''],
])('takes %j, and shows it as an amount when it is left', async (text, fils, shown) => {
  await useLanguageOfTest('en-US');
  await renderComponent(<Fee />);
  await box.fill(text);
  await expect.element(box).toHaveValue(text);
  await userEvent.tab();
  expect(onChange).toHaveBeenLastCalledWith(fils);
  await expect.element(box).toHaveValue(shown);
  await expect.element(box).not.toHaveAttribute('aria-invalid', 'true');
});

it.each(['1,5', '1,50', '15,00,0', '1.005', '1e5', 'ten', '1.5.0'])(
  'asks about %j when the field is left, and keeps it',
  async (text) => {
    await useLanguageOfTest('en-US');
    await renderComponent(<Fee />);
    await box.fill('');
    await userEvent.type(box, text);
    await expect.element(box).not.toHaveAttribute('aria-invalid', 'true');
    await userEvent.tab();
    expect(onChange).toHaveBeenLastCalledWith(Number.NaN);
    await expect.element(box).toHaveValue(text);
    await expect.element(page.getByText('Write an amount, for example 1,500.50')).toBeVisible();
  },
);
