import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { TypedText } from './typed-text.tsx';

const note = 'Paid twice.';
const long = `${'The bank confirmed that it was charged twice. '.repeat(20)}\nSee the statement.`;

it.each(['ar-EG', 'ur-PK', 'en-US'] as const)(
  'begins where the text of the page begins in %s, in its own direction',
  async (language) => {
    await useLanguageOfTest(language);
    await renderComponent(
      <div data-testid="cell" className="flex w-80 flex-col">
        <TypedText>{note}</TypedText>
        <bdi>Omar Ali</bdi>
        <TypedText>{long}</TypedText>
      </div>,
    );
    const cell = page.getByTestId('cell').element().getBoundingClientRect();
    const side = language === 'en-US' ? 'left' : 'right';
    for (const text of [note, 'Omar Ali']) {
      const shown = page.getByText(text, { exact: true }).element();
      const box = shown.getBoundingClientRect();
      expect(box[side], text).toBeCloseTo(cell[side], 0);
      expect(box.width, text).toBeLessThan(cell.width / 2);
      expect(getComputedStyle(shown).direction, text).toBe('ltr');
    }
    const whole = page.getByText(/The bank confirmed/).element();
    expect(whole.getBoundingClientRect().width).toBeCloseTo(cell.width, 0);
    expect(whole.scrollWidth).toBeLessThanOrEqual(whole.clientWidth);
  },
);
