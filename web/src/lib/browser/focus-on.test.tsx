import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent } from '#testing/render-page.tsx';
import { focusOn } from './focus-on.ts';

afterEach(() => void vi.useRealTimers());

const highlighted = () => document.querySelectorAll('[data-highlighted]').length;

// Specification §8: the element is focused and highlighted.
it('highlights the first choice of a group until the user chooses another', async () => {
  await renderComponent(
    <>
      <input type="radio" name="kind" aria-label="one" data-focus-id="kind" />
      <input type="radio" name="kind" aria-label="two" />
    </>,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(focusOn('gone')).toBe(false);
  expect(focusOn('kind')).toBe(true);
  await expect.element(page.getByRole('radio', { name: 'one' })).toHaveFocus();
  expect(highlighted()).toBe(1);
  await page.getByRole('radio', { name: 'two' }).click();
  expect(highlighted()).toBe(0);
  expect(focusOn('kind')).toBe(true);
  vi.advanceTimersByTime(2500);
  expect(highlighted()).toBe(0);
});
