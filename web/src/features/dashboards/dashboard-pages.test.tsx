import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { figureGroupsRecord, figuresRecord, groupRecord, pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { requestSummaryRecord } from '#testing/records.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getWaitingPublications } from '@diwan/contract/catalogue/service-designs';
import { getPortalReadiness, hideFirstDay } from '@diwan/contract/portal/readiness';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getUrgentOpenings } from '@diwan/contract/staff/urgent-reading';
import type { Role } from '@diwan/contract/wire/call';
import { requestHub } from '@diwan/contract/wire/hubs';

const main = page.getByRole('main');
const alert = main.getByRole('alert');
const waiting = [
  requestSummaryRecord({
    requestId: 40,
    requestNumber: 'DW-2026-000040',
    createdAt: '2026-11-19T06:30:00.000Z',
    promisedBy: '2020-01-05',
  }),
  requestSummaryRecord({ promisedBy: '2099-12-31' }),
];

beforeEach(() => {
  answerCall(getRequestFigures, figuresRecord());
  answerCall(getFigureGroups, figureGroupsRecord());
  answerCall(getAgencyRecords, []);
  answerCall(getPortalReadiness, { done: [], isFirstDayHidden: true });
  answerCall(getRequestsByStatusId, pageOf(waiting));
});

interface DashboardCase {
  role: Role;
  path: string;
  title: string;
  waiting: string;
  nothing: string;
  /** The first figure. */
  created: string;
}

const dashboards: DashboardCase[] = [
  {
    role: 'Admin',
    path: '/dashboard-Admin',
    title: 'لوحة المعلومات',
    waiting: 'الأقرب موعدًا',
    nothing: 'لا توجد طلبات مفتوحة.',
    created: 'الطلبات الواردة',
  },
  {
    role: 'ServiceProvider',
    path: '/dashboard-supervisor',
    title: 'لوحة معلومات مزود الخدمة',
    waiting: 'بانتظار إجرائك',
    nothing: 'لا يوجد ما ينتظر إجراءك. تظهر الطلبات هنا بعد الموافقة عليها.',
    created: 'الطلبات الواردة',
  },
  {
    role: 'CompanyUser',
    path: '/dash-board',
    title: 'لوحة معلومات الشركة',
    waiting: 'بانتظار إجرائك',
    nothing: 'لا يوجد ما ينتظر إجراءك. سنعرض هنا كل طلب يحتاج إلى دفع أو تعديل.',
    created: 'الطلبات المقدّمة',
  },
];

async function open({ role, path, title }: DashboardCase) {
  signInAs(role);
  const screen = await renderPage(path);
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent(title);
  return screen;
}

it.each(dashboards)(
  '$path: a skeleton, then figures and what waits, late requests first',
  async (one) => {
    const { reply, release } = holdReply<ReturnType<typeof figuresRecord>>();
    answerCall(getRequestFigures, () => reply);
    const sent = answerCall(getRequestsByStatusId, pageOf(waiting));
    await open(one);
    await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
    release(figuresRecord());
    const card = main.getByRole('link', { name: `${one.created}: 12` });
    await expect.element(card).toBeVisible();
    await expect.element(main.getByText('ارتفاع من 9')).toBeVisible();
    const table = main.getByRole('table', { name: one.waiting });
    await expect
      .poll(() => namesOf(table.getByRole('rowheader')))
      .toEqual(['DW-2026-000040', 'DW-2026-000041']);
    const isApplicant = one.role === 'CompanyUser';
    await expect.poll(() => sent[0]?.query.get('SortBy')).toBe(isApplicant ? 'sent' : 'due');
    expect(table.getByText(/^متأخر \d+/).elements()).toHaveLength(isApplicant ? 0 : 1);
    expect(table.getByText('مريم الشامسي').elements().length).toBe(
      one.role === 'CompanyUser' ? 0 : 2,
    );
  },
);

it.each(dashboards)('$path: an error, and another try', async (one) => {
  answerCall(getRequestFigures, () => {
    throw refuse(500, 'InternalServerError', 'تعطل الخادم');
  });
  await open(one);
  await expect.element(alert.getByText('تعطل الخادم')).toBeVisible();
  answerCall(getRequestFigures, figuresRecord());
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('DW-2026-000040')).toBeVisible();
});

it.each(dashboards)('$path: says when nothing waits', async (one) => {
  answerCall(getRequestFigures, figuresRecord({ standing: [] }));
  await open(one);
  await expect.element(main.getByText(one.nothing)).toBeVisible();
});

it('explains a failure of the waiting requests alone, and tries again', async () => {
  const [one] = dashboards;
  if (!one) throw new Error('There are dashboards');
  answerCall(getRequestsByStatusId, noConnection);
  await open(one);
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  await expect.element(main.getByText('الطلبات الواردة').first()).toBeVisible();
  answerCall(getRequestsByStatusId, pageOf(waiting));
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('DW-2026-000041')).toBeVisible();
});

it('links an administrator to every list, in English', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  const { address } = await renderPage('/dashboard');
  await expect.poll(address).toBe('/dashboard-Admin');
  const links = main.getByRole('navigation', { name: 'Manage' }).getByRole('link');
  await expect
    .poll(() => links.elements().map((link) => link.getAttribute('href')))
    .toEqual([
      '/dashboard/users',
      '/dashboard/teams',
      '/dashboard/companies',
      '/dashboard/partners',
      '/dashboard/service-providers',
      '/dashboard/services',
      '/dashboard/agencies',
      '/dashboard/serviceCategories',
      '/dashboard/accountTypes',
      '/dashboard/attachments',
      '/dashboard/rejectionReasons',
      '/dashboard/workflow',
      '/dashboard/portal',
      '/dashboard/texts',
      '/dashboard/announcements',
      '/dashboard/calendars',
      '/dashboard/certificates',
      '/dashboard/search',
      '/dashboard/payments',
      '/dashboard/security',
      '/dashboard/messages',
      '/dashboard/audit',
      '/dashboard/complaints',
      '/dashboard/reading',
    ]);
  expect(namesOf(links)).not.toContain('');
});

it('links each status to its requests', async () => {
  for (const [index, expected] of [
    [0, ['/requests/all?status=3', '/requests/all?status=9']],
    [2, ['/companies/my-requests/new?status=3', '/companies/my-requests/new?status=9']],
  ] as const) {
    const one = dashboards[index];
    if (!one) throw new Error('There are dashboards');
    const { unmount } = await open(one);
    await expect.element(main.getByText('منجز', { exact: true })).toBeVisible();
    const links = [...document.querySelectorAll('main a[href*="status="]')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(expected);
    await unmount();
  }
});

it.each([
  [0, 'متأخرة: 2', '/requests/all?due=late'],
  [1, 'بانتظار إجرائك: 3', '/requests/all?figure=waiting'],
  [2, 'قيد الإنجاز: 5', '/companies/my-requests/new?figure=open'],
] as const)('shows what stands now with links to the lists (%i)', async (index, name, to) => {
  const one = dashboards[index];
  if (!one) throw new Error('There are dashboards');
  await open(one);
  const link = main.getByRole('link', { name });
  await expect.element(link).toHaveAttribute('href', to);
});

it('opens the requests of an agency behind each number, and asks by service provider', async () => {
  const [one] = dashboards;
  if (!one) throw new Error('There are dashboards');
  const asked = answerCall(getFigureGroups, figureGroupsRecord());
  await open(one);
  const table = main.getByRole('table', { name: 'الجهة', exact: true });
  const links = table.getByRole('link');
  const days = 'figureFrom=2026-11-18&figureTo=2026-11-20&agency=3';
  await expect
    .poll(() => links.elements().map((link) => link.getAttribute('href')))
    .toEqual([
      '/requests/all?figure=open&agency=3',
      '/requests/all?figure=waiting&agency=3',
      '/requests/all?due=late&agency=3',
      '/requests/all?from=2026-11-18&to=2026-11-20&sort=desc&agency=3',
      `/requests/all?figure=done&${days}`,
      `/requests/all?figure=doneLate&${days}`,
      `/requests/all?figure=done&${days}`,
      `/requests/all?figure=paid&${days}`,
    ]);
  const services = main.getByRole('table', { name: 'الخدمات الأكثر طلبًا' }).getByRole('link');
  expect(services.elements().map((link) => link.getAttribute('href'))).toEqual([
    '/requests/all?from=2026-11-18&to=2026-11-20&sort=desc&service=7',
    '/requests/all?figure=done&figureFrom=2026-11-18&figureTo=2026-11-20&service=7',
  ]);
  await main.getByRole('tab', { name: 'مزود الخدمة' }).click();
  await expect.poll(() => asked.at(-1)?.query.get('By')).toBe('partner');
});

it('refreshes the figures of an administrator when a request is sent', async () => {
  const [one] = dashboards;
  if (!one) throw new Error('There are dashboards');
  const asked = answerCall(getFigureGroups, figureGroupsRecord());
  const hub = openHub(requestHub);
  await open(one);
  await expect.poll(() => hub.connections.size).toBe(1);
  await expect.element(main.getByRole('link', { name: 'متأخرة: 2' })).toBeVisible();
  const before = asked.length;
  hub.send('requestCreated', 1);
  await expect.poll(() => asked.length, { timeout: 2000 }).toBeGreaterThan(before);
});

it('lists the first steps of an empty portal until they are done or hidden', async () => {
  answerCall(getPortalReadiness, { done: ['agency', 'name'], isFirstDayHidden: false });
  const sent = answerCall(hideFirstDay, { isFirstDayHidden: true });
  signInAs('Admin');
  await renderPage('/dashboard-Admin');
  const steps = main.getByRole('region', { name: 'الخطوات الأولى' });
  await expect.element(steps.getByText('أُنجز 2 من 12')).toBeVisible();
  await expect
    .element(steps.getByRole('link', { name: 'إضافة فئة' }))
    .toHaveAttribute('href', '/dashboard/serviceCategories');
  await expect
    .element(steps.getByRole('link', { name: /أنواع المستندات/ }))
    .toHaveAttribute('href', '/dashboard/attachments?show=types&add=usual');
  await expect
    .element(steps.getByRole('link', { name: /البريد|بريد/ }).last())
    .toHaveAttribute('href', '/dashboard/staff');
  expect(steps.getByRole('link', { name: 'إضافة جهة حكومية' }).elements()).toEqual([]);
  answerCall(getPortalReadiness, { done: ['agency', 'name'], isFirstDayHidden: true });
  await steps.getByRole('button', { name: 'إخفاء هذه القائمة' }).click();
  await expect.element(steps).not.toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

/** One charge of another person waits, and one of this user. */
function answerCharges() {
  const charge = {
    heldActionId: 1,
    requestId: 41,
    requestNumber: 'DW-2026-000041',
    action: 'approve',
    amount: 15_000,
    askedBy: 'Ali Al Demo',
    isOwn: false,
    at: '2026-11-20T05:00:00.000Z',
  } as const;
  return answerCall(getWaitingCharges, [charge, { ...charge, heldActionId: 2, isOwn: true }]);
}

it('leads an administrator to the fees and charges of others that wait for a second person', async () => {
  answerCharges();
  answerCall(
    getWaitingPublications,
    [false, false, true].map((isOwn, index) => ({
      serviceId: index + 1,
      name: { 'ar-EG': 'خدمة', 'en-US': 'Service', 'ur-PK': 'خدمت' },
      askedBy: 'Ali Al Demo',
      isOwn,
      askedAt: '2026-11-20T05:00:00.000Z',
    })),
  );
  const opening = {
    requestNumber: 'DW-2026-000042',
    serviceName: 'خدمة',
    agencyName: 'جهة',
    applicantName: 'سالم',
    readerName: 'هند',
    username: 'employee-moi',
    reason: 'danger',
    reasonText: 'يحتاج المستشفى إلى فصيلة الدم',
    at: '2026-11-20T05:00:00.000Z',
    until: '2026-11-20T06:00:00.000Z',
  } as const;
  answerCall(getUrgentOpenings, [
    { ...opening, openingId: 1, mayReview: true },
    { ...opening, openingId: 2, mayReview: false },
  ]);
  signInAs('Admin');
  await renderPage('/dashboard-Admin');
  await expect.element(main.getByText('بانتظار قرارك')).toBeVisible();
  const linkTo = (name: string) => main.getByRole('link', { name, exact: true });
  await expect.element(linkTo('رسوم جديدة: خدمتان')).toHaveAttribute('href', '/dashboard/services');
  await expect
    .element(linkTo('غرامات ورسوم: طلب واحد'))
    .toHaveAttribute('href', '/dashboard/payments?tab=cases');
  await expect
    .element(linkTo('اطلاع عاجل للمراجعة: طلب واحد'))
    .toHaveAttribute('href', '/dashboard/reading');
  expect(main.getByRole('link', { name: /للرد/ }).elements()).toEqual([]);
});

it('asks an auditor for no decision', async () => {
  const asked = answerCharges();
  signInAs('Auditor');
  await renderPage('/dashboard-Admin');
  await expect.element(main.getByText('DW-2026-000040')).toBeVisible();
  expect(main.getByText('بانتظار قرارك').elements()).toEqual([]);
  expect(asked).toEqual([]);
});

it('tells an administrator of the portal which agencies lost their administrator', async () => {
  answerCall(getAgencyRecords, [
    { ...groupRecord(1, 'بلدية دبي'), administratorsCount: 0 },
    {
      ...groupRecord(2, 'وزارة الداخلية'),
      administratorsCount: 0,
      administratorLostAt: '2026-11-20T05:00:00.000Z',
    },
  ]);
  await open(dashboards[0] as DashboardCase);
  const notice = main.getByRole('status').filter({ hasText: 'جهات بلا مدير' });
  await expect.element(notice).toMatchTextContent(/غادر آخر مدير للجهة .*وزارة الداخلية/);
  await expect.element(notice).not.toMatchTextContent('بلدية دبي');
});

it('shows an administrator of agencies figures without a way to requests', async () => {
  signInAs('AgencyAdmin');
  const sent = answerCall(getRequestsByStatusId, pageOf(waiting));
  await renderPage('/dashboard-Admin');
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('لوحة المعلومات');
  await expect.element(main.getByText('الطلبات الواردة').first()).toBeVisible();
  const links = main
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href') ?? '');
  expect(links.filter((to) => to.startsWith('/requests'))).toEqual([]);
  expect(links).toContain('/dashboard/services');
  expect(links).not.toContain('/dashboard/partners');
  expect(sent).toEqual([]);
});
