import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { partnerRecordOf } from '#testing/people-records.ts';
import { namesOf, renderPage, signInAs } from '#testing/render-page.tsx';
import {
  changePartnerState,
  downloadPartnerDocument,
  getPartnerById,
} from '@diwan/contract/people/partner-registration';
import { addSupervisor, removeSupervisor, updatePartner } from '@diwan/contract/people/partners';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';

const record = partnerRecordOf();
const main = page.getByRole('main');
const dialog = page.getByRole('dialog');

beforeEach(() => {
  answerCall(getPartnerById, record);
  answerCall(getRoleConfirmation, { isRequired: false, adminsCount: 2, pending: [] });
});

async function open(changes: Partial<typeof record> = {}) {
  answerCall(getPartnerById, { ...record, ...changes });
  signInAs('Admin');
  const screen = await renderPage('/dashboard/service-providers/9');
  await expect.element(main.getByRole('heading', { level: 1, name: record.name })).toBeVisible();
  return screen;
}

it('shows a skeleton, an error and the record after another try', async () => {
  const { reply, release } = holdReply<never>();
  answerCall(getPartnerById, () => reply);
  signInAs('Admin');
  const first = await renderPage('/dashboard/service-providers/9');
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  await first.unmount();
  release(undefined as never);
  answerCall(getPartnerById, noConnection);
  await renderPage('/dashboard/service-providers/9');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  answerCall(getPartnerById, record);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('CN-7654321')).toBeVisible();
});

it.each(['/dashboard/service-providers/0', '/dashboard/service-providers/x'])(
  'shows %s as unknown',
  async (path) => {
    signInAs('Admin');
    const { address } = await renderPage(path);
    await expect.poll(address).toBe('/not-found');
  },
);

it('shows the details, the documents, the history and the possible decisions', async () => {
  await open();
  for (const text of ['Gulf Services Centre', 'گلف سروسز سینٹر', 'بدأ التحقق', 'تم التسجيل'])
    await expect.element(main.getByText(text)).toBeVisible();
  expect(namesOf(main.getByRole('group', { name: 'القرارات' }).getByRole('button'))).toEqual([
    'قبول',
    'طلب تعديل',
    'رفض',
  ]);
});

it('explains a document that cannot be downloaded', async () => {
  answerCall(downloadPartnerDocument, () => {
    throw refuse(400, 'AttachmentBeingScanned', 'ما زال الفحص جاريًا');
  });
  await open();
  await main.getByRole('button', { name: /تنزيل: الرخصة التجارية licence\.pdf/ }).click();
  await expect.element(main.getByText('ما زال الفحص جاريًا')).toBeVisible();
});

it('accepts once, and shows the new state', async () => {
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(changePartnerState, () => reply);
  await open();
  const opener = main.getByRole('button', { name: 'قبول' });
  await opener.click();
  await expect.element(dialog).toHaveAccessibleName('هل تريد قبول مزود الخدمة وتفعيله؟');
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await dialog.getByRole('button', { name: 'القبول والتفعيل' }).dblClick();
  release({ ...record, state: 'active', allowedActions: ['suspend'], version: 4 });
  await expect.element(page.getByText('تم تفعيل مزود الخدمة')).toBeVisible();
  await expect.element(main.getByText('مفعّل')).toBeVisible();
  await expect.element(main.getByRole('button', { name: 'إيقاف' })).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ partnerId: 9, action: 'accept', version: 3, reasons: [] }]);
});

it('asks for a reason and for all languages of a message, and keeps both', async () => {
  const sent = answerCall(changePartnerState, () => {
    if (sent.length === 1) throw refuse(400, 'ProviderHasChanged', 'تغيّر السجل');
    return partnerRecordOf({ state: 'needsDocuments', allowedActions: ['refuse'] });
  });
  await open();
  await main.getByRole('button', { name: 'طلب تعديل' }).click();
  const send = dialog.getByRole('button', { name: 'إرسال طلب التعديل' });
  await send.click();
  await expect.element(dialog.getByText('اختر سببًا واحدًا على الأقل.')).toBeVisible();
  const reason = dialog.getByRole('checkbox', { name: 'خطاب التفويض غير موقّع' });
  await expect.element(reason).toHaveFocus();
  await reason.click({ force: true });
  await expect.element(dialog.getByText('اختر سببًا واحدًا على الأقل.')).not.toBeInTheDocument();
  const [arabic, english, urdu] = [0, 1, 2].map((index) => dialog.getByRole('textbox').nth(index));
  await arabic?.fill('وقّعوا الخطاب');
  await send.click();
  await expect.element(dialog.getByRole('textbox').nth(1)).toBeInvalid();
  await expect.poll(() => sent).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await main.getByRole('button', { name: 'طلب تعديل' }).click();
  await expect.element(reason).toBeChecked();
  await expect.element(dialog.getByRole('textbox').nth(0)).toHaveValue('وقّعوا الخطاب');
  await english?.fill('Sign the letter');
  await urdu?.fill('خط پر دستخط کریں');
  answerCall(getPartnerById, { ...record, version: 4 });
  await send.click();
  await expect.element(dialog.getByRole('alert').getByText('تغيّر السجل')).toBeVisible();
  await expect.element(dialog.getByRole('textbox').nth(1)).toHaveValue('Sign the letter');
  await send.click();
  await expect.element(page.getByText('طُلب التعديل من مزود الخدمة')).toBeVisible();
  await expect
    .poll(() => sent[1]?.body)
    .toEqual({
      partnerId: 9,
      action: 'askAgain',
      version: 4,
      reasons: ['letterNotSigned'],
      messageAr: 'وقّعوا الخطاب',
      messageEn: 'Sign the letter',
      messageUr: 'خط پر دستخط کریں',
    });
});

it('warns of open requests before a suspension', async () => {
  await open({ state: 'active', allowedActions: ['suspend'] });
  await main.getByRole('button', { name: 'إيقاف' }).click();
  await expect.element(dialog.getByText(/لدى مزود الخدمة 3 طلبات مفتوحة/)).toBeVisible();
});

it('adds a supervisor: a missing and an unknown username, then once', async () => {
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(addSupervisor, () => {
    if (sent.length === 1) throw refuse(400, 'UsernameNotFound', 'لا يوجد حساب');
    return reply;
  });
  await open();
  const opener = main.getByRole('button', { name: 'إضافة مشرف' });
  await opener.click();
  await expect.element(dialog).toHaveAccessibleName('إضافة مشرف');
  const username = dialog.getByRole('textbox');
  const send = dialog.getByRole('button', { name: 'إضافة' });
  await send.click();
  await expect.element(username).toHaveAccessibleDescription(/^أدخل /);
  await username.fill('nobody');
  await send.click();
  await expect.element(username).toHaveAccessibleDescription('لا يوجد حساب');
  await expect.element(username).toHaveValue('nobody');
  await username.fill('hessa');
  await expect.element(username).toHaveAccessibleDescription('');
  await send.dblClick();
  release(record);
  await expect.element(page.getByText('أُضيف المشرف')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { partnerId: 9, username: 'nobody' },
      { partnerId: 9, username: 'hessa' },
    ]);
});

it('removes a supervisor after a refusal, once', async () => {
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(removeSupervisor, () => {
    if (sent.length === 1) throw refuse(400, 'ProviderNeedsSupervisor', 'يلزم مشرف نشط');
    return reply;
  });
  await open();
  await main.getByRole('button', { name: 'إزالة Yousef Al Demo' }).click();
  await expect.element(dialog).toHaveAccessibleName('هل تريد إزالة هذا المشرف؟');
  const confirm = dialog.getByRole('button', { name: 'إزالة المشرف' });
  await confirm.click();
  await expect.element(dialog.getByRole('alert').getByText('يلزم مشرف نشط')).toBeVisible();
  await confirm.dblClick();
  release({ ...record, supervisors: record.supervisors.slice(0, 1) });
  await expect.element(page.getByText('أُزيل المشرف')).toBeVisible();
  await expect.element(main.getByText('لا يمكن إزالة المشرف النشط الوحيد.')).toBeVisible();
  expect(main.getByRole('button', { name: /^إزالة/ }).elements()).toEqual([]);
  await expect.poll(() => sent).toHaveLength(2);
});

it('changes the names in three languages, and lets the person choose in a conflict', async () => {
  const sent = answerCall(updatePartner, () => {
    if (sent.length === 1) throw refuse(400, 'RecordHasChanged', 'تغيّر السجل');
    return { ...record, name: 'مركز جديد' };
  });
  await open();
  await main.getByRole('button', { name: 'تعديل الأسماء' }).click();
  const save = dialog.getByRole('button', { name: 'حفظ الأسماء' });
  const english = dialog.getByRole('textbox', { name: 'English' });
  await english.fill(' ');
  await save.click();
  await expect.element(english).toHaveFocus();
  await expect.element(english).toBeInvalid();
  await english.fill('Mine');
  answerCall(getPartnerById, {
    ...record,
    version: 4,
    names: { ...record.names, 'en-US': 'Theirs' },
  });
  await save.click();
  const conflict = dialog.getByRole('status').filter({ hasText: 'Theirs' });
  await expect.element(conflict.getByText('Mine')).toBeVisible();
  await conflict.getByRole('button', { name: 'حفظ نسختي' }).click();
  await expect.element(page.getByText('حُفظت الأسماء')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([
      { partnerId: 9, version: 3, name: { 'en-US': 'Mine' } },
      { partnerId: 9, version: 4, name: { 'en-US': 'Mine' } },
    ]);
});

it('shows supervisors who wait for a second administrator', async () => {
  await open({
    pendingSupervisors: [
      {
        id: '5f0f3c1e-9f5b-4f56-9ac5-111111111111',
        fullName: 'Noura Waiting',
        isAdded: true,
        askedBy: 'Omar Al Demo',
        askedAt: '2026-11-20T06:00:00.000Z',
      },
    ],
  });
  await expect.element(main.getByText('Noura Waiting')).toBeVisible();
  await expect.element(main.getByText(/تنتظر الإضافة تأكيد مدير نظام آخر/)).toBeVisible();
});

it.each([
  { isRequired: true, text: 'يسري التغيير بعد أن يؤكده مدير نظام آخر.' },
  { isRequired: false, text: 'يسري التغيير فورًا.' },
])('says when a change of supervisors takes effect: $isRequired', async ({ isRequired, text }) => {
  answerCall(getRoleConfirmation, { isRequired, adminsCount: 2, pending: [] });
  await open();
  for (const opener of ['إضافة مشرف', 'إزالة Yousef Al Demo']) {
    await main.getByRole('button', { name: opener }).click();
    await expect.element(dialog.getByText(text)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  }
});
