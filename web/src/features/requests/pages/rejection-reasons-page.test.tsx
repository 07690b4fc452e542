import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse, refuseFields } from '#testing/answer-calls.ts';
import { renderComponent, renderPage, signInAs } from '#testing/render-page.tsx';
import { reasonRecords } from '#testing/request-records.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getChanges } from '@diwan/contract/people/changes';
import {
  addUsualReasons,
  getAllRejectionReasons,
  getUsualReasons,
  saveRejectionReason,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
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
  answerCall(getManagedAgencies, []);
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
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ kind: 'fine', nameAr: 'منتهي الصلاحية', nameEn: 'Expired', nameUr: 'میعاد ختم' }]);
});

it('retires a reason; after a conflict both versions are shown, and the user can save theirs', async () => {
  let isChanged = true;
  const sent = answerCall(saveRejectionReason, () => {
    if (isChanged) throw refuse(400, 'RecordHasChanged', 'عدّل شخص آخر هذا السجل');
    return reasons;
  });
  await renderComponent(<RejectionReasonsPage />);
  await button('تعديل: غير مكتمل').click();
  await dialog().getByRole('textbox', { name: 'English' }).fill('Not complete');
  await dialog()
    .getByRole('checkbox', { name: /إيقاف السبب/ })
    .click();
  answerCall(
    getAllRejectionReasons,
    reasons.map((reason) =>
      reason.id === 4
        ? { ...reason, version: 3, names: { ...reason.names, 'en-US': 'Parts are missing' } }
        : reason,
    ),
  );
  await save().click();
  const conflict = dialog().getByRole('status').filter({ hasText: 'Parts are missing' });
  await expect.element(conflict).toMatchTextContent('Not complete');
  await expect
    .element(dialog().getByRole('textbox', { name: 'English' }))
    .toHaveValue('Not complete');
  isChanged = false;
  await conflict.getByRole('button', { name: 'حفظ نسختي' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({
      id: 4,
      version: 3,
      isRetired: true,
      nameAr: 'غير مكتمل',
      nameEn: 'Not complete',
      nameUr: 'نامکمل',
    });
});

it('takes the saved version into the form, warns about a copied text and shows the history', async () => {
  answerCall(saveRejectionReason, () => {
    throw refuse(400, 'RecordHasChanged', 'عدّل شخص آخر هذا السجل');
  });
  answerCall(getChanges, {
    items: [
      {
        id: 1,
        at: '2026-11-20T08:00:00.000Z',
        entity: 'rejectionReason',
        entityId: '4',
        action: 'changed',
        fullName: 'Mona Al Demo',
        address: '192.0.2.7',
        fields: [{ field: 'name', language: 'en-US', before: 'Old', after: 'Incomplete' }],
      },
    ],
    pageNumber: 1,
    totalCount: 1,
  });
  await renderComponent(<RejectionReasonsPage />);
  await button('تعديل: غير مكتمل').click();
  await dialog().getByText('عرض سجل التعديلات').click();
  await expect.element(dialog().getByText('Mona Al Demo')).toBeVisible();
  await expect.element(dialog().getByText('Old')).toBeVisible();
  await dialog().getByRole('textbox', { name: 'English' }).fill('Not complete');
  await dialog().getByRole('textbox', { name: 'اردو' }).fill('Not complete');
  await expect.element(dialog().getByText('هذا النص مطابق للنص الإنجليزي.')).toBeVisible();
  await save().click();
  await dialog().getByRole('button', { name: 'استخدام النسخة المحفوظة' }).click();
  await expect.element(dialog().getByRole('textbox', { name: 'اردو' })).toHaveValue('نامکمل');
});

it('offers the usual reasons of an empty list, and adds the chosen ones', async () => {
  const name = (text: string) => ({ 'ar-EG': `${text} ع`, 'en-US': text, 'ur-PK': `${text} ا` });
  answerCall(getAllRejectionReasons, []);
  answerCall(getUsualReasons, [
    { key: 0, kind: 'correction', name: name('Missing'), isThere: false },
    { key: 1, kind: 'fine', name: name('Late'), isThere: false },
    { key: 2, kind: 'fee', name: name('Known'), isThere: true },
  ]);
  const sent = answerCall(addUsualReasons, []);
  await renderComponent(<RejectionReasonsPage />);
  await button('إضافة الشائع منها').last().click();
  await expect.element(dialog().getByText('Missing', { exact: true })).toBeVisible();
  expect(dialog().getByText('Known ع').elements()).toEqual([]);
  await dialog().getByRole('checkbox', { name: /Late/ }).click();
  await dialog().getByRole('button', { name: 'إضافة 1' }).click();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ keys: [0] }]);
});

it('opens the usual reasons by its address, as the first steps link to them', async () => {
  answerCall(getAllRejectionReasons, []);
  answerCall(getUsualReasons, []);
  await renderPage('/dashboard/rejectionReasons?add=usual');
  await expect.element(dialog().getByRole('heading', { name: 'إضافة الشائع منها' })).toBeVisible();
});

it('an administrator of agencies chooses one of theirs for a new reason', async () => {
  signInAs('AgencyAdmin');
  const agency = { id: 8, name: 'شرطة دبي' };
  answerCall(getAllRejectionReasons, [{ ...reasons[0]!, agency }]);
  answerCall(getManagedAgencies, [
    { id: 7, name: 'هيئة الطرق والمواصلات', logo: '/a.svg' },
    { ...agency, logo: '/b.svg' },
  ]);
  const sent = answerCall(saveRejectionReason, ({ body }) => {
    if (!('agencyId' in (body as object))) throw refuseFields({ agencyId: ['اختر جهة تديرها'] });
    return reasons;
  });
  await renderComponent(<RejectionReasonsPage />);
  await expect.element(page.getByText(/لطلبات جهتك/)).toBeVisible();
  await expect
    .element(page.getByRole('row').filter({ hasText: 'غير مكتمل' }))
    .toMatchTextContent('شرطة دبي');
  await expect.element(button('إضافة الأسباب المعتادة')).not.toBeInTheDocument();
  await button('إضافة سبب').click();
  await dialog().getByRole('textbox', { name: 'العربية' }).fill('منتهي');
  await dialog().getByRole('textbox', { name: 'English' }).fill('Expired');
  await dialog().getByRole('textbox', { name: 'اردو' }).fill('ختم');
  await save().click();
  await expect.element(dialog().getByText('اختر جهة تديرها')).toBeVisible();
  const agencies = dialog().getByRole('combobox', { name: /الجهة/ });
  await agencies.fill('شرطة');
  await userEvent.keyboard('{ArrowDown}');
  await page.getByRole('option', { name: 'شرطة دبي' }).click();
  await save().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ agencyId: 8, nameEn: 'Expired' });
});
