import { useState } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent } from '#testing/render-page.tsx';
import { ComboField } from './combo-field.tsx';

const choices = ['One', 'Two', 'Twelve'].map((label) => ({ value: label, label }));

function Sample() {
  const [value, setValue] = useState('');
  return (
    <div data-box className="h-100 overflow-y-auto">
      <div className="h-[300vh] pt-60">
        <ComboField label="Figure" value={value} onChange={setValue} choices={choices} />
      </div>
    </div>
  );
}

it.each(['page', 'box'])(
  'keeps its list, beside the field, and the typed text while the %s scrolls',
  async (scrolled) => {
    await renderComponent(
      <div className="h-[300vh]">
        <Sample />
      </div>,
    );
    const field = page.getByRole('combobox', { name: 'Figure' });
    const option = page.getByRole('option', { name: 'Two' });
    await field.fill('tw');
    await expect.element(option).toBeVisible();
    const gap = () =>
      Math.round(
        option.element().getBoundingClientRect().top -
          field.element().getBoundingClientRect().bottom,
      );
    const before = gap();
    const scroller =
      scrolled === 'page' ? document.documentElement : document.querySelector('[data-box]')!;
    const hasScrolled = new Promise((resolve) => {
      window.addEventListener('scroll', () => window.requestAnimationFrame(resolve), true);
    });
    scroller.scrollTop = 60;
    await hasScrolled;
    await expect.poll(gap).toBe(before);
    await expect.element(field).toHaveValue('tw');
    await option.click();
    await expect.element(field).toHaveValue('Two');
  },
);
