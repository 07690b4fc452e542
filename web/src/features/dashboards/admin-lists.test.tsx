import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  agencyRecords,
  attachmentSummaryRecord,
  groupRecord,
  messageRecord,
  pageOf,
  serviceSummaryRecord,
} from '#testing/admin-records.ts';
import {
  answerCall,
  holdReply,
  noConnection,
  refuse,
  type ReceivedCall,
} from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import {
  companyRecord,
  partnerSummaryRecord,
  supervisorRecord,
  userRecord,
} from '#testing/people-records.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getCategoryRecords } from '@diwan/contract/catalogue/categories';
import {
  getServiceDesigns,
  getWaitingPublications,
} from '@diwan/contract/catalogue/service-designs';
import { getManagedServices } from '@diwan/contract/catalogue/services';
import { getAllCompanies } from '@diwan/contract/people/companies';
import { getAllPartners, getAllServiceProviders } from '@diwan/contract/people/partners';
import { getAllAttachments } from '@diwan/contract/requests/attachments';
import { getMessages } from '@diwan/contract/requests/messages';
import { getAllUsers } from '@diwan/contract/staff/user-administration';
import type { Call } from '@diwan/contract/wire/call';

interface AdminListCase {
  path: string;
  title: string;
  call: Call;
  /** One row. */
  item: object;
  columns: string[];
  /** Texts of the row. */
  texts: (string | RegExp)[];
  /** The server sends the whole list, and the browser filters it. */
  isLocal?: true;
}

const lists: AdminListCase[] = [
  {
    path: '/dashboard/users',
    title: 'المستخدمون',
    call: getAllUsers,
    item: userRecord(),
    columns: [
      'الاسم',
      'الأدوار',
      'الشركة أو مزود الخدمة',
      'البريد الإلكتروني',
      'الهاتف المتحرك',
      'آخر تسجيل دخول',
      'التحقق بخطوتين',
    ],
    texts: ['Mariam Al Demo', 'موظف', 'mariam@example.ae'],
  },
  {
    path: '/dashboard/partners',
    title: 'مزودو الخدمات',
    call: getAllPartners,
    item: partnerSummaryRecord,
    columns: ['مزود الخدمة', 'الحالة', 'الخدمات', 'المشرفون', 'الطلبات'],
    texts: ['مركز الخليج للخدمات', 'مفعّل', '31'],
  },
  {
    path: '/dashboard/companies',
    title: 'الشركات',
    call: getAllCompanies,
    item: companyRecord,
    columns: ['الشركة', 'الرخصة', 'الحالة', 'المستخدمون', 'الطلبات'],
    texts: ['شركة النخيل للتجارة', '12'],
  },
  {
    path: '/dashboard/services',
    title: 'دليل الخدمات',
    call: getManagedServices,
    item: serviceSummaryRecord(),
    columns: ['الخدمة', 'الجهة الحكومية', 'الفئة', 'أيام العمل', 'الرسوم', 'تعديل', 'الإجراء'],
    texts: ['تجديد ملكية مركبة', 'المركبات', /360\.50/],
  },
  {
    path: '/dashboard/attachments',
    title: 'المرفقات',
    call: getAllAttachments,
    item: attachmentSummaryRecord,
    columns: ['الملف', 'الحالة', 'الطلب', 'المرسل', 'التاريخ'],
    texts: ['identity-card.pdf', 'لم يُطّلع عليه', 'DW-2026-000041'],
  },
  {
    path: '/dashboard/service-providers',
    title: 'مستخدمو مزودي الخدمات',
    call: getAllServiceProviders,
    item: supervisorRecord,
    columns: [
      'الاسم',
      'مزود الخدمة',
      'الحالة',
      'البريد الإلكتروني',
      'الهاتف المتحرك',
      'آخر تسجيل دخول',
    ],
    texts: ['Fatima Al Demo', 'مركز الخليج للخدمات', 'لم يسجّل الدخول'],
  },
  {
    path: '/dashboard/serviceCategories',
    title: 'فئات الخدمات',
    call: getCategoryRecords,
    item: groupRecord(3, 'المركبات', 'تسجيل المركبات وتجديدها'),
    columns: ['الاسم', 'الوصف', 'الحالة', 'الخدمات', 'الإجراء'],
    texts: ['المركبات', 'تسجيل المركبات وتجديدها', '9'],
    isLocal: true,
  },
  {
    path: '/dashboard/messages',
    title: 'الرسائل',
    call: getMessages,
    item: messageRecord(),
    columns: ['المستلم', 'الموضوع', 'الحالة', 'سبب التعذر', 'تاريخ الإنشاء', 'الإجراءات'],
    texts: ['maryam@example.ae', 'DW-2026-000041', '550 unknown user', 'محاولة واحدة'],
  },
];

const main = page.getByRole('main');
const rows = main.getByRole('rowheader');
const search = main.getByRole('search').getByRole('textbox').first();

beforeEach(() => {
  answerCall(getServiceDesigns, []);
  answerCall(getWaitingPublications, []);
  answerCall(getManagedAgencies, agencyRecords);
});

/** A list of `total` equal items; a local list is an array. */
const answerList = (
  { call, item, isLocal }: AdminListCase,
  total: number,
  answer?: (received: ReceivedCall) => unknown,
) =>
  answerCall(
    call,
    (answer ??
      (({ query }: ReceivedCall) => {
        const items = Array.from({ length: Math.min(total, 20) }, (_, index) => ({
          ...item,
          id: index + 1,
          attachmentId: `${index}`,
          messageId: `${index}`,
        }));
        const isPastEnd = (Number(query.get('PageNumber')) - 1) * 20 >= total;
        return isLocal ? items : pageOf(isPastEnd ? [] : items, total);
      })) as never,
  );

function open({ path }: AdminListCase, query = '') {
  signInAs('Admin');
  return renderPage(`${path}${query}`);
}

describe.each(lists)('$path', (list) => {
  it('shows a skeleton, then the row with its columns', async () => {
    const { reply, release } = holdReply<unknown>();
    answerList(list, 1, () => reply);
    await open(list);
    await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent(list.title);
    await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
    release(list.isLocal ? [list.item] : pageOf([list.item]));
    await expect.poll(() => namesOf(main.getByRole('columnheader'))).toEqual(list.columns);
    for (const text of list.texts)
      await expect.element(main.getByRole('table').getByText(text).first()).toBeVisible();
    await expect.element(main.getByText('نتيجة واحدة')).toBeVisible();
    expect(page.getByRole('navigation', { name: 'صفحات النتائج' }).elements()).toEqual([]);
  });

  it('explains a server error and a missing connection, and tries again', async () => {
    answerList(list, 0, () => {
      throw refuse(500, 'InternalServerError', 'تعطل الخادم');
    });
    await open(list);
    const alert = main.getByRole('alert');
    await expect.element(alert.getByText('تعذر عرض البيانات')).toBeVisible();
    await expect.element(alert.getByText('تعطل الخادم')).toBeVisible();
    answerList(list, 0, noConnection);
    await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
    await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
    answerList(list, 2);
    await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
    await expect.poll(() => rows.elements().length).toBe(2);
    await expect.element(main.getByText('نتيجتان')).toBeVisible();
  });

  it('says that it is empty, and that a search found nothing', async () => {
    const asked = answerList(list, 0);
    const { address } = await open(list);
    // The number 0 is for screen readers only: the empty state says the same.
    const none = main.getByText('لا توجد نتائج');
    await expect.poll(() => none.element().getBoundingClientRect().width).toBeLessThan(2);
    await expect
      .element(main.getByText(/^(لا توجد بيانات بعد|لا توجد فئات بعد.*|أُرسلت جميع الرسائل)$/))
      .toBeVisible();
    await search.fill('  zzz ');
    await userEvent.keyboard('{Enter}');
    await expect.element(main.getByText('لا توجد نتائج مطابقة')).toBeVisible();
    await expect.poll(address).toBe(`${list.path}?q=zzz`);
    if (!list.isLocal)
      await expect
        .poll(() => asked.map(({ query }) => query.get('SearchKeyword')))
        .toContain('zzz');
    await main.getByRole('button', { name: 'مسح التصفية' }).click();
    await expect.poll(address).toBe(list.path);
    await expect.element(search).toHaveValue('');
  });
});

it.each(lists.filter(({ isLocal }) => !isLocal))(
  '$path has pages of 20, and leads back from a page past the end',
  async (list) => {
    const asked = answerList(list, 45);
    const { address } = await open(list, '?page=99');
    await expect.element(main.getByText('لا توجد صفحة بهذا الرقم')).toBeVisible();
    await main.getByRole('button', { name: 'العودة إلى الصفحة الأولى' }).click();
    await expect.poll(() => rows.elements().length).toBe(20);
    await page.getByRole('button', { name: 'الصفحة 3' }).click();
    await expect.poll(address).toBe(`${list.path}?page=3`);
    await expect.poll(() => asked.at(-1)?.query.get('PageNumber')).toBe('3');
    await search.fill('x');
    await main.getByRole('button', { name: 'بحث', exact: true }).click();
    await expect.poll(address).toBe(`${list.path}?q=x`);
  },
);

it('finds categories in the browser, as soon as the search is sent', async () => {
  const list = lists.find(({ isLocal }) => isLocal);
  if (!list) throw new Error('One list is local');
  answerCall(getCategoryRecords, [
    groupRecord(3, 'المركبات', 'تسجيل المركبات وتجديدها'),
    groupRecord(4, 'التأشيرات', 'السفر'),
  ]);
  await open(list);
  await expect.poll(() => rows.elements().length).toBe(2);
  await search.fill('سفر');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => namesOf(rows)).toEqual(['التأشيرات']);
  await main.getByRole('button', { name: 'مسح النص' }).click();
  await expect.poll(() => rows.elements().length).toBe(2);
});

it.each([
  ['/dashboard/users', getAllUsers, 'الدور', 'مزود خدمة', 'Role', 'role=ServiceProvider'],
  ['/dashboard/partners', getAllPartners, 'الحالة', 'قيد التحقق', 'State', 'state=verifying'],
  ['/dashboard/attachments', getAllAttachments, 'الحالة', 'نتيجة طلب', 'State', 'state=result'],
  [
    '/dashboard/services',
    getManagedServices,
    'الجهة الحكومية',
    'جمارك دبي',
    'GovernmentAgencyId',
    'agency=2',
  ],
] as const)(
  '%s is filtered, and back removes the filter',
  async (path, call, label, choice, name, query) => {
    const list = lists.find((each) => each.path === path && each.call === call);
    if (!list) throw new Error(path);
    const asked = answerList(list, 2);
    const { address, router } = await open(list);
    await main
      .getByRole('search')
      .getByRole('button', { name: new RegExp(label) })
      .click();
    await page.getByRole('option', { name: choice }).click();
    await expect.poll(address).toBe(`${path}?${query}`);
    await expect.poll(() => asked.at(-1)?.query.get(name)).toBe(query.split('=')[1]);
    await router.navigate(-1);
    await expect.poll(address).toBe(path);
  },
);

it('ignores invalid filters of an address', async () => {
  const [list] = lists;
  if (!list) throw new Error('There are lists');
  const asked = answerList(list, 1);
  await open(list, `?q=${encodeURIComponent('<b>\u202E')}&role=King&page=-3`);
  await expect.element(rows.first()).toBeVisible();
  const { query } = asked.at(-1) ?? {};
  expect([query?.get('Role'), query?.get('PageNumber')]).toEqual([null, '1']);
});

it('shows cards on a phone, in English', async () => {
  await page.viewport(390, 844);
  await useLanguageOfTest('en-US');
  const [list] = lists;
  if (!list) throw new Error('There are lists');
  answerList(list, 2);
  await open(list);
  await expect.element(main.getByText('2 results')).toBeVisible();
  expect(main.getByRole('table').elements()).toEqual([]);
  const card = main.getByRole('list', { name: 'Users' }).getByRole('listitem').first();
  await expect.element(card.getByText('mariam@example.ae')).toBeVisible();
  await expect.element(card.getByRole('term').first()).toHaveTextContent('Roles');
});

// Specification §6.
it.each([
  ['Employee', '/dashboard/users'],
  ['ServiceProvider', '/dashboard-Admin'],
  ['CompanyUser', '/reports'],
  ['Client', '/dash-board'],
  ['Admin', '/partner/profile'],
] as const)('sends a %s without permission for %s home, with a reason', async (role, path) => {
  answerHome();
  signInAs(role);
  const { address } = await renderPage(path);
  await expect.element(page.getByText('غير مصرح لك بذلك')).toBeVisible();
  await expect.poll(address).toBe('/home');
  // The home page ends the session (specification §2).
  await expect.poll(() => window.sessionStorage.getItem('token')).toBeNull();
});

it('sends home a user whose permission the server withdrew', async () => {
  answerHome();
  const [list] = lists;
  if (!list) throw new Error('There are lists');
  answerList(list, 0, () => {
    throw refuse(403, 'YouAreUnauthorized');
  });
  const { address } = await open(list);
  await expect.element(page.getByText('غير مصرح لك بذلك')).toBeVisible();
  await expect.poll(address).toBe('/home');
});

it.each([
  ['/dashboard/partners', /^يسجّل مزودو الخدمات أنفسهم/],
  ['/dashboard/companies', /^تظهر الشركة هنا عند تسجيلها/],
  ['/dashboard/service-providers', /^يظهر الأشخاص هنا/],
])('%s says how its first entry comes, and not in an empty search', async (path, text) => {
  const list = lists.find((each) => each.path === path);
  if (!list) throw new Error('The list is above');
  answerList(list, 0);
  await open(list);
  await expect.element(main.getByText(text)).toBeVisible();
  await search.fill('x');
  await userEvent.keyboard('{Enter}');
  await expect.element(main.getByText(text)).not.toBeInTheDocument();
});

it.each([
  [1, undefined],
  [2, agencyRecords.map(({ name }) => name)],
])('offers who manages %i agencies only theirs to filter accounts by', async (count, offered) => {
  const users = lists.find((each) => each.call === getAllUsers);
  if (!users) throw new Error('The list is above');
  answerCall(getManagedAgencies, agencyRecords.slice(0, count));
  answerList(users, 1);
  signInAs('AgencyAdmin');
  await renderPage(users.path);
  await main.getByText('خيارات تصفية أخرى').click();
  await expect.element(main.getByText('آخر تسجيل دخول').first()).toBeVisible();
  const filter = main.getByRole('combobox', { name: /الجهة/ });
  if (!offered) return expect(filter.elements()).toEqual([]);
  await filter.click();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  expect(namesOf(page.getByRole('option'))).toEqual(offered);
});
