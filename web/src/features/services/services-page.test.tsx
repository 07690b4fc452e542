import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  accountTypeRecords,
  agencyRecords,
  categoryRecords,
  pageOf,
  serviceSummaries,
  serviceSummaryRecord,
} from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import {
  getAllGovernmentAgenciesWithServices,
  governmentAgencyCollectionByServiceCategory,
} from '@diwan/contract/catalogue/agencies';
import { getAllServicesCategoriesWithServices } from '@diwan/contract/catalogue/categories';
import {
  getAllServicesByAccountType,
  getService,
  getServiceIdByServiceName,
  getServices,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';
import { getDrafts } from '@diwan/contract/requests/drafts';

const main = page.getByRole('main');
const rows = main.getByRole('heading', { level: 2 }).getByRole('link');
const pager = page.getByRole('navigation', { name: 'صفحات النتائج' });
const range = (text: string) => main.getByRole('status').getByText(text);

/** A catalogue of `total` services, five on a page (specification §9). */
function answerServices(total: number) {
  return answerCall(getServices, ({ query }) => {
    const number = Number(query.get('PageNumber'));
    const size = Number(query.get('PageSize'));
    const count = Math.max(0, Math.min(size, total - (number - 1) * size));
    return pageOf(serviceSummaries(count, (number - 1) * size + 1), total, number);
  });
}

beforeEach(() => {
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  answerCall(governmentAgencyCollectionByServiceCategory, agencyRecords);
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllAccountTypes, accountTypeRecords);
});

// Specification §2, §4.
it.each([
  ['of no account type', undefined, undefined, '/account/login', '1'],
  ['of account type 1', undefined, 1, '/requests/Create/service-1', null],
  ['of account type 2', undefined, 2, '/account/login', '1'],
  ['who is signed in', 'Client', 2, '/requests/Create/service-1', null],
] as const)('a user %s chooses a service', async (_, role, accountTypeId, to, selected) => {
  if (role) signInAs(role);
  answerServices(1);
  answerCall(getDrafts, []);
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  answerCall(getServiceIdByServiceName, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  // The sign-in names the service.
  answerCall(getService, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  const { address } = await renderPage('/services', { accountTypeId });
  await expect.element(rows).toHaveAttribute('href', '/requests/Create/service-1');
  await rows.click();
  await expect.poll(address).toBe(to);
  await expect.poll(() => window.sessionStorage.getItem('selectedServiceId')).toBe(selected);
});

it('shows a skeleton until the list arrives', async () => {
  const { reply, release } = holdReply<ReturnType<typeof pageOf<never>>>();
  answerCall(getServices, () => reply);
  await renderPage('/services');
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(pageOf(serviceSummaries(1) as never[]));
  await expect.element(rows).toHaveTextContent('خدمة رقم 1');
  await expect.element(main.getByText('جارٍ التحميل…')).not.toBeInTheDocument();
});

it.each([
  [
    'an error of the server',
    () => Promise.reject(refuse(500, 'InternalServerError', 'تعطل')),
    'تعطل',
  ],
  ['no connection', noConnection, /تعذر الاتصال بالخادم/],
])('explains %s in the page and in a toast, and tries again', async (_, answer, message) => {
  answerCall(getServices, answer);
  await renderPage('/services');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر عرض الخدمات')).toBeVisible();
  await expect.element(alert.getByText(message)).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'الرسائل' }).getByText(message))
    .toBeVisible();
  answerServices(1);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(rows).toHaveTextContent('خدمة رقم 1');
});

it('shows one service without a pager, with its facts', async () => {
  answerCall(getServices, pageOf([serviceSummaryRecord()]));
  await renderPage('/services');
  await expect.element(range('عرض 1 - 1 من نتيجة واحدة')).toBeVisible();
  await expect.element(main.getByText('خدمة واحدة متاحة')).toBeVisible();
  for (const fact of [/360\.50/, 'يوما عمل', 'مستند واحد'])
    await expect.element(main.getByText(fact)).toBeVisible();
  expect(pager.elements()).toEqual([]);
  await expect.element(rows).toHaveAttribute('href', '/requests/Create/renew-vehicle-ownership');
});

it('names what is free, immediate and needs no document', async () => {
  await useLanguageOfTest('en-US');
  answerCall(
    getServices,
    pageOf([serviceSummaryRecord({ total: 0, workingDays: 0, attachmentsCount: 0 })]),
  );
  await renderPage('/services');
  for (const fact of ['Free', 'Immediately', 'No documents'])
    await expect.element(main.getByText(fact)).toBeVisible();
});

it.each([
  [1, 5, 'عرض 1 - 5 من 5 نتائج', undefined],
  [1, 23, 'عرض 1 - 5 من 23 نتيجة', ['1', '2', '3']],
  [3, 23, 'عرض 11 - 15 من 23 نتيجة', ['2', '3', '4']],
  [5, 23, 'عرض 21 - 23 من 23 نتيجة', ['3', '4', '5']],
  [20, 100, 'عرض 96 - 100 من 100 نتيجة', ['18', '19', '20']],
])('page %i of %i services: %s', async (number, total, text, links) => {
  const asked = answerServices(total);
  await renderPage(`/services?page=${number}`);
  await expect.element(range(text)).toBeVisible();
  expect(asked.at(-1)?.query.get('PageSize')).toBe('5');
  if (!links) return expect(pager.elements()).toEqual([]);
  expect(namesOf(pager.getByRole('button', { name: /^الصفحة \d/ }))).toEqual(
    links.map((link) => `الصفحة ${link}`),
  );
  const last = Math.ceil(total / 5);
  for (const [name, isDisabled] of [
    ['الصفحة الأولى', number === 1],
    ['الصفحة السابقة', number === 1],
    ['الصفحة التالية', number === last],
    ['الصفحة الأخيرة', number === last],
  ] as const)
    expect(pager.getByRole('button', { name }).element().hasAttribute('disabled')).toBe(isDisabled);
  await expect
    .element(pager.getByRole('button', { name: `الصفحة ${number}` }))
    .toHaveAttribute('aria-current', 'page');
});

it('moves to another page and focuses its range; back shows the earlier page', async () => {
  answerServices(23);
  const { address, router } = await renderPage('/services');
  await pager.getByRole('button', { name: 'الصفحة الأخيرة' }).click();
  await expect.element(range('عرض 21 - 23 من 23 نتيجة')).toHaveFocus();
  await expect.poll(address).toBe('/services?page=5');
  await pager.getByRole('button', { name: 'الصفحة السابقة' }).click();
  await expect.element(range('عرض 16 - 20 من 23 نتيجة')).toBeVisible();
  await router.navigate(-1);
  await expect.element(range('عرض 21 - 23 من 23 نتيجة')).toBeVisible();
});

it('leads back from a page past the end', async () => {
  answerServices(3);
  const { address } = await renderPage('/services?page=99');
  await expect.element(main.getByText('في هذه القائمة 3 خدمات فقط.')).toBeVisible();
  await main.getByRole('button', { name: 'الانتقال إلى الصفحة الأولى' }).click();
  await expect.element(range('عرض 1 - 3 من 3 نتائج')).toBeVisible();
  await expect.poll(address).toBe('/services?page=1');
});

it('says that a portal has no services yet, without a way to show all of them', async () => {
  answerServices(0);
  answerCall(getAllGovernmentAgenciesWithServices, []);
  await renderPage('/services');
  await expect.element(main.getByRole('heading', { name: 'لا توجد خدمات بعد' })).toBeVisible();
  await expect
    .element(main.getByRole('button', { name: 'عرض جميع الخدمات' }))
    .not.toBeInTheDocument();
});

it('offers the corrected spelling of a search', async () => {
  answerCall(serviceSearch, []);
  answerCall(getServices, ({ query }) => ({
    ...pageOf(serviceSummaries(2), 2),
    didYouMean: query.get('SearchKeyword') === 'تجديد جوااز' ? 'تجديد جواز' : undefined,
  }));
  const { address } = await renderPage('/services?q=تجديد جوااز');
  const offer = main.getByRole('status').filter({ hasText: /^هل تقصد/ });
  await expect.element(offer).toHaveTextContent('هل تقصد تجديد جواز؟');
  await offer.getByRole('button', { name: 'تجديد جواز' }).click();
  await expect.poll(() => new URLSearchParams(address().split('?')[1]).get('q')).toBe('تجديد جواز');
  await expect.element(main.getByRole('combobox')).toHaveValue('تجديد جواز');
  await expect.element(offer).not.toBeInTheDocument();
});

it.each([
  ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['emoji', '🚗👨‍👩‍👧', '🚗👨‍👩‍👧'],
  ['three scripts', 'qqqq ظظظظ ڑڑڑڑ', 'qqqq ظظظظ ڑڑڑڑ'],
  ['direction marks', '\u202Eqqqq\u2066\u200Fzzzz', 'qqqqzzzz'],
  ['ten thousand letters', 'q'.repeat(10_000), `${'q'.repeat(80)}…`],
])('quotes a search without results: %s', async (_, search, quoted) => {
  answerCall(serviceSearch, []);
  answerCall(getServices, ({ query }) =>
    query.get('SearchKeyword') ? pageOf([]) : pageOf(serviceSummaries(5), 7),
  );
  const { address } = await renderPage('/services');
  const box = main.getByRole('combobox');
  await box.fill(search);
  await userEvent.keyboard('{Enter}');
  await expect.element(main.getByRole('heading', { name: 'لا توجد نتائج' })).toBeVisible();
  await expect
    .poll(
      () =>
        main
          .getByText(/^لم نجد شيئًا عن/)
          .element()
          .parentElement?.querySelector('bdi')?.textContent,
    )
    .toBe(quoted);
  expect(address().length).toBeLessThan(2500);
  await main.getByRole('button', { name: 'عرض جميع الخدمات' }).click();
  await expect.element(range('عرض 1 - 5 من 7 نتائج')).toBeVisible();
});

it('filters by the navigation state of the specification, and removes each filter', async () => {
  const asked = answerServices(7);
  const { address } = await renderPage('/services', {
    serviceSerach: 'مركبة',
    accountTypeId: 2,
    serviceCategoryId: 3,
    governmentAgencyId: 2,
  });
  const chips = main.getByRole('list', { name: 'التصفية الحالية' }).getByRole('button');
  await expect
    .poll(() => chips.elements().map(({ textContent }) => textContent))
    .toEqual(['مركبة', 'الشركات', 'المركبات', 'جمارك دبي']);
  const queried = () => {
    const query = asked.at(-1)?.query;
    return ['SearchKeyword', 'AccountTypeId', 'ServiceCategoryId', 'GovernmentAgencyId'].map(
      (name) => query?.get(name),
    );
  };
  expect(asked.map(({ query }) => query.get('SearchKeyword'))).toContain('مركبة');
  await chips.nth(0).click();
  await expect.poll(queried).toEqual([null, '2', '3', '2']);
  await chips.nth(0).click();
  await expect.poll(queried).toEqual([null, null, '3', '2']);
  await main.getByRole('button', { name: 'عرض جميع الخدمات' }).click();
  await expect.poll(() => chips.elements().length).toBe(0);
  await expect.poll(address).toBe('/services');
});

// Specification §2.
it('shows all services by the button above the list, and the pages again', async () => {
  await useLanguageOfTest('en-US');
  answerServices(7);
  const [serviceCategory] = categoryRecords;
  const asked = answerCall(
    getAllServicesByAccountType,
    serviceSummaries(7).map((each) => ({ ...each, serviceCategory: serviceCategory! })),
  );
  const { address, router } = await renderPage('/services?page=2');
  const button = (name: string) => main.getByRole('button', { name, exact: true });
  await expect.element(range('Showing 6 - 7 of 7 results')).toBeVisible();
  expect(asked).toEqual([]);
  await button('Show all services').click();
  await expect.poll(address).toBe('/services?all=true');
  await expect.element(range('Showing 1 - 7 of 7 results')).toBeVisible();
  const all = main.getByRole('region', { name: serviceCategory!.name }).getByRole('link');
  await expect.poll(() => all.elements().length).toBe(7);
  expect(asked.map(({ query }) => query.get('AccountTypeId'))).toEqual([null]);
  await expect.element(button('Show fees and times')).toHaveFocus();
  await button('Show fees and times').click();
  await expect.element(range('Showing 1 - 5 of 7 results')).toBeVisible();
  await expect.element(button('Show all services')).toHaveFocus();
  await router.navigate(-1);
  await expect.poll(() => all.elements().length).toBe(7);
  // A filter leaves services out.
  await main.getByRole('complementary').getByRole('listitem').nth(1).getByRole('button').click();
  await expect.poll(address).toBe('/services?agency=1');
  await button('Show all services').click();
  await expect.poll(address).toBe('/services');
});

it('ignores invalid navigation state and addresses', async () => {
  const asked = answerServices(1);
  await renderPage('/services?page=-3&category=x&agency=0', {
    serviceSerach: { a: 1 },
    serviceCategoryId: 'x',
    governmentAgencyId: [1],
    accountTypeId: -1,
  });
  await expect.element(rows).toHaveTextContent('خدمة رقم 1');
  expect(asked.at(-1)?.query.get('PageNumber')).toBe('1');
  expect(asked.at(-1)?.query.get('GovernmentAgencyId')).toBeNull();
});

it('filters by an agency and deselects it', async () => {
  const asked = answerServices(7);
  const { address } = await renderPage('/services');
  const side = main.getByRole('complementary');
  await side.getByRole('button', { name: /جمارك دبي ?4 خدمات/ }).click();
  await expect.poll(address).toBe('/services?agency=2');
  const chosen = side.getByRole('button', { name: /جمارك دبي/ });
  await expect.element(chosen).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => asked.at(-1)?.query.get('GovernmentAgencyId')).toBe('2');
  await chosen.click();
  await expect.poll(address).toBe('/services');
});

it('shows the agencies of the chosen category, with the earlier ones until they are there', async () => {
  answerServices(1);
  const { reply, release } = holdReply<typeof agencyRecords>();
  const asked = answerCall(governmentAgencyCollectionByServiceCategory, () => reply);
  const all = answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  const { router } = await renderPage('/services');
  const side = main.getByRole('complementary');
  await expect.element(side.getByRole('button', { name: /جمارك دبي/ })).toBeVisible();
  const count = all.length;
  await router.navigate('/services?category=3');
  await expect.poll(() => asked.map(({ query }) => query.get('ServiceCategoryId'))).toEqual(['3']);
  await expect.element(side.getByRole('button', { name: /جمارك دبي/ })).toBeVisible();
  release(agencyRecords.filter(({ id }) => id !== 2));
  await expect.element(side.getByRole('button', { name: /جمارك دبي/ })).not.toBeInTheDocument();
  expect(all).toHaveLength(count);
});

it('keeps a selected agency without a matching service, so that it can be deselected', async () => {
  answerServices(0);
  answerCall(getAllGovernmentAgenciesWithServices, ({ query }) =>
    query.get('SearchKeyword') ? [] : agencyRecords,
  );
  await renderPage('/services?q=zzz&agency=2');
  await expect
    .element(main.getByRole('complementary').getByRole('button', { name: /جمارك دبي ?0/ }))
    .toHaveAttribute('aria-pressed', 'true');
});

it('shows the ten largest agencies first, then all', async () => {
  answerServices(1);
  answerCall(
    getAllGovernmentAgenciesWithServices,
    Array.from({ length: 12 }, (_, index) => ({
      id: index + 1,
      name: `جهة ${index + 1}`,
      logo: '/logos/agencies/rta.svg',
      servicesCount: index + 1,
    })),
  );
  await renderPage('/services');
  const side = main.getByRole('complementary');
  await expect.poll(() => side.getByRole('listitem').elements().length).toBe(11);
  expect(namesOf(side.getByRole('button')).slice(1, 3)).toEqual([
    'جهة 12 12 خدمة',
    'جهة 11 11 خدمة',
  ]);
  await side.getByRole('button', { name: 'عرض جميع الجهات' }).click();
  await expect.poll(() => side.getByRole('listitem').elements().length).toBe(13);
});

it('offers the agencies of a phone in a native select, in Urdu from right to left', async () => {
  await page.viewport(390, 844);
  await useLanguageOfTest('ur-PK');
  const asked = answerServices(7);
  await renderPage('/services');
  await expect.element(main.getByText('7 نتائج میں سے 1 - 5 دکھائے جا رہے ہیں')).toBeVisible();
  expect(getComputedStyle(main.element()).direction).toBe('rtl');
  await main.getByText('سرکاری ادارے کے لحاظ سے خدمات').first().click();
  await main.getByRole('combobox').nth(1).selectOptions('2');
  await expect.poll(() => asked.at(-1)?.query.get('GovernmentAgencyId')).toBe('2');
});

it('begins with the box and the results after a search on a phone', async () => {
  await page.viewport(390, 844);
  answerServices(7);
  const { address } = await renderPage('/services');
  const hint = main.getByRole('button', { name: 'إصدار رخصة تجارية' });
  const showAll = main.getByRole('button', { name: 'عرض جميع الخدمات' });
  await expect.element(range('عرض 1 - 5 من 7 نتائج')).toBeVisible();
  await expect.element(showAll).toBeVisible();
  await hint.click();
  await expect.poll(() => new URLSearchParams(address().split('?')[1]).has('q')).toBe(true);
  await expect.element(showAll).toBeVisible();
  await expect.element(main.getByRole('combobox').nth(1)).not.toBeInTheDocument();
  const headings = main.getByRole('heading', { level: 2 });
  const topOf = (one: { element: () => Element }) => one.element().getBoundingClientRect().top;
  // Specification §2: nothing of the page is left out. The hints are below the results. The address
  // changes before the page does.
  await expect.poll(() => topOf(hint) > topOf(headings.last())).toBe(true);
  expect(topOf(headings.first())).toBeLessThan(480);
  const trail = main.getByRole('navigation').getByRole('listitem');
  await expect.element(main.getByText('7 خدمات متاحة')).toBeVisible();
  for (const [index, text] of ['الرئيسية', 'الخدمات'].entries()) {
    await expect.element(trail.nth(index)).toHaveTextContent(text);
    expect(trail.nth(index).element().getBoundingClientRect().width).toBeGreaterThan(30);
  }
});

it.each([
  { total: 0, found: {}, offered: [] },
  { total: 7, found: { 'تجديد تسجيل مركبة': 0 }, offered: ['إصدار رخصة تجارية'] },
])('offers popular searches that find something: $offered', async ({ total, found, offered }) => {
  const counts = new Map(Object.entries(found));
  const asked = answerCall(getServices, ({ query }) => {
    const count = counts.get(query.get('SearchKeyword') ?? '') ?? total;
    return pageOf(serviceSummaries(Math.min(5, count), 1), count, 1);
  });
  await renderPage('/services');
  const both = main.getByRole('button', { name: /^(تجديد تسجيل مركبة|إصدار رخصة تجارية)$/ });
  await expect.poll(() => asked.length).toBe(total === 0 ? 1 : 3);
  await expect.poll(() => namesOf(both)).toEqual(offered);
  expect(main.getByText('عمليات بحث شائعة:').elements()).toHaveLength(Math.min(1, offered.length));
});

it('searches for a popular hint', async () => {
  const asked = answerServices(7);
  await renderPage('/services');
  await main.getByRole('button', { name: 'إصدار رخصة تجارية' }).click();
  await expect.poll(() => asked.at(-1)?.query.get('SearchKeyword')).toBe('إصدار رخصة تجارية');
  await expect.element(main.getByRole('combobox')).toHaveValue('إصدار رخصة تجارية');
});
