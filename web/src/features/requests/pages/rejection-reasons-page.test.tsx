import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  getAllRejectionReasons,
  saveRejectionReason,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
import { answerCall, refuse } from '../../../testing/answer-calls.ts';
import { renderComponent, signInAs } from '../../../testing/render-page.tsx';
import { reasonRecords } from '../../../testing/request-records.ts';
import { RejectionReasonsPage } from './rejection-reasons-page.tsx';

const reasons: ReasonRecord[] = reasonRecords.map(({ id, names }) => ({
  id,
  names,
  kind: 'correction' as const,
  isRetired: id === 5,
  version: 2,
}));

beforeEach(() => {
  signInAs('Admin');
  answerCall(getAllRejectionReasons, reasons);
});

const button = (name: string) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog');
const save = () => dialog().getByRole('button', { name: 'حفظ' });

it('lists the reasons with their states', async () => {
  await renderComponent(<RejectionReasonsPage />);
  await expect
    .element(page.getByRole('row').filter({ hasText: 'غير مكتمل' }))
    .toMatchTextContent('متاح');
  await expect
    .element(page.getByRole('row').filter({ hasText: 'غير واضح' }))
    .toMatchTextContent('موقوف');
});

it('adds a reason in three languages', async () => {
  const sent = answerCall(saveRejectionReason, reasons);
  await renderComponent(<RejectionReasonsPage />);
  await button('إضافة سبب').click();
  await dialog().getByRole('radio', { name: 'إضافة غرامة' }).click();
  await dialog().getByRole('textbox', { name: 'العربية' }).fill('منتهي الصلاحية');
  await save().click();
  const english = dialog().getByRole('textbox', { name: 'English' });
  await expect.element(english).toHaveFocus();
  await expect.element(english).toBeInvalid();
  await english.fill('Expired');
  await dialog().getByRole('textbox', { name: 'اردو' }).fill('میعاد ختم');
  await save().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([
    { kind: 'fine', nameAr: 'منتهي الصلاحية', nameEn: 'Expired', nameUr: 'میعاد ختم' },
  ]);
});

it('retires a reason, and does not lose the input after a conflict', async () => {
  let isChanged = true;
  const sent = answerCall(saveRejectionReason, () => {
    if (isChanged) throw refuse(409, 'ReasonHasChanged', 'تم تعديل هذا السبب بعد أن فتحته');
    return reasons;
  });
  await renderComponent(<RejectionReasonsPage />);
  await button('تعديل: غير مكتمل').click();
  await dialog().getByRole('textbox', { name: 'English' }).fill('Not complete');
  await dialog()
    .getByRole('checkbox', { name: /إيقاف السبب/ })
    .click();
  await save().click();
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent('تم تعديل هذا السبب بعد أن فتحته');
  await expect
    .element(dialog().getByRole('textbox', { name: 'English' }))
    .toHaveValue('Not complete');
  isChanged = false;
  await save().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(sent.at(-1)?.body).toEqual({
    id: 4,
    version: 2,
    isRetired: true,
    nameAr: 'غير مكتمل',
    nameEn: 'Not complete',
    nameUr: 'نامکمل',
  });
});
