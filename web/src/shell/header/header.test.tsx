import { expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showToast } from '#lib/browser/toasts.ts';
import { loaded, setTexts } from '#lib/i18n/translate.ts';
import { reload } from '#lib/page/reload.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { changeOwnCommunication } from '@diwan/contract/people/communication-types';
import { changeSupervisorLanguage, logout } from '@diwan/contract/people/users';
import type { Role } from '@diwan/contract/wire/call';
import { languages } from '@diwan/contract/wire/languages';

const banner = page.getByRole('banner');
const userMenu = banner.getByRole('button', { name: /حسابي/ });
const menuItems = page.getByRole('menuitem');

interface Shown {
  role: Role | undefined;
  /** After the public links. */
  links: string[];
  /** At the end of the header. */
  controls: string[];
  entries: string[];
}

const language = 'اختيار اللغة العربية';
const account = 'حسابي سالم الكتبي';
const bell = 'الإشعارات: لا توجد طلبات جديدة، لا توجد طلبات قيد الإنجاز';
const menu = 'فتح القائمة';
const palette = 'بحث شامل';
// The home page ends the session, so signed-in users have no link to it: decision 0038.
const publicLinks = ['الخدمات', 'الاستعلام عن طلب'];
const isStaffRole = (role: Role | undefined) =>
  role === 'Admin' || role === 'Employee' || role === 'ServiceProvider';
// The work of staff comes first.
const withPublicLinks = (role: Role | undefined, links: readonly string[]) =>
  isStaffRole(role)
    ? [...links, ...publicLinks]
    : [...(role ? publicLinks : ['الرئيسية', ...publicLinks]), ...links];
const staffLinks = ['الطلبات الجديدة', 'قيد الإنجاز', 'جميع الطلبات'];

// Specification §6.
const noNotifications = 'الإشعارات لا إشعارات غير مقروءة';
const everyone: Shown[] = [
  { role: undefined, links: [], controls: [language], entries: [] },
  {
    role: 'Client',
    links: ['طلباتي'],
    controls: [language, account],
    entries: ['ملفي الشخصي', noNotifications, 'تسجيل الخروج'],
  },
  {
    role: 'CompanyUser',
    links: ['لوحة المعلومات', 'طلباتي', 'مستخدمو الشركة'],
    controls: [language, account],
    entries: ['ملفي الشخصي', noNotifications, 'تغيير كلمة المرور', 'تسجيل الخروج'],
  },
  {
    role: 'Employee',
    links: [...staffLinks, 'مركز الخدمة'],
    controls: [language, palette, bell, account],
    entries: ['ملفي الشخصي', 'النصوص المحفوظة', 'تغيير كلمة المرور', 'تسجيل الخروج'],
  },
  {
    role: 'ServiceProvider',
    links: ['لوحة المعلومات', 'ملف مزود الخدمة', 'التقارير'],
    controls: [language, palette, bell, account],
    entries: ['ملفي الشخصي', 'النصوص المحفوظة', 'تسجيل الخروج'],
  },
  {
    role: 'Admin',
    links: ['لوحة المعلومات', 'الطلبات الجديدة', 'قيد الإنجاز'],
    controls: [language, palette, account],
    entries: ['ملفي الشخصي', noNotifications, 'النصوص المحفوظة', 'تسجيل الخروج'],
  },
];

const signInIf = (role: Role | undefined) => {
  if (role) signInAs(role, { fullName: 'سالم الكتبي' });
};

it.each(everyone)(
  'shows $role the links $links and the menu $entries',
  async ({ role, links, controls, entries }) => {
    signInIf(role);
    await renderPage('/not-found');
    const navigation = page.getByRole('navigation', { name: 'القائمة الرئيسية' });
    const atEnd = banner.getByRole('button').filter({ hasNot: navigation });
    await expect
      .poll(() => namesOf(navigation.getByRole('link')))
      .toEqual(withPublicLinks(role, links));
    const manage = role === 'Admin' ? ['الإدارة'] : [];
    await expect.poll(() => namesOf(atEnd)).toEqual([menu, ...controls, ...manage]);
    const login = banner.getByRole('link', { name: 'تسجيل الدخول' });
    expect(login.elements()).toHaveLength(role ? 0 : 1);
    if (!role) return;
    await userMenu.click();
    await expect.poll(() => namesOf(menuItems)).toEqual(entries);
  },
);

it.each([
  ['ar-EG', 'عمران صديقي'],
  ['en-US', 'Imran Siddiqui'],
  ['ur-PK', 'عمران صديقي'],
] as const)('names the user in the script of %s', async (language, name) => {
  await useLanguageOfTest(language);
  signInAs('Client', { fullName: 'Imran Siddiqui', fullNameAr: 'عمران صديقي' });
  await renderPage('/not-found');
  await expect.element(banner.getByText(name)).toBeInTheDocument();
});

const widths = [390, 1280];
const everyoneByWidth = everyone.flatMap(({ role, links }) =>
  widths.map((width) => ({ role, links, width })),
);

// Specification §2: the navigation bar has a side menu.
it.each(everyoneByWidth)(
  'shows $role the same links in the side menu at $width px',
  async (shown) => {
    const { role, links, width } = shown;
    await page.viewport(width, 844);
    signInIf(role);
    await renderPage('/not-found');
    const onDesktop = page.getByRole('navigation', { name: 'القائمة الرئيسية' });
    expect(onDesktop.elements()).toHaveLength(width === 390 ? 0 : 1);
    await banner.getByRole('button', { name: 'فتح القائمة' }).click();
    const dialog = page.getByRole('dialog', { name: 'القائمة' });
    await expect.element(dialog).toBeVisible();
    const managed = 23;
    const names = namesOf(dialog.getByRole('link'));
    const expected = role === 'Admin' ? [...links, 'جميع الطلبات', 'التقارير'] : links;
    const all = withPublicLinks(role, expected);
    expect(names.slice(0, all.length)).toEqual(all);
    expect(names).toHaveLength(all.length + (role === 'Admin' ? managed : 0));
    // Two links never have the same name.
    expect(new Set(names).size).toBe(names.length);
  },
);

it('shows an administrator the management menu in English', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  await renderPage('/not-found');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('button', { name: 'Manage' }).click();
  await expect
    .poll(() => namesOf(menuItems))
    .toEqual([
      'All requests',
      'Reports',
      'Users',
      'Teams',
      'Service providers',
      'Companies',
      'Service provider users',
      'Service catalogue',
      'Agencies',
      'Categories',
      'Attachments',
      'Rejection reasons',
      'Workflow',
      'The portal',
      'Texts',
      'Announcements',
      'Working days',
      'Certificates',
      'Search activity',
      'Payments',
      'Sign-in security',
      'Messages',
      'Audit log',
      'Complaints',
      'Unusual reading',
    ]);
});

it.each(languages)('shows the links of an administrator in one line in %s', async (language) => {
  await useLanguageOfTest(language);
  signInAs('Admin');
  await renderPage('/not-found');
  const items = page.getByRole('navigation').first().getByRole('listitem');
  await expect.poll(() => items.elements().length).toBe(publicLinks.length + 4);
  const tops = items.elements().map((item) => item.getBoundingClientRect().top);
  expect(new Set(tops).size).toBe(1);
});

it('opens, moves in and closes a menu by keys, and returns the focus', async () => {
  signInAs('CompanyUser');
  await renderPage('/not-found');
  await expect.element(userMenu).toBeVisible();
  (userMenu.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(menuItems.nth(0)).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(menuItems.nth(1)).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(menuItems.nth(3)).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(userMenu).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(menuItems.nth(0)).toHaveFocus();
});

it('keeps the focus in the menu of a phone and returns it', async () => {
  await page.viewport(390, 844);
  await renderPage('/not-found');
  const open = banner.getByRole('button', { name: 'فتح القائمة' });
  (open.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const menu = page.getByRole('dialog', { name: 'القائمة' });
  await expect.element(menu).toBeVisible();
  for (let press = 0; press < 6; press += 1) {
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => menu.element().contains(document.activeElement)).toBe(true);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(open).toHaveFocus();
});

it('follows a link of the menu of a phone, closes it and focuses the heading', async () => {
  await page.viewport(390, 844);
  const { address } = await renderPage('/not-found');
  await banner.getByRole('button', { name: 'فتح القائمة' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'الاستعلام عن طلب' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
  await expect.poll(address).toBe('/requests/inquiry');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

it.each([
  ['English', 'en-US', 'ltr', 'Services'],
  ['اردو', 'ur-PK', 'rtl', 'خدمات'],
])('changes texts and direction to %s', async (choice, tag, direction, services) => {
  await renderPage('/not-found');
  await banner.getByRole('button', { name: /اختيار اللغة/ }).click();
  const chosen = page.getByRole('menuitemradio', { name: 'العربية' });
  await expect.element(chosen).toHaveAttribute('aria-checked', 'true');
  await page.getByRole('menuitemradio', { name: choice }).click();
  await expect
    .element(page.getByRole('navigation').first().getByRole('link', { name: services }))
    .toBeVisible();
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual([tag, direction]);
  expect(getComputedStyle(banner.element()).direction).toBe(direction);
});

it('stores the language in which a signed-in user gets messages', async () => {
  const sent = answerCall(changeOwnCommunication, { proved: [] });
  signInAs('Client');
  await renderPage('/not-found');
  await banner.getByRole('button', { name: /اختيار اللغة/ }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ language: 'en-US' }]);
  expect(reload).not.toHaveBeenCalled();
});

it.each([
  ['stores it and loads the page again', { changed: true }, 1],
  ['changes it in this browser when the server refuses', refuse(500, 'InternalServerError'), 0],
])('the language of a supervisor: %s', async (_, reply, reloads) => {
  const sent = answerCall(changeSupervisorLanguage, () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  signInAs('ServiceProvider', { ssid: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01' });
  await renderPage('/not-found');
  await banner.getByRole('button', { name: /اختيار اللغة/ }).click();
  await page.getByRole('menuitemradio', { name: 'اردو' }).click();
  await expect.poll(() => window.localStorage.getItem('language')).toBe('Urdu');
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({
      SupervisorId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01',
      Language: 'Urdu',
    });
  await expect.poll(() => vi.mocked(reload).mock.calls.length).toBe(reloads);
});

it('begins with the language that a supervisor chose elsewhere', async () => {
  window.localStorage.clear();
  signInAs('ServiceProvider', { language: 'ur-PK' });
  await renderPage('/not-found');
  await expect.poll(() => document.documentElement.lang).toBe('ur-PK');
});

it.each([
  [undefined, '/home'],
  ['Client', '/home/services/individuals'],
  ['CompanyUser', '/home/services/companies'],
  ['Employee', '/requests/new'],
  ['ServiceProvider', '/dashboard-supervisor'],
  ['Admin', '/dashboard-Admin'],
] as const)('leads %s by the logo to %s', async (role, address) => {
  signInIf(role);
  await renderPage('/terms-and-conditions');
  await expect
    .element(banner.getByRole('link', { name: /الخدمات الحكومية/ }).first())
    .toHaveAttribute('href', address);
});

it('asks before it signs out while a draft is only on this device', async () => {
  answerHome();
  const sent = answerCall(logout, { ended: true });
  signInAs('Client');
  localStorage.setItem('draft:session:7:a', '{}');
  const { address } = await renderPage('/terms-and-conditions');
  const leave = async () => {
    await userMenu.click();
    await page.getByRole('menuitem', { name: 'تسجيل الخروج' }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'لم يُحفظ كل ما كتبته' });
  await leave();
  await dialog.getByRole('button', { name: 'البقاء مسجّل الدخول' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect([sent.length, address(), localStorage.getItem('draft:session:7:a')]).toEqual([
    0,
    '/terms-and-conditions',
    '{}',
  ]);
  await leave();
  await dialog.getByRole('button', { name: 'تسجيل الخروج وحذف ما لم يُحفظ' }).click();
  await expect.poll(address).toBe('/home');
  await expect.poll(() => sent).toHaveLength(1);
  expect(Object.keys(localStorage).filter((key) => key.includes('session'))).toEqual([]);
});

it('signs out to the home page', async () => {
  answerHome();
  const sent = answerCall(logout, { ended: true });
  signInAs('Client');
  const { address } = await renderPage('/terms-and-conditions');
  showToast('رسالة لهذا المستخدم', 'success');
  await userMenu.click();
  await page.getByRole('menuitem', { name: 'تسجيل الخروج' }).click();
  await expect.element(page.getByText('تم تسجيل خروجك')).toBeVisible();
  await expect.poll(address).toBe('/home');
  await expect.poll(() => sent).toHaveLength(1);
  await expect.poll(() => window.sessionStorage.getItem('token')).toBeNull();
  await expect.element(banner.getByRole('link', { name: 'تسجيل الدخول' })).toBeVisible();
  // The next user does not see the messages of this one.
  await banner.getByRole('button', { name: 'فتح القائمة' }).click();
  await page.getByRole('button', { name: 'أحدث الرسائل' }).click();
  const messages = page.getByRole('dialog').getByRole('listitem');
  await expect
    .poll(() => messages.elements().map((each) => each.firstChild?.textContent))
    .toEqual(['تم تسجيل خروجك']);
});

it('keeps a long name of the portal within the frame of staff, and has the short one on a phone', async () => {
  const name = 'Ministry of Climate Change and Environment services';
  await useLanguageOfTest('en-US');
  const shipped = loaded.get('en-US/shell') ?? {};
  setTexts('en-US', 'shell', { ...shipped, wordmark: name, shortName: 'MOCCAE' });
  onTestFinished(() => setTexts('en-US', 'shell', shipped));
  signInAs('Admin');
  await page.viewport(1280, 800);
  await renderPage('/not-found');
  const shown = banner.getByText(name, { exact: true });
  await expect.element(shown).toBeVisible();
  const frame = banner.element().getBoundingClientRect();
  expect(shown.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(frame.top);
  expect(shown.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(frame.bottom);
  await page.viewport(390, 844);
  await expect.element(banner.getByText('MOCCAE')).toBeVisible();
  await expect.element(shown).not.toBeVisible();
});

it('has one row on a phone also with a name that is longer than the room for it', async () => {
  const shipped = loaded.get('ar-EG/shell') ?? {};
  const names = { wordmark: 'منصة خدمات وزارة التغير المناخي', shortName: 'خدمات الوزارة' };
  setTexts('ar-EG', 'shell', { ...shipped, ...names });
  onTestFinished(() => setTexts('ar-EG', 'shell', shipped));
  answerHome();
  await page.viewport(390, 844);
  await renderPage('/home');
  await expect.element(banner.getByText(names.shortName)).toBeVisible();
  const middleOf = (name: string) => {
    const { top, height } = banner.getByRole('button', { name }).element().getBoundingClientRect();
    return top + height / 2;
  };
  expect(middleOf(menu)).toBeCloseTo(middleOf(language), 0);
});
