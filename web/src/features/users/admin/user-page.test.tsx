import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import {
  auditEventRecord,
  ownSessions,
  partnerSummaryRecord,
  userDetails,
  userRecord,
} from '#testing/people-records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAuditEvents } from '@diwan/contract/people/audit';
import type { Change, ChangeEntity, FieldChange } from '@diwan/contract/people/changes';
import { getAllPartners } from '@diwan/contract/people/partners';
import { resetSecondFactor } from '@diwan/contract/people/second-factor';
import { getAuditLog, type LogEntry } from '@diwan/contract/portal/audit-log';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import {
  changeUserRoles,
  endUserSessions,
  getAllUsers,
  getUserById,
  getUserSessions,
  suspendUser,
  type UserRecord,
} from '@diwan/contract/staff/user-administration';

const dialog = (name: string) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function open(record: UserRecord = userDetails()) {
  answerCall(getUserById, record);
  answerCall(getUserSessions, ownSessions);
  answerCall(getAuditEvents, pageOf([auditEventRecord]));
  answerCall(getAuditLog, pageOf([]));
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  answerCall(getRoleConfirmation, { isRequired: false, adminsCount: 2, pending: [] });
  signInAs('Admin', { ssid: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b02' });
  await renderPage(`/dashboard/users/${record.id}`);
}

it('lists users with filters in the address, and says where there are more', async () => {
  const asked = answerCall(getAllUsers, {
    ...pageOf(
      [
        userRecord({ isSuspended: true }),
        userRecord({ id: 'b', username: 'uaepass-5', fullName: 'Imran', hasPassword: false }),
      ],
      10_000,
    ),
    isTotalAtLeast: true,
  });
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  signInAs('Admin');
  await renderPage(
    '/dashboard/users?role=Employee&state=suspended&lastSignIn=notIn90Days&order=name&company=5',
  );
  await expect.element(page.getByRole('status').filter({ hasText: /10[,٬]000/ })).toBeVisible();
  await expect
    .poll(() => Object.fromEntries(new URLSearchParams(asked[0]?.query)))
    .toMatchObject({
      Role: 'Employee',
      State: 'suspended',
      LastSignIn: 'notIn90Days',
      Order: 'name',
      CompanyId: '5',
    });
  await expect
    .element(page.getByRole('link', { name: 'Mariam Al Demo' }))
    .toHaveAttribute('href', `/dashboard/users/${userRecord().id}`);
  // Nobody chose the username of an account without a password.
  const row = page.getByRole('row').filter({ hasText: 'Imran' });
  await expect.element(row).toMatchTextContent('الهوية الرقمية UAE PASS');
  expect(page.getByText('uaepass-5').elements()).toEqual([]);
});

it('shows the agencies of an employee with their teams, and leads to these', async () => {
  await useLanguageOfTest('en-US');
  const named = (id: number, name: string) => ({ id, name });
  await open(
    userDetails({
      allAgencies: false,
      agencies: [named(1, 'Roads'), named(2, 'Customs'), named(3, 'Courts'), named(4, 'Health')],
      teams: [
        { id: 5, name: 'Vehicles', agencyId: 1 },
        { id: 6, name: 'Licences', agencyId: 1 },
        { id: 7, name: 'Counter', agencyId: 3 },
      ],
      limitedAgencyIds: [1, 2],
    }),
  );
  const item = (name: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first();
  await expect.element(page.getByText('Agencies and teams')).toBeVisible();
  await expect.element(item('Roads')).toMatchTextContent(/Vehicles.*Licences.*their teams/);
  await expect.element(item('Customs')).toMatchTextContent(/No team.*No requests/);
  await expect.element(item('Courts')).toMatchTextContent(/Counter.*All requests of the agency/);
  await expect.element(item('Health')).toMatchTextContent(/No team.*All requests of the agency/);
  for (const [name, agencyId] of [
    ['Licences', 1],
    ['Counter', 3],
  ] as const)
    await expect
      .element(page.getByRole('link', { name }))
      .toHaveAttribute('href', `/dashboard/teams?agency=${agencyId}`);
});

it('offers what the server allows, and asks for the reason of a suspension', async () => {
  const sent = answerCall(suspendUser, () => {
    if (sent.length === 1) throw refuse(400, 'RecordHasChanged', 'changed');
    return userDetails({ isSuspended: true });
  });
  await open();
  await button('إيقاف الحساب').click();
  const box = dialog('هل تريد إيقاف هذا الحساب؟');
  const confirm = box.getByRole('button', { name: 'إيقاف الحساب', exact: true });
  await confirm.click();
  await expect.element(box.getByText('اكتب السبب')).toBeVisible();
  await expect.poll(() => sent).toEqual([]);
  await userEvent.type(box.getByRole('textbox').element(), 'Left');
  await confirm.click();
  // What was typed stays after a conflict.
  await expect.element(box.getByText(/عدّل شخص آخر هذا الحساب/)).toBeVisible();
  await expect.element(box.getByRole('textbox')).toHaveValue('Left');
  await confirm.click();
  await expect.element(box).not.toBeInTheDocument();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({ userId: userDetails().id, version: 3, reason: 'Left' });
});

it('gives roles: a service provider user has one alone and needs a service provider', async () => {
  const sent = answerCall(changeUserRoles, userDetails({ pendingRoles: undefined }));
  await open();
  await button('تغيير الأدوار').click();
  const box = dialog('تغيير الأدوار');
  await box.getByRole('checkbox', { name: /مزود/ }).click();
  await box.getByRole('button', { name: 'حفظ الأدوار' }).click();
  await expect.element(box.getByText('لا يجتمع دور مزود الخدمة مع دور آخر')).toBeVisible();
  await box.getByRole('checkbox', { name: /^موظف/ }).click();
  await box.getByRole('button', { name: 'حفظ الأدوار' }).click();
  await expect.element(box.getByText('اختر مزود الخدمة')).toBeVisible();
  // The field with the error has the focus.
  await expect.element(box.getByRole('combobox')).toHaveFocus();
  const option = page.getByRole('option', { name: partnerSummaryRecord.name });
  // A key that is pressed while the list appears opens it only.
  await expect
    .poll(async () => {
      await userEvent.keyboard('{ArrowDown}');
      return option.query()?.hasAttribute('data-focused');
    })
    .toBe(true);
  // A click would close the list where the browser scrolls the dialog to reach it.
  await userEvent.keyboard('{Enter}');
  await box.getByRole('button', { name: 'حفظ الأدوار' }).click();
  await expect.element(box).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ userId: userDetails().id, version: 3, roles: ['ServiceProvider'], partnerId: 9 }]);
});

const agencyRecord = { id: 4, name: 'وزارة الداخلية', logo: '/logo.svg' };

it('chooses the agencies of an employee, and warns that one without an agency sees nothing', async () => {
  const sent = answerCall(changeUserRoles, userDetails());
  answerCall(getManagedAgencies, [agencyRecord]);
  await open();
  await button('تغيير الأدوار').click();
  const box = dialog('تغيير الأدوار');
  await expect.element(box.getByRole('radio', { name: /كل الجهات/ })).toBeChecked();
  await box.getByRole('radio', { name: 'جهات محددة فقط' }).click();
  const warning = box.getByText('لم تُحدد أي جهة، ولن يطّلع هذا المستخدم على أي طلب.');
  await expect.element(warning).toBeVisible();
  await box.getByRole('checkbox', { name: agencyRecord.name }).click();
  await expect.element(warning).not.toBeInTheDocument();
  await box.getByRole('button', { name: 'حفظ الأدوار' }).click();
  await expect.element(box).not.toBeInTheDocument();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toMatchObject({ roles: ['Employee'], allAgencies: false, agencyIds: [agencyRecord.id] });
});

it('gives all agencies with a role that concerns the whole portal', async () => {
  const sent = answerCall(changeUserRoles, userDetails());
  answerCall(getManagedAgencies, [agencyRecord]);
  await open(userDetails({ allAgencies: false, agencies: [agencyRecord] }));
  await button('تغيير الأدوار').click();
  const box = dialog('تغيير الأدوار');
  await box.getByRole('checkbox', { name: /مدقق/ }).click();
  await expect.element(box.getByText(/يخص البوابة كلها/)).toBeVisible();
  await expect.element(box.getByRole('radio').first()).not.toBeInTheDocument();
  await box.getByRole('button', { name: 'حفظ الأدوار' }).click();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ allAgencies: true });
});

it.each([
  [false, 'يسري التغيير فورًا، حتى في الجلسات المفتوحة.'],
  [true, 'ينتظر التغيير تأكيد مدير نظام آخر، ثم يسري فورًا، حتى في الجلسات المفتوحة.'],
])('says when new roles take effect: with a second administrator %s', async (isRequired, text) => {
  await open();
  answerCall(getRoleConfirmation, { isRequired, adminsCount: 2, pending: [] });
  await button('تغيير الأدوار').click();
  await expect.element(dialog('تغيير الأدوار').getByText(text, { exact: true })).toBeVisible();
});

it('explains a reset of the second factor, and shows a refusal', async () => {
  const sent = answerCall(resetSecondFactor, () => {
    if (sent.length === 1) throw refuse(404, 'NotFound', 'لا يوجد مستخدم');
    return { reset: true };
  });
  await open();
  await button('إعادة ضبط التحقق بخطوتين').click();
  const box = dialog('هل تريد إعادة ضبط التحقق بخطوتين؟');
  expect(box.getByRole('listitem').elements()).toHaveLength(3);
  await box.getByRole('button', { name: 'إعادة ضبط', exact: true }).click();
  await expect.element(box.getByText('لا يوجد مستخدم')).toBeVisible();
  await box.getByRole('button', { name: 'إعادة ضبط', exact: true }).click();
  await expect.element(box).not.toBeInTheDocument();
});

it('shows sessions and events, and ends one session or all', async () => {
  const sent = answerCall(endUserSessions, { ended: 1 });
  await open();
  await page.getByRole('tab', { name: 'الجلسات وتسجيل الدخول' }).click();
  await page
    .getByRole('button', { name: /إنهاء الجلسة/ })
    .first()
    .click();
  await expect.element(page.getByText('انتهت الجلسة')).toBeVisible();
  await button('إنهاء جميع الجلسات').click();
  const box = dialog('هل تريد إنهاء جميع الجلسات؟');
  await box.getByRole('button', { name: 'إنهاء جميع الجلسات' }).click();
  await expect.element(box).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { userId: userDetails().id, sessionId: ownSessions[0]?.sessionId },
      { userId: userDetails().id },
    ]);
});

it('shows a suspension, roles that wait, and only the actions that are left', async () => {
  await open(
    userDetails({
      isSuspended: true,
      suspendedAt: '2026-11-20T05:00:00.000Z',
      suspensionReason: 'Left the office',
      allowedActions: ['restore'],
      pendingRoles: {
        roles: ['Admin'],
        allAgencies: true,
        agencies: [],
        askedBy: 'Omar Al Demo',
        askedAt: '2026-11-20T05:00:00.000Z',
      },
    }),
  );
  await expect.element(page.getByText(/Left the office/)).toBeVisible();
  await expect.element(page.getByText(/Omar Al Demo/)).toBeVisible();
  await expect.element(button('إعادة تفعيل الحساب')).toBeVisible();
  await expect.element(button('إيقاف الحساب')).not.toBeInTheDocument();
});

it.each([
  [
    'en-US',
    /State ?Before: Active ?After: Suspended/,
    'The trade licence has expired',
    'AED 120.50',
  ],
  ['ar-EG', /قبل: مفعّل ?بعد: موقوف/, 'الرخصة التجارية منتهية الصلاحية', '120.50'],
  ['ur-PK', /فعال.*معطل/, 'تجارتی لائسنس کی مدت ختم ہو چکی ہے', '120.50'],
] as const)(
  'the audit log says codes of changes in words (%s)',
  async (language, state, reason, money) => {
    await useLanguageOfTest(language);
    signInAs('Admin');
    const record = (id: number, entity: ChangeEntity, fields: FieldChange[]): Change => ({
      id,
      at: '2026-11-24T08:00:00.000Z',
      entity,
      entityId: '9',
      name: 'Falcon Services',
      action: 'changed',
      username: 'admin',
      fullName: 'Sara Al Demo',
      fields,
    });
    answerCall(
      getAuditLog,
      pageOf(
        [
          record(3, 'partner', [
            { field: 'state', before: 'active', after: 'suspended' },
            { field: 'reasons', after: '["licenceExpired","complaints"]' },
          ]),
          record(2, 'payout', [
            { field: 'amount', after: 12_050 },
            { field: 'state', before: 'waiting', after: 'codeOfAnEarlierRelease' },
          ]),
          record(1, 'user', [{ field: 'roles', before: '[]', after: '["Employee"]' }]),
        ].map((change): LogEntry => ({
          key: `change ${change.id}`,
          at: change.at,
          source: 'change',
          change,
        })),
      ),
    );
    await renderPage('/dashboard/audit');
    const table = page.getByRole('main');
    await expect.element(table).toMatchTextContent(state);
    await expect.element(table).toMatchTextContent(reason);
    await expect.element(table).toMatchTextContent(money);
    // A code that has no words any more stays readable.
    await expect.element(table).toMatchTextContent('codeOfAnEarlierRelease');
    for (const code of ['licenceExpired', '[', 'suspended', 'Employee"'])
      expect(table.element().textContent).not.toContain(code);
  },
);

it('names the agency that a change leaves without an administrator', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getManagedAgencies, [
    { id: 7, name: 'Dubai Municipality', logo: '/logos/neutral.svg' },
  ]);
  const agency = { id: 7, name: 'Dubai Municipality' };
  await open(
    userDetails({
      roles: ['AgencyAdmin'],
      allAgencies: false,
      agencies: [agency],
      onlyAdministratorOf: [agency],
    }),
  );
  await button('Change roles').click();
  const warning = page.getByText(/Dubai Municipality.* will have no administrator/);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(warning.elements()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Dubai Municipality' }).click();
  await expect.element(warning).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await button('Suspend account').click();
  await expect.element(warning).toBeVisible();
});
