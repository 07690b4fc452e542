import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { companyRecordOf } from '#testing/people-records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import {
  getCompanyById,
  restoreCompany,
  suspendCompany,
  updateCompany,
} from '@diwan/contract/people/companies';

const record = companyRecordOf();
const main = page.getByRole('main');
const dialog = page.getByRole('dialog');

async function open(changes: Partial<typeof record> = {}) {
  answerCall(getCompanyById, { ...record, ...changes });
  signInAs('Admin');
  await renderPage('/dashboard/companies/5');
  await expect.element(main.getByRole('heading', { level: 1, name: record.name })).toBeVisible();
}

it('shows licence, users and requests, each number with its list', async () => {
  await open();
  await expect.element(main.getByText('CN-1234567')).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: 'Khalid Al Demo' }))
    .toHaveAttribute('href', `/dashboard/users/${record.users[0]?.userId}`);
  await expect
    .element(main.getByRole('link', { name: '4', exact: true }))
    .toHaveAttribute('href', '/requests/all?company=5&figure=open');
});

it('says what a suspension does to open requests, asks for a reason, and ends it again', async () => {
  const sent = answerCall(suspendCompany, () =>
    companyRecordOf({ isSuspended: true, suspendedAt: '2026-11-21T05:00:00.000Z', version: 3 }),
  );
  await open();
  await main.getByRole('button', { name: 'إيقاف الشركة' }).click();
  await expect.element(dialog.getByText(/تبقى طلباتها المفتوحة \(4 طلبات\)/)).toBeVisible();
  const send = dialog.getByRole('button', { name: 'إيقاف الشركة' });
  await send.click();
  await expect.element(dialog.getByText('اكتب السبب')).toBeVisible();
  await dialog.getByRole('textbox').fill('انتهت الرخصة');
  answerCall(getCompanyById, {
    ...record,
    isSuspended: true,
    suspendedAt: '2026-11-21T05:00:00.000Z',
    suspensionReason: 'انتهت الرخصة',
    version: 3,
  });
  await send.click();
  await expect.element(main.getByText(/السبب: .انتهت الرخصة/)).toBeVisible();
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({ companyId: 5, version: 2, reason: 'انتهت الرخصة' });
  const restored = answerCall(restoreCompany, record);
  answerCall(getCompanyById, record);
  await main.getByRole('button', { name: 'إنهاء الإيقاف' }).click();
  await dialog.getByRole('button', { name: 'إنهاء الإيقاف' }).click();
  await expect.element(main.getByRole('button', { name: 'إيقاف الشركة' })).toBeVisible();
  await expect.poll(() => restored[0]?.body).toEqual({ companyId: 5, version: 3 });
});

it('keeps what was typed when the licence is in use, and lets the person choose in a conflict', async () => {
  const sent = answerCall(updateCompany, () => {
    if (sent.length === 1) throw refuse(400, 'LicenceNumberInUse', 'الرقم مستخدم');
    if (sent.length === 2) throw refuse(400, 'RecordHasChanged', 'تغيّر السجل');
    return record;
  });
  await open();
  await main.getByRole('button', { name: 'تعديل البيانات' }).click();
  const licence = dialog.getByRole('textbox', { name: /رقم الرخصة/ });
  await licence.fill('CN-2');
  const save = dialog.getByRole('button', { name: 'حفظ البيانات' });
  await save.click();
  await expect.element(dialog.getByText('الرقم مستخدم')).toBeVisible();
  await expect.element(licence).toHaveValue('CN-2');
  await licence.fill('CN-3');
  answerCall(getCompanyById, {
    ...record,
    details: { ...record.details, licenceNumber: 'CN-9' },
    version: 7,
  });
  await save.click();
  const conflict = dialog.getByRole('status').filter({ hasText: 'CN-9' });
  await conflict.getByRole('button', { name: 'حفظ نسختي' }).click();
  await expect.element(page.getByText('حُفظت بيانات الشركة')).toBeVisible();
  await expect.poll(() => sent[2]?.body).toMatchObject({ version: 7, licenceNumber: 'CN-3' });
});
