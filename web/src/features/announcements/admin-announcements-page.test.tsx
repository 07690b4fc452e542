import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  agencyRecords,
  categoryRecords,
  pageOf,
  serviceSummaryRecord,
} from '#testing/admin-records.ts';
import { answerCall, noConnection, refuse, refuseFields } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import {
  closeService,
  getClosableServices,
  getServiceClosures,
  openService,
  openServices,
  type ServiceClosure,
} from '@diwan/contract/catalogue/closures';
import {
  getService,
  getServiceNameByServiceId,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import {
  getAllAnnouncements,
  getAnnouncements,
  saveAnnouncement,
  type AnnouncementRecord,
} from '@diwan/contract/content/announcements';
import { getChanges } from '@diwan/contract/people/changes';

const text = (arabic: string) => ({ 'ar-EG': arabic, 'en-US': 'In English', 'ur-PK': 'اردو میں' });
const record: AnnouncementRecord = {
  id: 5,
  version: 2,
  kind: 'maintenance',
  severity: 'warning',
  title: text('صيانة ليلية'),
  text: text('تتوقف الخدمات ساعة واحدة.'),
  audience: { of: 'roles', names: ['Employee'] },
  isDismissible: true,
  from: '2026-11-25T18:00:00.000Z',
  until: '2026-11-25T19:00:00.000Z',
  state: 'planned',
};
const closure: ServiceClosure = {
  serviceId: 7,
  serviceName: 'تجديد ملكية مركبة',
  agencyName: 'هيئة الطرق',
  reason: text('تحديث النظام'),
  from: '2026-11-25T18:00:00.000Z',
  version: 3,
};

beforeEach(() => {
  signInAs('Admin');
  answerCall(getAllAnnouncements, [record]);
  answerCall(getAnnouncements, []);
  answerCall(getChanges, pageOf([]));
  answerCall(getServiceClosures, [closure]);
  answerCall(serviceSearch, [serviceSummaryRecord()]);
  answerCall(getServiceNameByServiceId, { name: 'تجديد ملكية مركبة' } as never);
});
const button = (name: string) => page.getByRole('button', { name, exact: true });
const box = (group: string, language: string) =>
  page.getByRole('group', { name: group }).getByRole('textbox', { name: language });
async function fillTexts(group: string, values: Record<string, string>) {
  for (const [language, value] of Object.entries(values)) await box(group, language).fill(value);
}
const all = (word: string) => ({ العربية: `${word} عربي`, English: word, اردو: `${word} اردو` });
const open = (search = '') => renderPage(`/dashboard/announcements${search}`);

describe('announcements', () => {
  it('are listed with state, audience and time, and open by their title', async () => {
    await open();
    const row = page.getByRole('row').filter({ hasText: 'صيانة ليلية' });
    await expect.element(row).toMatchTextContent(/مجدول.*صيانة.*تنبيه.*دور/);
    await page.getByRole('link', { name: 'تعديل الإعلان: صيانة ليلية' }).click();
    await expect.element(box('العنوان', 'العربية')).toHaveValue('صيانة ليلية');
    await expect.element(page.getByRole('checkbox', { name: 'الموظفون' })).toBeChecked();
    // 18:00 UTC is 22:00 in Dubai.
    await expect
      .element(page.getByLabelText('من (بتوقيت الإمارات)'))
      .toHaveValue('2026-11-25T22:00');
  });

  it('name what is missing, show a preview in three languages, and are published', async () => {
    const sent = answerCall(saveAnnouncement, { ...record, state: 'shown' });
    await open('?edit=new');
    await button('نشر الإعلان').click();
    await expect.element(box('العنوان', 'العربية')).toHaveFocus();
    await expect.element(page.getByText('يجب ملء هذا الحقل بجميع اللغات').first()).toBeVisible();
    await fillTexts('العنوان', all('Holiday'));
    await fillTexts('النص', all('Closed on Friday'));
    await expect.element(page.getByText('Closed on Friday', { exact: true }).last()).toBeVisible();
    await page.getByLabelText('من (بتوقيت الإمارات)').fill('2026-12-01T08:00');
    await page.getByLabelText(/^حتى/).fill('2026-12-03T08:00');
    await button('نشر الإعلان').click();
    await expect.element(page.getByRole('tab', { name: 'الإعلانات' })).toBeVisible();
    await expect
      .poll(() => sent.map(({ body }) => body))
      .toMatchObject([
        {
          title: { 'en-US': 'Holiday', 'ur-PK': 'Holiday اردو' },
          audience: { of: 'everybody' },
          from: '2026-12-01T08:00',
          until: '2026-12-03T08:00',
        },
      ]);
  });

  it('say at the field that they end before they begin, and keep everything without connection', async () => {
    let failure: () => never = () => {
      throw refuseFields({ until: ['ينتهي قبل أن يبدأ'] });
    };
    answerCall(saveAnnouncement, () => failure());
    await open('?edit=5');
    const until = page.getByLabelText(/^حتى/);
    await until.fill('2026-11-01T08:00');
    await button('حفظ التغييرات').click();
    await expect.element(until).toBeInvalid();
    await expect.element(until).toHaveFocus();
    failure = noConnection;
    await button('حفظ التغييرات').click();
    await expect.element(page.getByRole('alert').first()).toBeVisible();
    await expect.element(until).toHaveValue('2026-11-01T08:00');
  });

  it('show what another admin changed meanwhile, and the second one chooses', async () => {
    const sent = answerCall(saveAnnouncement, ({ body }) => {
      if ((body as { version: number }).version === 2) throw refuse(409, 'RecordHasChanged');
      return { ...record, version: 4 };
    });
    await open('?edit=5');
    await box('العنوان', 'English').fill('Mine');
    const theirs = { ...record, version: 3, title: { ...record.title, 'en-US': 'Theirs' } };
    answerCall(getAllAnnouncements, [theirs]);
    await button('حفظ التغييرات').click();
    await expect.element(page.getByText('Theirs')).toBeVisible();
    await expect.element(box('العنوان', 'English')).toHaveValue('Mine');
    await button('حفظ نسختي').click();
    await expect
      .poll(() => sent.map(({ body }) => (body as { version: number }).version))
      .toEqual([2, 3]);
  });

  it('keep what was typed and not saved while another page is open, and say so', async () => {
    const asksBeforeClosing = () =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const { router } = await open();
    const edit = page.getByRole('link', { name: 'تعديل الإعلان: صيانة ليلية' });
    await edit.click();
    await expect.element(box('العنوان', 'English')).toHaveValue('In English');
    expect(asksBeforeClosing()).toBe(false);
    await box('العنوان', 'English').fill('Mine');
    expect(asksBeforeClosing()).toBe(true);
    await router.navigate(-1);
    await expect.element(page.getByText(/لم تُحفظ تغييراتك/).first()).toBeVisible();
    expect(asksBeforeClosing()).toBe(false);
    await edit.click();
    await expect.element(box('العنوان', 'English')).toHaveValue('Mine');
    await expect.element(page.getByText(/لم تُحفظ هذه التغييرات/)).toBeVisible();
    await button('تجاهل التغييرات').click();
    await expect.element(box('العنوان', 'English')).toHaveValue('In English');
    await expect.element(button('تجاهل التغييرات')).not.toBeInTheDocument();
    await box('العنوان', 'English').fill('Mine again');
    await router.navigate('/dashboard/announcements');
    await edit.click();
    answerCall(saveAnnouncement, record);
    await button('حفظ التغييرات').click();
    await edit.click();
    // It is saved, so the record is shown.
    await expect.element(box('العنوان', 'English')).toHaveValue('In English');
  });

  it('are withdrawn and shown again', async () => {
    const sent = answerCall(saveAnnouncement, { ...record, state: 'withdrawn' });
    await open('?edit=5');
    await button('سحب الإعلان').click();
    await expect.element(page.getByText('تم سحب الإعلان').first()).toBeVisible();
    await expect.poll(() => sent[0]?.body).toMatchObject({ id: 5, version: 2, isWithdrawn: true });
  });
});

describe('closed services', () => {
  const dialog = page.getByRole('dialog');

  it('are listed with their reason, and opened after a question', async () => {
    const opened = answerCall(openService, { serviceId: 7 });
    await open('?tab=closures');
    const row = page.getByRole('row').filter({ hasText: 'تجديد ملكية مركبة' });
    await expect.element(row).toMatchTextContent(/هيئة الطرق.*تحديث النظام.*إلى أن تُفتح/);
    await button('فتح الخدمة الآن: تجديد ملكية مركبة').click();
    answerCall(getServiceClosures, []);
    await dialog.getByRole('button', { name: 'فتح الخدمة الآن' }).click();
    await expect.element(page.getByText('جميع الخدمات مفتوحة')).toBeVisible();
    await expect.poll(() => opened.map(({ body }) => body)).toEqual([{ serviceId: 7, version: 3 }]);
  });

  it('close by agency, category and name after a preview, and leave single ones out', async () => {
    answerCall(getManagedAgencies, agencyRecords);
    answerCall(getAllServiceCategory, categoryRecords);
    const asked = answerCall(getClosableServices, {
      open: [
        { serviceId: 1, serviceName: 'خدمة أولى' },
        { serviceId: 2, serviceName: 'خدمة ثانية' },
      ],
      closed: [
        { serviceId: 3, serviceName: 'خدمة ثالثة' },
        { serviceId: 4, serviceName: 'خدمة رابعة' },
      ],
    });
    const sent = answerCall(openServices, { opened: 1 });
    await open('?tab=closures');
    await button('فتح عدة خدمات').click();
    const submit = dialog.getByRole('button', { name: 'فتح عدة خدمات' });
    // Without a value everything would be chosen.
    await submit.click();
    await expect.element(dialog.getByText(/اختر جهة أو فئة/)).toBeVisible();
    expect([asked, sent]).toEqual([[], []]);
    await dialog.getByRole('combobox').fill(agencyRecords[0]!.name);
    await page.getByRole('option').first().click();
    await dialog.getByRole('textbox', { name: /جزء من الاسم/ }).fill(' خدمة ');
    await expect.element(dialog.getByText('ستُفتح خدمتان')).toBeVisible();
    expect(Object.fromEntries(asked.at(-1)?.query ?? [])).toMatchObject({
      AgencyId: String(agencyRecords[0]!.id),
      Name: 'خدمة',
    });
    await dialog.getByRole('checkbox', { name: 'خدمة رابعة' }).click();
    await expect.element(dialog.getByText('ستُفتح خدمة واحدة')).toBeVisible();
    await submit.click();
    await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ serviceIds: [3] }]);
  });

  it('need a service and a reason in every language', async () => {
    answerCall(getServiceClosures, []);
    answerCall(getService, {} as never);
    const sent = answerCall(closeService, { version: 1 });
    await open('?tab=closures');
    await button('إغلاق خدمة').click();
    const submit = dialog.getByRole('button', { name: 'إغلاق الخدمة' });
    await submit.click();
    await expect.element(dialog.getByText('يجب اختيار عنصر واحد على الأقل')).toBeVisible();
    for (const language of ['العربية', 'English', 'اردو'])
      // The list of services is open, which hides the other fields from assistive technology.
      await expect
        .element(dialog.getByRole('textbox', { name: language, includeHidden: true }))
        .toBeInvalid();
    await dialog.getByRole('combobox', { name: 'الخدمة' }).fill('تجديد');
    await page.getByRole('option', { name: 'تجديد ملكية مركبة' }).click();
    await fillTexts('السبب', all('Upgrade'));
    await dialog.getByLabelText('من (بتوقيت الإمارات)').fill('2026-12-01T08:00');
    await submit.click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect
      .poll(() => sent.map(({ body }) => body))
      .toEqual([
        {
          serviceId: 7,
          reason: { 'ar-EG': 'Upgrade عربي', 'en-US': 'Upgrade', 'ur-PK': 'Upgrade اردو' },
          from: '2026-12-01T08:00',
        },
      ]);
  });

  it('show what another admin changed meanwhile, and the second one chooses', async () => {
    const sent = answerCall(closeService, ({ body }) => {
      if ((body as { version: number }).version === 3) throw refuse(409, 'RecordHasChanged');
      return { version: 5 };
    });
    await open('?tab=closures');
    await button('تعديل إغلاق الخدمة: تجديد ملكية مركبة').click();
    await box('السبب', 'English').fill('My reason');
    const theirs = { ...closure.reason, 'en-US': 'Their reason' };
    const read = answerCall(getServiceClosures, [{ ...closure, version: 4, reason: theirs }]);
    await dialog.getByRole('button', { name: 'حفظ التغييرات' }).click();
    await expect.element(dialog.getByText('Their reason')).toBeVisible();
    expect(read).toHaveLength(1);
    await expect.element(box('السبب', 'English')).toHaveValue('My reason');
    await dialog.getByRole('button', { name: 'حفظ نسختي' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect
      .poll(() => sent.map(({ body }) => body))
      .toMatchObject([{ version: 3 }, { version: 4, reason: { 'en-US': 'My reason' } }]);
  });
});
