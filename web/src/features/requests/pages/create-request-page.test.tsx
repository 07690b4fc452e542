import { beforeAll, beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '#lib/api/query-client.ts';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse, refuseFields } from '#testing/answer-calls.ts';
import { answerRequest } from '#testing/answer-request.ts';
import { answerUploads, fileOf } from '#testing/answer-uploads.ts';
import { requestRecordOf, serviceRecord } from '#testing/records.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  draftSummaryRecord,
  formServiceRecord,
  savedDraftRecord,
} from '#testing/request-records.ts';
import { getServiceDays } from '@diwan/contract/calendars/calendar-calls';
import { getServiceIdByServiceName, type Service } from '@diwan/contract/catalogue/services';
import {
  discardDraft,
  getDraft,
  getDrafts,
  getPrefill,
  saveDraft,
  setPrefillConsent,
} from '@diwan/contract/requests/drafts';
import { createPayment, getPaymentMethods } from '@diwan/contract/requests/payments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { calculateTotalCost } from '@diwan/contract/requests/request-costs';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';

const path = '/requests/Create/renew-vehicle-ownership';
const times = { savedAt: '2026-11-20T06:30:00.000Z', keptUntil: '2026-12-20T06:30:00.000Z' };
const answers = {
  ownerName: 'مريم الشامسي',
  isLeased: false,
  drivers: [{ driverName: 'Ahmed Khan' }],
};
const complete = savedDraftRecord({ answers, passed: ['owner', 'drivers'] });

const button = (name: string | RegExp) => page.getByRole('button', { name });
const field = (name: string | RegExp) => page.getByRole('textbox', { name });
const heading = () => page.getByRole('heading', { level: 1 });
const answerSave = () => {
  let revision = 0;
  return answerCall(saveDraft, ({ body }) => {
    revision = (body as { revision: number }).revision + 1;
    const { draftId } = body as { draftId: string };
    return { draftId, revision, ...times, leftOut: [] };
  });
};

// The page loads the form after the first interaction.
beforeAll(async () => void (await import('../create/create-request-flow.tsx')));

/** Answers the call of the page with this service. */
const office = {
  state: 'closesSoon' as const,
  changesAt: new Date(Date.now() + 1_800_000).toISOString(),
};
const answerService = (service: Service) =>
  answerCall(getServiceIdByServiceName, { serviceId: service.id, service });

beforeEach(() => {
  signInAs('Client');
  answerService(formServiceRecord());
  answerCall(calculateTotalCost, formServiceRecord().fees);
  answerCall(getDrafts, []);
  answerCall(getDraft, {});
  answerCall(getPrefill, { fields: [], isAgreed: false, hasEarlier: false });
  answerCall(getServiceDays, { office, closed: [] });
});

it('says by which day it is promised, and when the agency is closed soon', async () => {
  answerService(serviceRecord());
  const [from, until] = ['2026-12-02', '2026-12-03'];
  const day = { from, until, kind: 'holiday' as const, name: 'عيد الاتحاد', isExpected: false };
  answerCall(getServiceDays, { office, promisedBy: '2026-12-04', closed: [day] });
  await renderPage(path);
  await expect.element(page.getByText(/فالموعد المتوقع لإنجازه 4 ديسمبر 2026/)).toBeVisible();
  await expect.element(page.getByText('الجهة مغلقة قريبًا')).toBeVisible();
  await expect.element(page.getByText('عيد الاتحاد')).toBeVisible();
  await expect.element(page.getByText(/^يُغلق قريبًا/)).toBeVisible();
});

it('shows what the service costs and needs, and starts it', async () => {
  answerService(serviceRecord());
  const { address } = await renderPage(path);
  await expect.element(heading()).toHaveTextContent('تجديد ملكية مركبة');
  const summary = page.getByRole('complementary', { name: 'ملخص الخدمة' });
  await expect.element(summary).toMatchTextContent('360.50');
  await expect.element(summary).toMatchTextContent('يوما عمل');
  await expect.element(summary).toMatchTextContent('مستند واحد');
  await summary.getByRole('button', { name: 'ابدأ الخدمة' }).click();
  await expect.element(heading()).toHaveTextContent('المركبة');
  await expect.poll(address).toBe(`${path}#vehicle`);
});

it('explains that staff cannot send a request', async () => {
  signInAs('Employee');
  await renderPage(path);
  await expect.element(page.getByText('سجّلت الدخول بحساب موظف').first()).toBeVisible();
  await expect.element(button('ابدأ الخدمة')).not.toBeInTheDocument();
});

it('says that a service does not exist', async () => {
  await useLanguageOfTest('ur-PK');
  answerCall(getServiceIdByServiceName, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  await renderPage(path);
  await expect.element(page.getByRole('main').getByRole('link').last()).toBeVisible();
  await expect.element(heading()).toBeVisible();
  await expect.element(page.getByRole('complementary')).not.toBeInTheDocument();
});

it('lists the errors of a step and leads to the first field', async () => {
  answerSave();
  const { address } = await renderPage(`${path}#owner`);
  await button('متابعة').click();
  const summary = page.getByRole('alert').filter({ hasText: 'يوجد خطآن يلزم تصحيحهما' });
  await expect.element(summary).toBeVisible();
  await expect.element(field('جهة التأجير')).not.toBeInTheDocument();
  await summary.getByRole('button', { name: /اسم المالك/ }).click();
  await expect.element(field('اسم المالك')).toHaveFocus();
  await expect.element(field('اسم المالك')).toBeInvalid();
  await field('اسم المالك').fill('مريم');
  await expect.element(field('اسم المالك')).toBeValid();
  await expect.poll(address).toBe(`${path}#owner`);
});

it('lists missing documents where they stand between the fields', async () => {
  const { form } = formServiceRecord();
  const [owner, drivers] = form.steps;
  const card = { 'ar-EG': 'بطاقة المالك', 'en-US': 'Card of the owner', 'ur-PK': 'مالک کا کارڈ' };
  const [name, ...rest] = owner!.fields;
  const place = {
    kind: 'file' as const,
    name: 'card',
    title: card,
    required: true,
    attachment: 'emiratesIdCopy',
  };
  const steps = [{ ...owner!, fields: [name!, place, ...rest] }, drivers!];
  const { attachments } = serviceRecord();
  answerService(formServiceRecord({ form: { steps }, attachments }));
  answerSave();
  await renderPage(`${path}#owner`);
  await button('متابعة').click();
  const summary = page.getByRole('alert').filter({ hasText: 'يلزم تصحيح' });
  await expect.element(summary).toHaveFocus();
  expect(namesOf(summary.getByRole('button'))).toEqual([
    expect.stringContaining('اسم المالك'),
    expect.stringContaining('بطاقة المالك'),
    expect.stringContaining('هل المركبة مؤجرة'),
  ]);
  await summary.getByRole('button', { name: /بطاقة المالك/ }).click();
  const drop = page.getByRole('group', { name: /بطاقة المالك/ });
  await expect.poll(() => drop.element().contains(document.activeElement)).toBe(true);
});

it('asks a field only while its condition is met', async () => {
  const saved = answerSave();
  const { address } = await renderPage(`${path}#owner`);
  await field('اسم المالك').fill('مريم');
  await page.getByRole('radio', { name: 'نعم' }).click();
  await field('جهة التأجير').fill('شركة التأجير');
  await page.getByRole('radio', { name: 'لا' }).click();
  await expect.element(field('جهة التأجير')).not.toBeInTheDocument();
  await button('متابعة').click();
  await expect.poll(address).toBe(`${path}#drivers`);
  await expect.element(heading()).toHaveFocus();
  await expect
    .poll(() => saved.at(-1)?.body)
    .toMatchObject({ passed: ['owner'], answers: { ownerName: 'مريم', isLeased: false } });
});

it('adds and removes items of a group and restores a removed one', async () => {
  answerCall(getDraft, { draft: savedDraftRecord() });
  answerSave();
  await renderPage(`${path}#drivers`);
  await field('اسم السائق').fill('Ahmed Khan');
  await button('إضافة سائق').click();
  await field('اسم السائق').last().fill('Ali Raza');
  await button('إضافة سائق').click();
  await expect.element(page.getByText('لا يمكن إضافة أكثر من 3.')).toBeVisible();
  await expect.element(button('إضافة سائق')).toBeDisabled();
  await button('حذف سائق 1').click();
  await expect.element(page.getByText(/تم حذف سائق 1 \(.*Ahmed Khan/).first()).toBeVisible();
  await expect.element(field('اسم السائق').first()).toHaveValue('Ali Raza');
  await button('تراجع عن الحذف').click();
  await expect.element(field('اسم السائق').first()).toHaveValue('Ahmed Khan');
  await expect.element(field('اسم السائق').nth(1)).toHaveValue('Ali Raza');
});

it('saves the draft with its revision while the user types', async () => {
  const saved = answerSave();
  await renderPage(`${path}#owner`);
  await field('اسم المالك').fill('مريم');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => saved.length).toBe(1);
  await expect
    .poll(() => saved[0]?.body)
    .toMatchObject({
      serviceId: 7,
      revision: 0,
      answers: { ownerName: 'مريم' },
      attachmentIds: [],
      passed: [],
    });
  await expect.element(page.getByText(/آخر حفظ/)).toBeVisible();
  await field('اسم المالك').fill('مريم الشامسي');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => saved.length).toBe(2);
  const [first, second] = saved.map(({ body }) => body as { draftId: string; revision: number });
  expect(second).toMatchObject({ draftId: first?.draftId, revision: 1 });
});

it('asks which answer stays when two devices wrote different ones', async () => {
  const mine = savedDraftRecord();
  const theirs = savedDraftRecord({
    revision: 5,
    answers: { ownerName: 'نورة الكعبي', isLeased: false },
  });
  let stored = mine;
  answerCall(getDraft, () => ({ draft: stored }));
  let isChanged = true;
  const saved = answerCall(saveDraft, () => {
    if (isChanged) throw refuse(409, 'DraftHasChanged');
    return { draftId: mine.draftId, revision: 6, ...times, leftOut: [] };
  });
  await renderPage(`${path}#owner`);
  await expect.element(field('اسم المالك')).toHaveValue('مريم الشامسي');
  stored = theirs;
  await field('اسم المالك').fill('مريم سالم');
  await userEvent.keyboard('{Tab}');
  const dialog = page.getByRole('dialog', { name: 'إجابات مختلفة' });
  await expect.element(dialog).toMatchTextContent('مريم سالم');
  await expect.element(dialog).toMatchTextContent('نورة الكعبي');
  isChanged = false;
  await dialog.getByRole('radio', { name: /ما كُتب في مكان آخر/ }).click();
  await dialog.getByRole('button', { name: 'اعتماد هذه الإجابات' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(field('اسم المالك')).toHaveValue('نورة الكعبي');
  await expect
    .poll(() => saved[0]?.body)
    .toMatchObject({ revision: 3, answers: { ownerName: 'مريم سالم' } });
});

it('shows a draft that was sent elsewhere as sent, without the heading and steps of its form', async () => {
  answerCall(saveDraft, () => {
    throw refuse(409, 'DraftAlreadySent');
  });
  await page.viewport(390, 500);
  await renderPage(`${path}#owner`);
  const steps = page.getByText(/^الخطوة 1 من/);
  await expect.element(steps).toBeVisible();
  await field('اسم المالك').fill('مريم');
  await userEvent.keyboard('{Tab}');
  await expect.element(heading()).toHaveTextContent('سبق أن أرسلت هذا الطلب');
  await expect.element(heading()).toHaveFocus();
  await expect.element(heading()).toBeInViewport();
  await expect.element(steps).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'المالك' })).not.toBeInTheDocument();
  expect(document.title).toContain('سبق أن أرسلت هذا الطلب');
});

it('continues a stored draft and names what changed in the form', async () => {
  answerCall(getDrafts, [draftSummaryRecord()]);
  answerCall(getDraft, {
    draft: savedDraftRecord({ formChanges: [{ kind: 'added', title: 'السائقون' }] }),
  });
  const { address } = await renderPage(path);
  await button('إكمال طلبك').click();
  await expect.poll(address).toBe(`${path}#drivers`);
  await expect.element(page.getByText('أُضيف: السائقون.')).toBeVisible();
  await button('حسنًا').click();
  await expect.element(page.getByText('أُضيف: السائقون.')).not.toBeInTheDocument();
});

it('shows in the form that the service is closed, and lets it be sent when the service opens', async () => {
  let isClosed = false;
  answerCall(getServiceIdByServiceName, () => ({
    serviceId: 7,
    service: formServiceRecord(isClosed ? { closure: { reason: 'صيانة الأنظمة' } } : {}),
  }));
  answerCall(getDrafts, [draftSummaryRecord()]);
  answerCall(getDraft, { draft: complete });
  answerSave();
  const sent = answerCall(createRequest, () => {
    isClosed = true;
    throw refuse(400, 'ServiceClosed', 'الخدمة مغلقة حاليًا. صيانة الأنظمة المسودة محفوظة.');
  });
  await renderPage(`${path}#review`);
  await page.getByRole('checkbox').click();
  await button(/^إرسال/).click();
  await expect.poll(() => sent.length).toBe(1);
  // The refusal makes the page read why; that stands above the form, and gets the focus.
  const note = page.getByRole('status').filter({ hasText: 'صيانة الأنظمة' });
  await expect.element(note).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toContain('صيانة الأنظمة');
  await expect.element(page.getByText('المسودة محفوظة.')).not.toBeInTheDocument();
  await expect.element(button('الخدمة مغلقة')).toBeDisabled();
  await expect.element(page.getByRole('checkbox')).toBeChecked();
  isClosed = false;
  await queryClient.invalidateQueries({ queryKey: [getServiceIdByServiceName.name] });
  await expect.element(button(/^إرسال/)).toBeEnabled();
  await expect.element(note).not.toBeInTheDocument();
});

it('opens the draft of a closed service', async () => {
  answerService(formServiceRecord({ closure: { reason: 'صيانة الأنظمة' } }));
  answerCall(getDrafts, [draftSummaryRecord()]);
  answerCall(getDraft, { draft: savedDraftRecord() });
  const { address } = await renderPage(path);
  await button('فتح المسودة').click();
  await expect.poll(address).toBe(`${path}#drivers`);
  await expect.element(page.getByText('صيانة الأنظمة')).toBeVisible();
});

it('discards a draft after a question', async () => {
  let drafts = [draftSummaryRecord()];
  answerCall(getDrafts, () => drafts);
  const discarded = answerCall(discardDraft, ({ body }) => {
    drafts = [];
    return body as { draftId: string };
  });
  await renderPage(path);
  await button('البدء من جديد').click();
  await expect.poll(() => discarded).toEqual([]);
  await button(/حذف/).click();
  await expect.element(button('ابدأ الخدمة')).toBeVisible();
  await expect
    .poll(() => discarded.map(({ body }) => body))
    .toEqual([{ draftId: draftSummaryRecord().draftId }]);
});

it('fills in known answers, names their source and asks for more', async () => {
  let isAgreed = false;
  answerCall(getPrefill, () => ({
    fields: [
      { name: 'ownerName', value: 'مريم الشامسي', origin: 'profile' as const },
      ...(isAgreed ? [{ name: 'isLeased', value: false, origin: 'earlierRequest' as const }] : []),
    ],
    isAgreed,
    hasEarlier: true,
  }));
  answerCall(setPrefillConsent, ({ body }) => {
    ({ isAgreed } = body as { isAgreed: boolean });
    return { isAgreed };
  });
  answerSave();
  await renderPage(`${path}#owner`);
  await expect.element(field('اسم المالك')).toHaveValue('مريم الشامسي');
  const origin = page.getByText('من حسابك: اسم المالك');
  await expect.element(origin).not.toBeVisible();
  await page.getByText('بيانات معبّأة تلقائيًا').click();
  await expect.element(origin).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'لا' })).not.toBeChecked();
  await button('استخدام بياناتي السابقة').click();
  await expect.element(page.getByRole('radio', { name: 'لا' })).toBeChecked();
  await button('إيقاف استخدامها').click();
  await expect.element(page.getByRole('radio', { name: 'لا' })).not.toBeChecked();
  await expect.element(field('اسم المالك')).toHaveValue('مريم الشامسي');
});

it('does not ask for a step that the account answers, and shows it on the review page', async () => {
  const { form } = formServiceRecord();
  const [owner, drivers] = form.steps;
  const known = { ...owner!, fields: owner!.fields.slice(0, 1) };
  answerService(formServiceRecord({ form: { steps: [known, drivers!] } }));
  answerCall(getPrefill, {
    fields: [{ name: 'ownerName', value: 'مريم الشامسي', origin: 'profile' as const }],
    isAgreed: false,
    hasEarlier: false,
  });
  const saved = answerSave();
  const { address } = await renderPage(path);
  await button('ابدأ الخدمة').first().click();
  await expect.element(heading()).toHaveTextContent('السائقون');
  await expect.poll(address).toBe(`${path}#drivers`);
  await expect.element(page.getByText('ملأنا عنك: المالك. ستراجعها قبل الإرسال.')).toBeVisible();
  await page.getByText('بيانات معبّأة تلقائيًا').click();
  await expect.element(page.getByText('من حسابك: اسم المالك')).toBeVisible();
  await field('اسم السائق').fill('Ahmed Khan');
  await button('متابعة').click();
  await expect.element(page.getByText('مريم الشامسي')).toBeVisible();
  await expect
    .poll(() => saved.at(-1)?.body)
    .toMatchObject({ answers: { ownerName: 'مريم الشامسي' }, passed: ['owner', 'drivers'] });
  // It can be changed like any other step.
  await page.getByRole('link', { name: /المالك/ }).click();
  await expect.element(field('اسم المالك')).toHaveValue('مريم الشامسي');
});

it.each([
  ['the documents', false],
  ['a step with a document', true],
])('continues from %s automatically when the upload has ended', async (_, isInStep) => {
  const { form } = formServiceRecord();
  const place = {
    kind: 'file' as const,
    name: 'card',
    title: { 'ar-EG': 'البطاقة', 'en-US': 'Card', 'ur-PK': 'کارڈ' },
    required: true,
    attachment: 'emiratesIdCopy',
  };
  const steps = form.steps.map((step) =>
    isInStep && step.name === 'drivers' ? { ...step, fields: [place, ...step.fields] } : step,
  );
  answerService(formServiceRecord({ form: { steps }, attachments: serviceRecord().attachments }));
  answerCall(getDraft, { draft: complete });
  answerSave();
  const storage = answerUploads();
  await renderPage(`${path}#review`);
  await expect.element(heading()).toHaveTextContent(isInStep ? 'السائقون' : 'المستندات');
  await button('متابعة').click();
  await expect.element(page.getByText(/^أرفق|^ارفع/).first()).toBeVisible();
  const release = storage.hold();
  await userEvent.upload(
    document.querySelector<HTMLInputElement>('input[type=file]')!,
    fileOf('card.pdf'),
  );
  await button('متابعة').click();
  await expect.element(page.getByText('تتابع تلقائيًا بعد اكتمال رفع الملفات.')).toBeVisible();
  release();
  await expect.element(heading()).toHaveTextContent('المراجعة والإرسال');
  await expect.element(page.getByText('card.pdf')).toBeVisible();
});

it('sends a reviewed request once after a double press', async () => {
  answerCall(getDraft, { draft: complete });
  answerCall(getRequestByRequestNoOrMobileNo, pageOf([]));
  const { reply, release } = holdReply<{ requestId: number; requestNumber: string }>();
  const sent = answerCall(createRequest, () => reply);
  const { address } = await renderPage(`${path}#review`);
  await expect.element(page.getByText('Ahmed Khan')).toBeVisible();
  await button('إرسال الطلب').click();
  const agree = page.getByRole('checkbox', { name: 'قرأت ما ورد أعلاه وأوافق عليه' });
  await expect.element(agree).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
  await agree.click();
  await button('إرسال الطلب').dblClick();
  await expect.poll(() => sent.length).toBe(1);
  release({ requestId: 41, requestNumber: 'DW-2026-000041' });
  await expect.poll(address).toBe('/requests/accepted-request');
  await expect.element(page.getByText('DW-2026-000041')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        serviceId: 7,
        answers,
        attachmentIds: [],
        agreeToTermsAndConditions: true,
        draftId: complete.draftId,
        expectedTotal: 0,
      },
    ]);
});

/** The form with a question about health. */
const withHealth = () => {
  const steps = formServiceRecord().form.steps.map((step) => ({
    ...step,
    fields: step.fields.map((each) =>
      each.name === 'ownerName' ? { ...each, special: 'health' as const } : each,
    ),
  }));
  return formServiceRecord({ form: { steps } });
};

it('asks for a consent before it shows and stores special data, and not again', async () => {
  answerService(withHealth());
  const saved = answerSave();
  await renderPage(`${path}#owner`);
  const consent = page.getByRole('checkbox', { name: /استخدام هذه البيانات/ });
  await expect.element(consent).not.toBeChecked();
  await expect.element(field('اسم المالك')).not.toBeInTheDocument();
  await button('متابعة').click();
  await expect.element(page.getByText('للمتابعة وافق على استخدام هذه البيانات')).toBeVisible();
  await consent.click();
  await expect.element(field('اسم المالك')).toHaveFocus();
  await expect.element(consent).not.toBeInTheDocument();
  await field('اسم المالك').fill('مريم الشامسي');
  await expect
    .poll(() => saved.at(-1)?.body)
    .toMatchObject({ passed: ['special-health'], answers: { ownerName: 'مريم الشامسي' } });
});

it('sends what its author consented to before the question without asking again', async () => {
  answerService(withHealth());
  answerCall(getDraft, { draft: { ...complete, passed: [...complete.passed, 'special-health'] } });
  const sent = answerCall(createRequest, { requestId: 41, requestNumber: 'DW-2026-000041' });
  await renderPage(`${path}#review`);
  await expect.element(page.getByRole('checkbox', { name: /استخدام هذه البيانات/ })).toBeChecked();
  await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
  await button('إرسال الطلب').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([{ consentsToSpecialData: true }]);
});

it('asks for the consent to special data apart from the terms', async () => {
  answerService(withHealth());
  answerCall(getDraft, { draft: complete });
  const sent = answerCall(createRequest, { requestId: 41, requestNumber: 'DW-2026-000041' });
  await renderPage(`${path}#review`);
  const named = page.getByRole('listitem').filter({ hasText: 'الصحة والإعاقة' });
  await expect.element(named).toMatchTextContent(/اسم المالك/);
  await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
  await button('إرسال الطلب').click();
  const consent = page.getByRole('checkbox', { name: /استخدام هذه البيانات/ });
  await expect.element(consent).toHaveFocus();
  await expect.element(consent).not.toBeChecked();
  await expect.element(page.getByText(/أو احذفها من الطلب/)).toBeVisible();
  expect(sent).toEqual([]);
  await consent.click();
  await button('إرسال الطلب').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([{ agreeToTermsAndConditions: true, consentsToSpecialData: true }]);
});

it.each([
  ['its reply', createRequest],
  ['the payment', createPayment],
])(
  'says after a reload that lost %s that the request was sent, and starts a new one',
  async (_, lost) => {
    const priced = formServiceRecord({ fees: serviceRecord().fees, total: 36050 });
    answerService(priced);
    answerCall(calculateTotalCost, priced.fees);
    answerCall(getDraft, { draft: complete });
    answerCall(createRequest, { requestId: 41, requestNumber: 'DW-2026-000041' });
    const asked = answerCall<typeof lost>(lost, () => new Promise<never>(() => undefined));
    const { unmount } = await renderPage(`${path}#review`);
    await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
    await button(/إرسال الطلب ودفع/).click();
    await expect.poll(() => asked.length).toBe(1);
    await unmount();
    queryClient.clear();
    // The server has the request, and no draft any more.
    answerCall(getDraft, {});
    await renderPage(`${path}#review`);
    await expect.element(heading()).toHaveTextContent('سبق أن أرسلت هذا الطلب');
    await button('بدء طلب جديد').click();
    await expect.element(heading()).not.toHaveTextContent('سبق أن أرسلت هذا الطلب');
    await expect.element(button('متابعة')).toBeVisible();
  },
);

it('shows the current fees, which may have changed since the form was opened', async () => {
  answerCall(getDraft, { draft: complete });
  const asked = answerCall(calculateTotalCost, serviceRecord().fees);
  await renderPage(`${path}#review`);
  await expect.element(button(/إرسال الطلب ودفع.*360/)).toBeVisible();
  await expect.element(page.getByRole('table').last()).toMatchTextContent('360.50');
  await expect.poll(() => asked.map(({ query }) => query.get('serviceId'))).toEqual(['7']);
});

it('shows a total that has changed beside the fees, and sends once the person accepts it', async () => {
  const free = formServiceRecord();
  const dearer = serviceRecord().fees;
  answerCall(getDraft, { draft: complete });
  let isDearer = false;
  answerCall(calculateTotalCost, () => (isDearer ? dearer : free.fees));
  const sent = answerCall(createRequest, () => {
    if (sent.length > 1) return { requestId: 41, requestNumber: 'DW-2026-000041' };
    isDearer = true;
    throw refuse(400, 'TotalHasChanged', 'أصبح الإجمالي 360.50 درهم، بفارق 360.50 درهم');
  });
  answerCall(createPayment, () => {
    throw refuse(502, 'PaymentProviderUnreachable');
  });
  answerRequest(requestRecordOf({ attachments: [], allowedActions: ['pay'], due: 36050 }));
  await renderPage(`${path}#review`);
  await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
  await button('إرسال الطلب').click();
  await expect.element(page.getByText('تغيّر الإجمالي')).toBeVisible();
  await expect.element(page.getByText(/بفارق 360.50 درهم/)).toBeVisible();
  await button(/قبول.*360.50.*والإرسال/).click();
  await expect.poll(() => sent.length).toBe(2);
  await expect
    .poll(() => sent.map(({ body }) => (body as { expectedTotal: number }).expectedTotal))
    .toEqual([0, dearer.total]);
});

it('opens the request where the person chooses the method of payment', async () => {
  const priced = formServiceRecord({ fees: serviceRecord().fees, total: 36050 });
  answerService(priced);
  answerCall(calculateTotalCost, priced.fees);
  answerCall(getDraft, { draft: complete });
  answerCall(createRequest, { requestId: 41, requestNumber: 'DW-2026-000041' });
  answerCall(getPaymentMethods, ['card', 'bankAccount']);
  answerRequest(requestRecordOf({ attachments: [], allowedActions: ['pay'], due: 36050 }));
  const { address } = await renderPage(`${path}#review`);
  await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
  await button(/إرسال الطلب ودفع/).click();
  await expect.poll(address).toContain('/requests/request-details');
  await expect.element(page.getByRole('radio', { name: 'حساب بنكي' })).toBeVisible();
});

it('opens the request when the payment does not start', async () => {
  const priced = formServiceRecord({ fees: serviceRecord().fees, total: 36050 });
  answerService(priced);
  answerCall(calculateTotalCost, priced.fees);
  answerCall(getDraft, { draft: complete });
  answerCall(createRequest, { requestId: 41, requestNumber: 'DW-2026-000041' });
  const paid = answerCall(createPayment, () => {
    throw refuse(502, 'PaymentProviderUnreachable');
  });
  answerRequest(requestRecordOf({ attachments: [], allowedActions: ['pay'], due: 36050 }));
  const { address } = await renderPage(`${path}#review`);
  await page.getByRole('checkbox', { name: /أوافق عليه/ }).click();
  await button(/إرسال الطلب ودفع/).click();
  // The toast is shown before the next page is loaded, and stays three seconds.
  await expect.element(page.getByText(/أُرسل طلبك، لكن تعذر فتح صفحة الدفع/)).toBeVisible();
  await expect.poll(address).toContain('/requests/request-details');
  await expect.poll(() => paid[0]?.params).toEqual(['41']);
});

it('keeps the answers when the server refuses the request', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getDraft, { draft: complete });
  let refusal = refuse(404, 'ServiceNotFound', 'This service is no longer offered');
  answerCall(createRequest, () => {
    throw refusal;
  });
  const { address } = await renderPage(`${path}#review`);
  await page.getByRole('checkbox').click();
  await button(/^Send/).click();
  await expect.element(page.getByText('This service is no longer offered')).toBeVisible();
  await expect.element(page.getByText('Ahmed Khan')).toBeVisible();
  refusal = refuseFields({ 'answers.ownerName': ['This owner is not known'] });
  await button(/^Send/).click();
  await expect.poll(address).toBe(`${path}#owner`);
  await expect.element(page.getByText('This owner is not known').first()).toBeVisible();
  await expect.element(field('Name of the owner')).toHaveValue('مريم الشامسي');
  await expect.element(field('Name of the owner')).toHaveFocus();
});

it('has one way back on a phone', async () => {
  await page.viewport(390, 844);
  await renderPage(`${path}#owner`);
  const crumbs = page.getByRole('navigation', { name: 'مسار الصفحة' });
  await expect.element(crumbs.getByRole('link')).toHaveAttribute('href', path);
  await page.viewport(1280, 800);
  await expect.poll(() => crumbs.getByRole('link').elements().length).toBe(2);
});
