import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showToast } from '#lib/browser/toasts.ts';
import {
  accountTypeRecords,
  agencyRecords,
  pageOf,
  serviceSummaries,
} from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { getAllGovernmentAgenciesWithServices } from '@diwan/contract/catalogue/agencies';
import {
  getService,
  getServiceIdByServiceName,
  getServices,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import { checkUAEPassEnabled, logout } from '@diwan/contract/people/users';

const main = page.getByRole('main');

beforeEach(() => {
  answerHome();
  answerCall(getServices, pageOf([]));
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
});

it('leads from the root to the home page', async () => {
  const { address } = await renderPage('/?ref=x');
  await expect
    .element(main.getByRole('heading', { level: 1 }))
    .toHaveTextContent('كيف يمكننا مساعدتك؟');
  await expect.poll(address).toBe('/home?ref=x');
});

// Specification §2, decision 0038.
it('removes the stored token, also when the portal itself leads here, and says so', async () => {
  const sent = answerCall(logout, { ended: true });
  signInAs('Client', { fullName: 'سالم الكتبي' });
  window.sessionStorage.setItem('isUAEPass', 'true');
  const { router } = await renderPage('/terms-and-conditions');
  const banner = page.getByRole('banner');
  await expect.element(banner.getByRole('button', { name: /حسابي/ })).toBeVisible();
  showToast('لا تملك صلاحية', 'danger');
  await router.navigate('/');
  await expect.element(banner.getByRole('link', { name: 'تسجيل الدخول' })).toBeVisible();
  await expect.element(page.getByText(/^تم تسجيل خروجك: فتح الصفحة الرئيسية/)).toBeVisible();
  // The message that explains why the user is here stays.
  await expect.element(page.getByText('لا تملك صلاحية')).toBeVisible();
  const stored = ['token', 'isUAEPass'].map((key) => window.sessionStorage.getItem(key));
  expect(stored).toEqual([null, null]);
  await expect.poll(() => sent.length).toBe(1);
  await expect.element(main.getByRole('link', { name: 'الأفراد' })).toBeVisible();
});

// Specification §4.
it.each([
  [null, '/account/login', '1'],
  ['1', '/requests/Create/service-1', null],
  ['2', '/account/login', '1'],
])('a visitor of account type %s chooses a popular service: %s', async (type, to, selected) => {
  answerCall(getServiceIdByServiceName, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  // The sign-in names the service.
  answerCall(getService, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  answerCall(serviceSearch, serviceSummaries(1));
  if (type) window.sessionStorage.setItem('accountType', type);
  const { address } = await renderPage('/home');
  await main.getByRole('link', { name: 'خدمة رقم 1', exact: true }).click();
  await expect.poll(address).toBe(to);
  await expect.poll(() => window.sessionStorage.getItem('selectedServiceId')).toBe(selected);
});

it('shows skeletons, then the account types and popular services', async () => {
  const types = holdReply<typeof accountTypeRecords>();
  const popular = holdReply<ReturnType<typeof serviceSummaries>>();
  answerCall(getAllAccountTypes, () => types.reply);
  answerCall(serviceSearch, () => popular.reply);
  await renderPage('/home');
  await expect.poll(() => main.getByText('جارٍ التحميل…').elements().length).toBe(2);
  types.release(accountTypeRecords);
  popular.release(serviceSummaries(9));
  await expect
    .element(main.getByRole('link', { name: 'الشركات' }))
    .toHaveAttribute('href', '/home/services/companies#all');
  await expect.element(main.getByText('خدمتان')).toBeVisible();
  await expect.element(main.getByRole('img', { name: 'رمز الأفراد' })).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: 'خدمة رقم 8' }))
    .toHaveAttribute('href', '/requests/Create/service-8');
  expect(main.getByRole('link', { name: 'خدمة رقم 9' }).elements()).toEqual([]);
});

it('has no heading for popular services where there are none', async () => {
  answerCall(serviceSearch, []);
  await renderPage('/home');
  await expect.element(main.getByRole('link', { name: 'الشركات' })).toBeVisible();
  const heading = main.getByRole('heading', { name: 'الخدمات الأكثر طلبًا' });
  await expect.poll(() => namesOf(heading)).toEqual([]);
});

it('explains a missing connection in each part and tries again', async () => {
  answerCall(getAllAccountTypes, noConnection);
  answerCall(serviceSearch, noConnection);
  await renderPage('/home');
  const alerts = main.getByRole('alert');
  await expect.poll(() => alerts.elements().length).toBe(2);
  answerHome();
  await alerts.first().getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByRole('link', { name: 'الأفراد' })).toBeVisible();
  await alerts.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.poll(() => alerts.elements().length).toBe(0);
});

it('searches with the navigation state of the specification', async () => {
  const { router } = await renderPage('/home');
  await main.getByRole('combobox').fill('جواز');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({ serviceSerach: 'جواز' });
});

it('skips to the whole list', async () => {
  const { router } = await renderPage('/home');
  await main.getByRole('link', { name: 'تصفح جميع الخدمات' }).click();
  await expect.poll(() => router.state.location.pathname).toBe('/services');
  expect(router.state.location.state).toEqual({});
});

it.each([
  ['ar-EG', -1, 'عرض: ', 'الشريحة التالية', '{ArrowRight}'],
  ['en-US', 1, 'Show: ', 'Next slide', '{ArrowLeft}'],
] as const)(
  'shows three slides by buttons and keys in %s',
  async (language, sign, show, next, key) => {
    await useLanguageOfTest(language);
    await renderPage('/home');
    await expect.element(main.getByRole('link').last()).toBeVisible();
    main.element().scrollIntoView({ block: 'end' });
    const button = main.getByRole('button', { name: next });
    await expect.element(button).toBeVisible();
    const track = () => document.querySelector('main .snap-x') as HTMLElement;
    const place = () => Math.round(track().scrollLeft / track().clientWidth) + 0;
    await button.click();
    await expect.poll(place).toBe(sign);
    await button.click();
    await expect.poll(place).toBe(2 * sign);
    await button.click();
    await expect.poll(place).toBe(0);
    const dots = main.getByRole('button', { name: new RegExp(`^${show}`) });
    expect(dots.elements()).toHaveLength(3);
    await dots.nth(2).click();
    await expect.element(dots.nth(2)).toHaveAttribute('aria-current', 'true');
    (dots.nth(2).element() as HTMLElement).focus();
    await userEvent.keyboard(key);
    await expect.element(dots.nth(1)).toHaveFocus();
    await expect.poll(place).toBe(sign);
  },
);
