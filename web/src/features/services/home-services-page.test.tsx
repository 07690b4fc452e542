import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  agencyRecords,
  categoryRecords,
  pageOf,
  serviceSummaries,
} from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getAllGovernmentAgenciesByAccountType,
  getAllGovernmentAgenciesWithServices,
} from '@diwan/contract/catalogue/agencies';
import {
  getAllServiceCategoryByAccountType,
  getAllServicesCategoriesWithServices,
} from '@diwan/contract/catalogue/categories';
import {
  getAllServicesByAccountType,
  getServiceIdByServiceName,
  getServices,
} from '@diwan/contract/catalogue/services';

const main = page.getByRole('main');
const heading = page.getByRole('heading', { level: 1 });
const tab = (name: string) => main.getByRole('tab', { name });
const tiles = main.getByRole('tabpanel').getByRole('listitem').getByRole('link');
const manyCategories = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  name: `فئة ${index + 1}`,
  logo: '/logos/categories/vehicles.svg',
  description: '',
  servicesCount: index,
}));

beforeEach(() => {
  answerHome();
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllServiceCategoryByAccountType, manyCategories);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  answerCall(getAllGovernmentAgenciesByAccountType, agencyRecords);
  answerCall(getServices, pageOf([]));
  // A signed-in user is not led to UAE PASS.
  signInAs('Employee');
});

it.each([
  ['/home/services', 'جميع الخدمات', 0],
  ['/home/services/individuals', 'خدمات الأفراد', 1],
  ['/home/services/2', 'خدمات الشركات', 1],
  ['/home/services/martians', 'جميع الخدمات', 0],
])('%s is %s', async (path, title, skips) => {
  await renderPage(path);
  await expect.element(heading).toHaveTextContent(title);
  await expect.poll(() => tiles.elements().length).toBeGreaterThan(0);
  expect(main.getByRole('link', { name: 'الانتقال إلى قائمة الخدمات' }).elements()).toHaveLength(
    skips,
  );
});

it('shows a skeleton, an error of either list, and the tiles after another try', async () => {
  const { reply, release } = holdReply<typeof categoryRecords>();
  answerCall(getAllServicesCategoriesWithServices, () => reply);
  answerCall(getAllGovernmentAgenciesWithServices, noConnection);
  await renderPage('/home/services');
  await expect.element(main.getByText('جارٍ التحميل…').first()).toBeInTheDocument();
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  release(categoryRecords);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(tiles).toHaveTextContent('المركبات');
});

it('opens the listing of a tile with its filters in the state', async () => {
  const { router } = await renderPage('/home/services/companies#category');
  await tiles.nth(1).click();
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({ governmentAgencyId: 2, accountTypeId: 2 });
  await router.navigate('/home/services/companies');
  await tiles.nth(2).click();
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({ serviceCategoryId: 3, accountTypeId: 2 });
  // Without an account type the state has none.
  await router.navigate('/home/services#category');
  await tiles.nth(1).click();
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({ governmentAgencyId: 2 });
});

// Specification §2: the order of words by language.
it.each([
  ['ar-EG', 'خدمات الشركات'],
  ['en-US', 'Services for companies'],
  ['ur-PK', 'خدمات برائے کمپنیاں'],
] as const)('has in %s the title %s', async (language, title) => {
  await useLanguageOfTest(language);
  await renderPage('/home/services/companies');
  await expect.element(heading).toHaveTextContent(title);
});

// Specification §2: the tabs are the fragments `all` and `category`.
it.each([
  ['ar-EG', 'حسب الفئة', 'حسب الجهة الحكومية', '{ArrowLeft}'],
  ['en-US', 'By category', 'By government agency', '{ArrowRight}'],
] as const)('changes the tab by keys in %s; back returns', async (language, first, second, key) => {
  await useLanguageOfTest(language);
  const { address, router } = await renderPage('/home/services/companies');
  await expect.element(tab(first)).toHaveAttribute('aria-selected', 'true');
  (tab(first).element() as HTMLElement).focus();
  await userEvent.keyboard(key);
  await expect.element(tab(second)).toHaveAttribute('aria-selected', 'true');
  await expect.element(tab(second)).toHaveFocus();
  await expect.poll(address).toBe('/home/services/companies#category');
  await router.navigate(-1);
  await expect.element(tab(first)).toHaveAttribute('aria-selected', 'true');
});

it('scrolls tiles by buttons that appear where there is more, and by keys', async () => {
  await renderPage('/home/services/companies');
  const next = main.getByRole('button', { name: 'التالي' });
  const previous = main.getByRole('button', { name: 'السابق' });
  await expect.element(next).toBeVisible();
  expect(previous.elements()).toEqual([]);
  await expect
    .poll(async () => {
      if (next.elements().length > 0) await next.click();
      return next.elements().length;
    })
    .toBe(0);
  await expect.element(previous).toHaveFocus();
  (tiles.nth(0).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(tiles.nth(1)).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(tiles.nth(4)).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(tiles.nth(29)).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(tiles.nth(0)).toHaveFocus();
});

it.each([768, 1280])('cuts no tile at %s px', async (width) => {
  await page.viewport(width, 900);
  await renderPage('/home/services/companies');
  await expect.element(tiles.first()).toBeVisible();
  const list = main.getByRole('tabpanel').getByRole('list').first().element();
  const { left, right } = list.getBoundingClientRect();
  const boxes = [...list.children].map((tile) => tile.getBoundingClientRect());
  const seen = boxes.filter((box) => box.right > left + 2 && box.left < right - 2);
  expect(seen.length).toBeLessThan(boxes.length);
  for (const box of seen) {
    expect(box.left).toBeGreaterThanOrEqual(left - 1);
    expect(box.right).toBeLessThanOrEqual(right + 1);
  }
});

it('says that an account type has no services yet, instead of empty tabs and lists', async () => {
  answerCall(getAllServiceCategoryByAccountType, []);
  answerCall(getAllGovernmentAgenciesByAccountType, []);
  await renderPage('/home/services/individuals');
  await expect.element(main.getByRole('heading', { name: 'لا توجد خدمات بعد' })).toBeVisible();
  await expect.element(main.getByRole('tab')).not.toBeInTheDocument();
  await expect
    .element(main.getByRole('link', { name: 'الانتقال إلى قائمة الخدمات' }))
    .not.toBeInTheDocument();
});

it('searches within the account type', async () => {
  const { router } = await renderPage('/home/services/companies');
  await main.getByRole('combobox').fill('تأشيرة');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({ serviceSerach: 'تأشيرة', accountTypeId: 2 });
});

it('skips to the list of the account type', async () => {
  const { address, router } = await renderPage('/home/services/investors');
  await main.getByRole('link', { name: 'الانتقال إلى قائمة الخدمات' }).click();
  await expect.poll(address).toBe('/services?account=3');
  expect(router.state.location.state).toEqual({ accountTypeId: 3 });
});

it('lists every service of the account type by category when the list is opened', async () => {
  const category = (id: number, name: string) => ({
    serviceCategory: { id, name, logo: '/c.svg' },
  });
  const [one, two, three] = serviceSummaries(3);
  const asked = answerCall(getAllServicesByAccountType, [
    { ...three!, name: 'تجديد الإقامة', ...category(5, 'الإقامة') },
    { ...one!, name: 'نقل ملكية مركبة', ...category(4, 'المركبات') },
    { ...two!, name: 'إلغاء الإقامة', ...category(5, 'الإقامة') },
  ]);
  answerCall(getServiceIdByServiceName, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  const { address } = await renderPage('/home/services/companies');
  const title = main.getByText('جميع الخدمات في قائمة واحدة');
  // The tiles move what is below them.
  await expect.poll(() => tiles.elements().length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
  await title.click();
  const group = (name: string) => main.getByRole('region', { name, exact: true });
  await expect.element(group('الإقامة')).toBeVisible();
  expect(namesOf(group('الإقامة').getByRole('link'))).toEqual(['إلغاء الإقامة', 'تجديد الإقامة']);
  expect(namesOf(main.getByRole('region').getByRole('heading'))).toEqual(['الإقامة', 'المركبات']);
  expect(asked.map(({ query }) => query.get('AccountTypeId'))).toEqual(['2']);
  await group('المركبات').getByRole('link').click();
  await expect.poll(address).toBe('/requests/Create/service-1');
});

it('says that the list of every service could not be loaded, and tries again', async () => {
  answerCall(getAllServicesByAccountType, noConnection);
  await renderPage('/home/services/individuals');
  await main.getByText('جميع الخدمات في قائمة واحدة').click();
  const alert = main.getByRole('alert');
  await expect.element(alert).toMatchTextContent('تعذر عرض الخدمات');
  answerCall(getAllServicesByAccountType, []);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(alert).not.toBeInTheDocument();
});
