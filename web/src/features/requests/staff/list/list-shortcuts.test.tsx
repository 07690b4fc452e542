import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { requestSummaries, statusRecords } from '#testing/request-records.ts';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';

beforeEach(() => {
  signInAs('Employee');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(3)));
});

const linkOf = (number: string) => page.getByRole('link', { name: number });
const box = (number: string) => page.getByRole('checkbox', { name: `تحديد الطلب ${number}` });

/** A key of an Arabic keyboard: the letter is Arabic, the physical key is that of a Latin letter. */
const pressArabic = (key: string, code: string) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }),
  );

it('moves between rows, selects and opens the bulk action by keys', async () => {
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await userEvent.keyboard('j');
  await expect.element(linkOf('DW-2026-000041')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}x');
  await expect.element(linkOf('DW-2026-000042')).toHaveFocus();
  await expect.element(box('DW-2026-000042')).toBeChecked();
  await expect.element(box('DW-2026-000041')).not.toBeChecked();
  await userEvent.keyboard('k');
  await expect.element(linkOf('DW-2026-000041')).toHaveFocus();
  await userEvent.keyboard('e');
  const dialog = page.getByRole('dialog', { name: 'استلام الطلبات' });
  await expect.element(dialog.getByRole('listitem')).toMatchTextContent('DW-2026-000042');
});

it('receives the focused request by a key', async () => {
  const sent = answerCall(receiveRequest, requestRecordOf({ allowedActions: ['release'] }));
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await userEvent.keyboard('je');
  await expect.element(page.getByText('تم الاستلام')).toBeVisible();
  await expect.poll(() => sent.map(({ params }) => params[0])).toEqual(['41']);
});

it('understands the keys of an Arabic keyboard', async () => {
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  pressArabic('ت', 'KeyJ');
  await expect.element(linkOf('DW-2026-000041')).toHaveFocus();
  pressArabic('ء', 'KeyX');
  await expect.element(box('DW-2026-000041')).toBeChecked();
  pressArabic('ظ', 'Slash');
  await expect.element(page.getByRole('textbox', { name: /البحث في الطلبات/ })).toHaveFocus();
});

it('types letters into the search field instead of acting on them', async () => {
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await userEvent.keyboard('/');
  await userEvent.keyboard('jxe');
  const field = page.getByRole('textbox', { name: /البحث في الطلبات/ });
  await expect.element(field).toHaveValue('jxe');
  await expect.element(field).toHaveFocus();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

it('limits the list to requests held by the user by a key', async () => {
  const { address } = await renderPage('/requests/processing');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await userEvent.keyboard('m');
  await expect.poll(address).toBe('/requests/processing?mine=1');
  await expect
    .element(page.getByRole('button', { name: 'إزالة: الطلبات التي في عهدتي' }))
    .toBeVisible();
  await userEvent.keyboard('m');
  await expect.poll(address).toBe('/requests/processing');
});

it('lists the shortcuts and switches them off', async () => {
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await userEvent.keyboard('?');
  const dialog = page.getByRole('dialog', { name: 'اختصارات لوحة المفاتيح' });
  const isOn = dialog.getByRole('checkbox');
  await expect.element(isOn).toBeChecked();
  await isOn.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('x/');
  await expect.element(page.getByRole('textbox', { name: /البحث في الطلبات/ })).not.toHaveFocus();
  await page.getByRole('button', { name: 'اختصارات لوحة المفاتيح' }).click();
  await isOn.click();
  await userEvent.keyboard('{Escape}/');
  await expect.element(page.getByRole('textbox', { name: /البحث في الطلبات/ })).toHaveFocus();
});
