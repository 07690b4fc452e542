import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { setConfiguration } from '#lib/browser/configuration.ts';
import { agencyRecords } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection } from '#testing/answer-calls.ts';
import { namesOf, renderPage, useLanguageOfTest } from '#testing/render-page.tsx';
import { generateDynamicSitemapFile } from '@diwan/contract/content/sitemap';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';

afterEach(() => setConfiguration({}, window.location));

const main = page.getByRole('main');
const heading = page.getByRole('heading', { level: 1 });
const content = {
  fileName: '/sitemap.xml',
  agencies: agencyRecords.map((agency, index) => ({
    id: agency.id,
    name: agency.name,
    logo: agency.logo,
    services: [{ name: `خدمة ${index}`, replacedName: `service-${index}` }],
  })),
};

it.each([
  ['/terms-and-conditions', 'الشروط والأحكام', 11, true],
  ['/privacy-policy', 'سياسة الخصوصية', 11, true],
  ['/service-provider-term-and-conditions', 'شروط وأحكام مزودي الخدمات', 9, true],
  ['/terms-and-conditions-data-sharing', 'شروط وأحكام مشاركة البيانات', 8, true],
  ['/accessibility', 'بيان النفاذ الرقمي', 6, false],
])('%s: %s with %i sections', async (path, title, sections, isExample) => {
  const support = { email: 'help@diwan.example' };
  setConfiguration({ isDemonstration: true as never, support }, window.location);
  const { address } = await renderPage(path);
  await expect.element(heading).toHaveTextContent(title);
  const links = main.getByRole('navigation', { name: 'محتويات الصفحة' }).getByRole('link');
  expect(links.elements()).toHaveLength(sections);
  expect(main.getByText(/لا أثر قانوني له/).elements()).toHaveLength(isExample ? 1 : 0);
  await expect.element(main.getByText(/آخر تحديث/)).toBeVisible();
  const [last] = namesOf(links).slice(-1);
  await links.last().click();
  const section = main.getByRole('heading', { level: 2, name: last });
  await expect.element(section).toHaveFocus();
  await expect.poll(address).toMatch(/#\w+$/);
});

// An administrator gives the details of support, and a deployment can be without UAE PASS.
it.each([
  ['/terms-and-conditions', 11],
  ['/privacy-policy', 11],
  ['/terms-and-conditions-data-sharing', 8],
  ['/accessibility', 5],
])('%s points only to what the portal has', async (path, sections) => {
  await renderPage(path);
  await expect.poll(() => window.sessionStorage.getItem('uaePassEnabled')).toBe('false');
  const contents = main.getByRole('navigation', { name: 'محتويات الصفحة' });
  expect(contents.getByRole('link').elements()).toHaveLength(sections);
  expect(main.element().textContent).not.toMatch(/UAE PASS|الدعم|أسفل/);
});

it('names the contacts of support and UAE PASS where the portal has them', async () => {
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  const support = { phone: '800 1234', email: 'help@diwan.example' };
  setConfiguration({ support }, window.location);
  await renderPage('/privacy-policy');
  await expect.element(main.getByText(/UAE PASS/)).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: /800 1234/ }).first())
    .toHaveAttribute('href', 'tel:8001234');
  const section = main.getByRole('region', { name: 'أسئلة عن الخصوصية' });
  await expect
    .element(section.getByRole('link', { name: 'help@diwan.example' }))
    .toHaveAttribute('href', 'mailto:help@diwan.example');
});

it('opens at the section of the address', async () => {
  await renderPage('/terms-and-conditions#refunds');
  await expect
    .element(main.getByRole('heading', { level: 2, name: 'استرداد الرسوم' }))
    .toHaveFocus();
});

it('lists the pages and, by agency, the services of the site map', async () => {
  const { reply, release } = holdReply<typeof content>();
  answerCall(generateDynamicSitemapFile, () => reply);
  await renderPage('/sitemap.xml');
  await expect.element(main.getByText('جارٍ التحميل…').first()).toBeInTheDocument();
  await expect
    .element(main.getByRole('link', { name: 'بيان النفاذ الرقمي' }))
    .toHaveAttribute('href', '/accessibility');
  release(content);
  const service = main.getByRole('link', { name: 'خدمة 1' });
  await expect.element(main.getByText('خدمة واحدة').first()).toBeVisible();
  expect(service.elements()).toEqual([]);
  await main.getByText('جمارك دبي').click();
  await expect.element(service).toHaveAttribute('href', '/requests/Create/service-1');
  await main.getByRole('button', { name: 'عرض الخدمات كلها' }).click();
  await expect.element(main.getByRole('link', { name: 'خدمة 0' })).toBeVisible();
  await main.getByRole('button', { name: 'إخفاء الخدمات' }).click();
  await expect.element(main.getByRole('link', { name: 'خدمة 0' })).not.toBeInTheDocument();
});

it('explains a missing connection in the site map and tries again', async () => {
  answerCall(generateDynamicSitemapFile, noConnection);
  await renderPage('/sitemap.xml');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر عرض الخدمات')).toBeVisible();
  answerCall(generateDynamicSitemapFile, content);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('جمارك دبي')).toBeVisible();
});

// Specification §2.
it.each([
  [
    '/not-found',
    'الصفحة غير موجودة',
    'لم نجد ما تبحث عنه.',
    ['/home', '/services', '/sitemap.xml'],
  ],
  [
    '/no/such/page?x=%E2%80%AE',
    'الصفحة غير موجودة',
    'لم نجد ما تبحث عنه.',
    ['/home', '/services', '/sitemap.xml'],
  ],
  [
    '/dashboard/nothing',
    'الصفحة غير موجودة',
    'لم نجد ما تبحث عنه.',
    ['/home', '/services', '/sitemap.xml'],
  ],
  [
    '/server-error',
    'الخدمة غير متاحة مؤقتًا',
    'حدث خطأ لدينا. أعد المحاولة بعد قليل.',
    ['/home', '/requests/inquiry'],
  ],
])('%s says what happened and where to go', async (path, title, message, links) => {
  await renderPage(path);
  await expect.element(heading).toHaveTextContent(title);
  await expect.element(main.getByText(message)).toBeVisible();
  const addresses = main
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'));
  expect(addresses).toEqual(links);
});

it.each([
  ['en-US', 'ltr', 'Page not found'],
  ['ur-PK', 'rtl', 'صفحہ نہیں ملا'],
] as const)('names an unknown page in %s (%s)', async (language, direction, title) => {
  await useLanguageOfTest(language);
  await renderPage('/no/such/page');
  await expect.element(heading).toHaveTextContent(title);
  expect(getComputedStyle(main.element()).direction).toBe(direction);
  await expect.poll(() => document.title).toMatch(new RegExp(`^${title} \\| `));
});
