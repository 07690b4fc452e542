// What staff, service providers and administrators see.
import type { Page } from '@playwright/test';
import { getAllCompanies } from '@diwan/contract/people/companies';
import { getAllPartners } from '@diwan/contract/people/partners';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { getAllUsers } from '@diwan/contract/staff/user-administration';
import { call } from '../api.ts';
import { details, isTone, isWhole, may, tokenOf } from './demo-records.ts';
import type { Visit } from './visit-pages.ts';

const hasPicture = (record: RequestRecord) =>
  record.attachments.some((each) => each.mediaType.startsWith('image/'));

async function pressAction(page: Page, action: string): Promise<void> {
  const button = page.locator(`[data-focus-id="${action}"]`);
  if (!(await button.isVisible()))
    await page.locator('section[data-no-print] button[aria-expanded]').click();
  await button.click();
  const dialog = page.locator('[role=dialog], [role=alertdialog]');
  // Documents that are not viewed ask once more.
  await dialog.or(page.locator('[data-unviewed]')).first().waitFor();
  if (!(await dialog.isVisible())) await button.click();
  await dialog.waitFor();
}

/** Marks the first answer with a listed reason. */
const flagFirst = (page: Page) =>
  page
    .locator('[data-mark-flag]')
    .first()
    .click()
    .then(() => page.locator('[role=menuitem]').first().click());

const provider = (state: 'registered' | 'suspended') => async (username: string) => {
  const { body } = await call(getAllPartners, {
    token: await tokenOf(username),
    query: { State: state },
  });
  return `/dashboard/service-providers/${body.items[0]?.id}`;
};

const adminVisits: Visit[] = [
  {
    name: 'password-dialog',
    path: '/requests/new',
    as: 'employee',
    isWindow: true,
    after: (page) =>
      page
        .locator('header button[aria-haspopup=menu]')
        .last()
        .click()
        .then(() => page.locator('[role=menuitem]').nth(-2).click())
        .then(() => page.locator('[role=dialog]').waitFor()),
  },
  {
    name: 'bell',
    path: '/requests/processing',
    as: 'employee',
    isWindow: true,
    after: (page) =>
      page.locator('header [data-bell], header button[aria-haspopup=menu]').nth(1).click(),
  },
  { name: 'reports-print', path: '/reports', as: 'admin', print: true },
  { name: 'admin-provider', path: provider('registered'), as: 'admin' },
  {
    name: 'admin-provider-suspended',
    path: provider('suspended'),
    as: 'admin',
  },
  {
    name: 'admin-user',
    path: async (username) => {
      const { body } = await call(getAllUsers, {
        token: await tokenOf(username),
        query: { SearchKeyword: 'supervisor2' },
      });
      return `/dashboard/users/${body.items[0]?.id}`;
    },
    as: 'admin',
  },
  {
    name: 'admin-company',
    path: async (username) => {
      const { body } = await call(getAllCompanies, { token: await tokenOf(username) });
      return `/dashboard/companies/${body.items[0]?.id}`;
    },
    as: 'admin',
  },
  { name: 'admin-service-designer', path: '/dashboard/services/1', as: 'admin' },
  { name: 'admin-services-retired', path: '/dashboard/services?show=retired', as: 'admin' },
  { name: 'admin-attachment-types', path: '/dashboard/attachments?show=types', as: 'admin' },
  { name: 'admin-announcement-new', path: '/dashboard/announcements?edit=new', as: 'admin' },
  { name: 'admin-closures', path: '/dashboard/announcements?tab=closures', as: 'admin' },
  { name: 'admin-text', path: '/dashboard/texts?text=home%3Aquestion', as: 'admin' },
  {
    name: 'admin-provider-decide',
    path: provider('registered'),
    as: 'admin',
    isWindow: true,
    after: (page) =>
      page
        .locator('main [role=group] button')
        .first()
        .click()
        .then(() => page.locator('[role=dialog], [role=alertdialog]').waitFor()),
  },
  {
    name: 'menu-manage',
    path: '/dashboard/users',
    as: 'admin',
    only: 1280,
    isWindow: true,
    after: (page) => page.locator('header nav button[aria-haspopup=menu]').click(),
  },
  {
    name: 'menu-side-admin',
    path: '/dashboard/users',
    as: 'admin',
    only: 390,
    isWindow: true,
    after: (page) => page.locator('header button').first().click(),
  },
];

const staffVisits: Visit[] = [
  { name: 'staff-none', path: '/requests/all?q=qqqq&from=2026-01-01', as: 'employee' },
  {
    name: 'staff-details',
    as: 'employee',
    path: details((record) => may('receive')(record) && isWhole(record)),
  },
  {
    name: 'staff-details-end',
    as: 'employee',
    path: details(may('receive')),
    isWindow: true,
    after: (page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight)),
  },
  {
    name: 'staff-details-waiting',
    as: 'employee',
    path: details((record) => record.allowedActions.length === 0 && isTone('waiting')(record)),
    isWindow: true,
  },
  {
    name: 'staff-details-document',
    as: 'employee',
    path: details(hasPicture),
    isWindow: true,
    after: (page) => page.locator('main ul button[aria-pressed=false]').first().click(),
  },
  { name: 'staff-details-held', as: 'employee', path: details(may('approve')), isWindow: true },
  {
    name: 'staff-flag',
    as: 'employee',
    path: details(may('return')),
    isWindow: true,
    after: (page) => flagFirst(page).then(() => page.locator('[data-mark-flag]').nth(1).click()),
  },
  {
    name: 'staff-return',
    as: 'employee',
    path: details(may('return')),
    isWindow: true,
    after: (page) => flagFirst(page).then(() => pressAction(page, 'return')),
  },
  {
    name: 'staff-return-errors',
    as: 'employee',
    path: details(may('return')),
    isWindow: true,
    after: (page) =>
      pressAction(page, 'return').then(() => page.locator('[role=dialog] button').nth(-2).click()),
  },
  {
    name: 'staff-reject',
    as: 'employee',
    path: details(may('reject')),
    isWindow: true,
    after: (page) => pressAction(page, 'reject'),
  },
  {
    name: 'staff-options',
    as: 'employee',
    path: details(may('approve')),
    isWindow: true,
    after: (page) => pressAction(page, 'options'),
  },
  {
    name: 'staff-panes',
    as: 'employee',
    path: '/requests/all',
    isWindow: true,
    after: (page) =>
      page
        .locator('main .row-link:visible')
        .first()
        .click()
        .then(() => page.locator('section[aria-labelledby=staff-documents]').waitFor()),
  },
  {
    name: 'staff-complete',
    as: 'supervisor2',
    path: details(may('submitted')),
    isWindow: true,
    after: (page) => pressAction(page, 'submitted'),
  },
];

export const officeVisits: readonly Visit[] = [...adminVisits, ...staffVisits];
