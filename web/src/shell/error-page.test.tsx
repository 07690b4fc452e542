import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { reload, reloadOnce } from '../lib/page/reload.ts';
import { renderComponent, useLanguageOfTest } from '../testing/render-page.tsx';

const heading = page.getByRole('heading', { level: 1 });
const missingChunk = 'Failed to fetch dynamically imported module: /assets/inquiry-page.js';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A page that fails with this message. */
async function openFailedPage(message: string) {
  const FailedPage = () => {
    throw new Error(message);
  };
  await renderComponent(<FailedPage />);
}

it('says that a page failed, and loads it again by the button', async () => {
  await openFailedPage('x is undefined');
  await expect.element(heading).toHaveTextContent('تعذر عرض هذه الصفحة');
  expect(reloadOnce).not.toHaveBeenCalled();
  await page.getByRole('button', { name: 'إعادة تحميل الصفحة' }).click();
  await expect.poll(() => reload).toHaveBeenCalledOnce();
});

it('loads the page again automatically when a part of it is missing', async () => {
  await useLanguageOfTest('en-US');
  await openFailedPage(missingChunk);
  await expect.element(heading).toHaveTextContent('There is a newer version of the portal');
  await expect.poll(() => vi.mocked(reloadOnce).mock.calls).toEqual([[missingChunk]]);
});

it('waits for the connection, then loads the page again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await openFailedPage(missingChunk);
  await expect.element(heading).toHaveTextContent('لا يوجد اتصال');
  expect(reloadOnce).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => reload).toHaveBeenCalledOnce();
});
