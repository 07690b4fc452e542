import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { setConfiguration } from '#lib/browser/configuration.ts';
import { agencyRecords } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection } from '#testing/answer-calls.ts';
import { namesOf, renderPage, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getLegalPage,
  getLegalPageVersion,
  type LegalPage,
  type LegalPageName,
} from '@diwan/contract/content/legal-pages';
import { generateDynamicSitemapFile } from '@diwan/contract/content/sitemap';

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

const legalText = (page: LegalPageName, id = 7): LegalPage => ({
  page,
  id,
  changedAt: '2026-11-20T08:00:00.000Z',
  sections: [
    { id: 'use', title: 'استخدام البوابة', text: 'فقرة أولى\n- بند\n- بند آخر' },
    {
      id: 'keeping',
      title: 'مدة الحفظ',
      text: '| البيانات | المدة |\n| المسودة | 90 يومًا |\nاقرأ [السياسة](/privacy-policy) أو [راسلنا](mailto:a@b.example).',
    },
    { id: 'refunds', title: 'استرداد الرسوم', text: 'نص' },
  ],
  versions: [
    { id: 7, changedAt: '2026-11-20T08:00:00.000Z' },
    { id: 3, changedAt: '2026-11-02T08:00:00.000Z' },
  ],
});

it.each([
  ['/terms-and-conditions', 'الشروط والأحكام', 'terms', true],
  ['/privacy-policy', 'سياسة الخصوصية', 'privacy', true],
  ['/storage-and-cookies', 'التخزين وملفات تعريف الارتباط', 'storage', false],
  ['/service-provider-term-and-conditions', 'شروط وأحكام مزودي الخدمات', 'providerTerms', true],
  ['/terms-and-conditions-data-sharing', 'شروط وأحكام مشاركة البيانات', 'dataSharing', true],
  ['/accessibility', 'بيان النفاذ الرقمي', 'accessibility', false],
] as const)(
  '%s: %s with contents and the date of its change',
  async (path, title, name, isExample) => {
    answerCall(getLegalPage, legalText(name));
    setConfiguration({ isDemonstration: true as never }, window.location);
    const { address } = await renderPage(path);
    await expect.element(heading).toHaveTextContent(title);
    const links = main.getByRole('navigation', { name: 'محتويات الصفحة' }).getByRole('link');
    await expect.element(links.first()).toBeVisible();
    expect(namesOf(links)).toEqual(['استخدام البوابة', 'مدة الحفظ', 'استرداد الرسوم']);
    expect(main.getByText(/لا أثر قانوني له/).elements()).toHaveLength(isExample ? 1 : 0);
    setConfiguration({}, window.location);
    await expect.element(main.getByText(/آخر تحديث: 20 نوفمبر 2026/)).toBeVisible();
    await links.last().click();
    const section = main.getByRole('heading', { level: 2, name: 'استرداد الرسوم' });
    await expect.element(section).toHaveFocus();
    await expect.poll(address).toMatch(/#refunds$/);
  },
);

it('shows lists, tables and links, and leads to other versions', async () => {
  answerCall(getLegalPage, legalText('terms'));
  answerCall(getLegalPageVersion, {
    ...legalText('terms', 3),
    changedAt: '2026-11-02T08:00:00.000Z',
    sections: [{ id: 'use', title: 'استخدام البوابة', text: 'قديم' }],
  });
  const { address } = await renderPage('/terms-and-conditions');
  await expect.element(main.getByRole('listitem').getByText('بند آخر')).toBeVisible();
  await expect.element(main.getByRole('cell', { name: '90 يومًا' })).toBeVisible();
  expect(main.getByRole('link', { name: 'السياسة' }).element().getAttribute('href')).toBe(
    '/privacy-policy',
  );
  expect(main.getByRole('link', { name: 'راسلنا' }).element().getAttribute('href')).toBe(
    'mailto:a@b.example',
  );
  await main.getByText('نسخ أخرى').click();
  await main.getByRole('link', { name: 'نسخة 2 نوفمبر 2026' }).click();
  await expect.poll(address).toBe('/legal/3');
  await expect.element(heading).toHaveTextContent('الشروط والأحكام: نسخة 2 نوفمبر 2026');
  await expect.element(main.getByText(/كما نُشر في ذلك اليوم/)).toBeVisible();
  await main.getByText('ما تغيّر بعدها').click();
  await expect.element(main.getByRole('deletion').getByText('قديم')).toBeVisible();
  await main.getByRole('link', { name: 'عرض النص الساري' }).click();
  await expect.poll(address).toBe('/terms-and-conditions');
});

it('opens at the section of the address, and tries again after a failure', async () => {
  answerCall(getLegalPage, noConnection);
  await renderPage('/terms-and-conditions#refunds');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر تحميل الصفحة')).toBeVisible();
  answerCall(getLegalPage, legalText('terms'));
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
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
    ['/home', '/requests/inquiry', '/status'],
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
