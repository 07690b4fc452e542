import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { agencyRecords, figuresRecord, serviceSummaries } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { partnerRecordOf, profileRecord } from '#testing/people-records.ts';
import { namesOf, renderPage, signInAs, tokenOf } from '#testing/render-page.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getOwnPartnerRecord, resubmitPartner } from '@diwan/contract/people/partner-registration';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import { getOwnPartner } from '@diwan/contract/people/partners';
import { getProfile, refreshToken } from '@diwan/contract/people/users';
import { getRequestFigures } from '@diwan/contract/requests/reports';

const path = '/partner/profile';
const main = page.getByRole('main');

beforeEach(() => {
  answerCall(getProfile, profileRecord({ roles: ['ServiceProvider'] }));
  answerCall(getRequestFigures, figuresRecord());
  answerCall(governmentAgencyCollection, agencyRecords);
  answerCall(getOwnPartner, {
    id: 9,
    name: 'مركز الخليج للخدمات',
    agencies: agencyRecords,
    services: serviceSummaries(12),
  });
});

async function open(record = partnerRecordOf({ allowedActions: [] })) {
  answerCall(getOwnPartnerRecord, record);
  const restriction = record.state === 'suspended' ? ('suspended' as const) : ('inactive' as const);
  const claims = { partnerId: 9, ...(record.state === 'active' ? {} : { restriction }) };
  // The page asks whether the restriction has ended.
  answerCall(refreshToken, () => tokenOf('ServiceProvider', claims));
  signInAs('ServiceProvider', claims);
  return renderPage(path);
}

it('shows a skeleton, an error, and the state after another try', async () => {
  const { reply, release } = holdReply<never>();
  answerCall(getOwnPartnerRecord, () => reply);
  signInAs('ServiceProvider');
  const first = await renderPage(path);
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  await first.unmount();
  release(undefined as never);
  answerCall(getOwnPartnerRecord, noConnection);
  await renderPage(path);
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  answerCall(getOwnPartnerRecord, partnerRecordOf({ state: 'active' }));
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('الجهات التي تعمل لها')).toBeVisible();
});

it.each<[PartnerState, string]>([
  ['registered', 'استلمنا طلب تسجيلك'],
  ['verifying', 'نتحقق من مستنداتك'],
  ['needsDocuments', 'نحتاج إلى تعديل من جانبك'],
  ['refused', 'رُفض تسجيلك'],
  ['suspended', 'حسابك موقوف'],
])('explains the state %s with its reasons', async (state, title) => {
  const [first] = partnerRecordOf().history;
  if (!first) throw new Error('The record has a history');
  await open(
    partnerRecordOf({
      state,
      allowedActions: [],
      history: [{ ...first, state, reasons: ['الرخصة منتهية'], message: 'أرسلوا رخصة سارية' }],
    }),
  );
  await expect.element(main.getByText(title)).toBeVisible();
  await expect.element(main.getByText('الرخصة منتهية').first()).toBeVisible();
  await expect.element(main.getByText('أرسلوا رخصة سارية').first()).toBeVisible();
  // Other links would lead back here.
  const links = page.getByRole('navigation', { name: 'القائمة الرئيسية' }).getByRole('link');
  await expect.poll(() => namesOf(links)).toEqual(['ملف مزود الخدمة']);
});

it('sends corrections with what was submitted before, and keeps them after a refusal', async () => {
  const record = partnerRecordOf({ state: 'needsDocuments', allowedActions: ['resubmit'] });
  const { reply, release } = holdReply<typeof record>();
  const sent = answerCall(resubmitPartner, () => {
    if (sent.length === 1) throw refuse(400, 'LicenceNumberInUse', 'الرخصة مسجلة');
    return reply;
  });
  await open(record);
  const licence = main.getByLabelText('رقم الرخصة التجارية');
  await expect.element(licence).toHaveValue('CN-7654321');
  await expect.element(main.getByRole('checkbox', { name: agencyRecords[0]?.name })).toBeChecked();
  await licence.fill('');
  const send = main.getByRole('button', { name: 'إرسال التعديل' });
  await send.click();
  await expect.element(licence).toHaveAccessibleDescription(/أدخل /);
  await licence.fill('CN-1');
  await send.click();
  await expect.element(licence).toHaveAccessibleDescription(/الرخصة مسجلة/);
  await licence.fill('CN-2');
  await send.dblClick();
  release({ ...record, state: 'verifying', allowedActions: [] });
  await expect.element(main.getByText('نتحقق من مستنداتك')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => (body as { licenceNumber: string }).licenceNumber))
    .toEqual(['CN-1', 'CN-2']);
});

it('shows the work of an active provider: figures, agencies and services with a search', async () => {
  await open(partnerRecordOf({ state: 'active' }));
  await expect.element(main.getByText('خدمة رقم 10')).toBeVisible();
  expect(main.getByText('خدمة رقم 11').elements()).toEqual([]);
  await main.getByRole('button', { name: 'الصفحة 2' }).click();
  await expect.element(main.getByText('خدمة رقم 12')).toBeVisible();
  const search = main.getByRole('textbox');
  await search.fill('رقم 7');
  await expect.element(main.getByText('خدمة رقم 7')).toBeVisible();
  await expect.element(main.getByText('خدمة رقم 12')).not.toBeInTheDocument();
  await search.fill('لا شيء');
  await expect.element(main.getByText('لا توجد خدمة تطابق هذا النص.')).toBeVisible();
});

it('renews a token that still restricts an active provider', async () => {
  const renewed = answerCall(refreshToken, () => tokenOf('ServiceProvider', { partnerId: 9 }));
  answerCall(getOwnPartnerRecord, partnerRecordOf({ state: 'active' }));
  signInAs('ServiceProvider', { partnerId: 9, restriction: 'inactive' });
  await renderPage(path);
  await expect.element(main.getByText('الجهات التي تعمل لها')).toBeVisible();
  await expect.poll(() => renewed.length).toBeGreaterThan(0);
});

it('explains a supervisor without a partner', async () => {
  answerCall(getOwnPartnerRecord, () => Promise.reject(refuse(404, 'NotFound')));
  answerCall(getOwnPartner, () => Promise.reject(refuse(404, 'NotFound')));
  signInAs('ServiceProvider');
  await renderPage(path);
  await expect.element(main.getByText('لم تُربط بمزود خدمة بعد')).toBeVisible();
});
