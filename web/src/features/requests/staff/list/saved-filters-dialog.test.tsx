import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { requestSummaries, savedFilterRecord, statusRecords } from '#testing/request-records.ts';
import {
  getAllRequestsByStatusId,
  getAllStatuses,
  getRequestsByStatusId,
} from '@diwan/contract/requests/request-lists';
import {
  changeSavedFilter,
  deleteSavedFilter,
  getSavedFilters,
  saveFilter,
} from '@diwan/contract/requests/saved-filters';

const filter = savedFilterRecord();

beforeEach(() => {
  signInAs('Employee');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getRequestsByStatusId, pageOf(requestSummaries(1)));
  answerCall(getAllRequestsByStatusId, pageOf(requestSummaries(1)));
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

it('saves the active filter under a name', async () => {
  answerCall(getSavedFilters, []);
  let isTaken = true;
  const sent = answerCall(saveFilter, () => {
    if (isTaken) throw refuse(409, 'FilterNameTaken', 'لديك تصفية بهذا الاسم');
    return [filter];
  });
  await renderPage('/requests/all?status=9&period=month');
  await button('حفظ هذه التصفية').click();
  const dialog = page.getByRole('dialog', { name: 'حفظ هذه التصفية' });
  const name = dialog.getByRole('textbox', { name: 'اسم التصفية' });
  await dialog.getByRole('button', { name: 'حفظ' }).click();
  await expect.element(name).toHaveFocus();
  await expect.element(dialog.getByText('أدخل اسمًا للتصفية.')).toBeVisible();
  await name.fill(filter.name);
  await dialog.getByRole('button', { name: 'حفظ' }).click();
  await expect.element(dialog.getByText('لديك تصفية بهذا الاسم')).toBeVisible();
  await expect.element(name).toHaveValue(filter.name);
  isTaken = false;
  await dialog.getByRole('checkbox', { name: 'فتح القائمة بهذه التصفية' }).click();
  await dialog.getByRole('button', { name: 'حفظ' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({
      list: 'all',
      name: filter.name,
      choice: filter.choice,
      isDefault: true,
    });
  await expect.element(button(filter.name)).toHaveAttribute('aria-pressed', 'true');
});

it('applies a saved filter and removes it again', async () => {
  answerCall(getSavedFilters, [filter, savedFilterRecord({ list: 'new', name: 'قائمة أخرى' })]);
  const { address } = await renderPage('/requests/all');
  await button(filter.name).click();
  await expect.poll(address).toBe('/requests/all?status=9&period=month');
  await expect.element(button(filter.name)).toHaveAttribute('aria-pressed', 'true');
  await expect.element(button('قائمة أخرى')).not.toBeInTheDocument();
  await button(filter.name).click();
  await expect.element(button(filter.name)).toHaveAttribute('aria-pressed', 'false');
});

it('opens the list with the default filter until it is removed', async () => {
  answerCall(getSavedFilters, [savedFilterRecord({ isDefault: true })]);
  const { address } = await renderPage('/requests/all');
  await expect.poll(address).toBe('/requests/all?status=9&period=month');
  await button('مسح التصفية').click();
  await expect.poll(address).toBe('/requests/all?unfiltered=1');
});

it('renames a filter, makes it the default and deletes it after a question', async () => {
  answerCall(getSavedFilters, [filter]);
  let stored = filter;
  const changed = answerCall(changeSavedFilter, ({ body }) => {
    stored = { ...stored, ...(body as Partial<typeof filter>) };
    return [stored];
  });
  const deleted = answerCall(deleteSavedFilter, []);
  await renderPage('/requests/all');
  await button('إدارة التصفيات').click();
  const dialog = page.getByRole('dialog', { name: 'إدارة التصفيات' });
  await dialog.getByRole('button', { name: `تغيير اسم «${filter.name}»` }).click();
  await dialog.getByRole('textbox', { name: 'اسم التصفية' }).fill('المنجز');
  await userEvent.keyboard('{Enter}');
  const star = dialog.getByRole('button', { name: 'فتح القائمة بتصفية «المنجز»' });
  await star.click();
  await expect.element(star).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => changed.map(({ body }) => body))
    .toEqual([
      { id: filter.id, name: 'المنجز' },
      { id: filter.id, isDefault: true },
    ]);
  await dialog.getByRole('button', { name: /^حذف/ }).click();
  await expect.poll(() => deleted).toEqual([]);
  await dialog.getByRole('button', { name: /^هل تريد حذف/ }).click();
  await expect.element(dialog).toMatchTextContent('لم تعد هناك تصفيات محفوظة لهذه القائمة.');
  await expect.element(dialog.getByRole('button', { name: 'تم' })).toHaveFocus();
  await expect.poll(() => deleted.map(({ body }) => body)).toEqual([{ id: filter.id }]);
});
