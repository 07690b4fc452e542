import type { Page } from '@playwright/test';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { call } from '../api.ts';
import { portalVisits } from '../portal-visits.ts';
import {
  details,
  invitationPath,
  isTone,
  isWhole,
  may,
  numberOf,
  recordOf,
} from './demo-records.ts';
import { officeVisits } from './office-visits.ts';
import type { Visit } from './visit-pages.ts';

const pdf = {
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  ),
};
const submit = (page: Page) => page.locator('main form button[type=submit]').last().click();
const isPaid = (record: RequestRecord) => record.payments.some((each) => each.status === 'paid');

/** A stage of a form, with the answers of a sent request; `passed` is the completed part. */
const begun = (stage: string, passed: 'all' | 'steps') => ({
  as: 'individual',
  path: async (username: string) =>
    `/requests/Create/${(await recordOf(username, isWhole)).replacedName}#${stage}`,
  draft: async (username: string) => ({ record: await recordOf(username, isWhole), passed }),
});

async function popularService(): Promise<string> {
  const { body } = await call(serviceSearch, { query: { Pobular: 'true' } });
  return body[0]?.replacedName ?? '';
}

async function sendDocuments(page: Page): Promise<void> {
  let transfers = 0;
  // The first arrives, the second fails, the third stays in progress.
  await page.route(/UploadAttachment/, (route) => {
    transfers += 1;
    if (transfers === 1) return route.continue();
    if (transfers === 2) return route.abort();
    return undefined;
  });
  const places = page.locator('main input[type=file]');
  const names = [
    'emirates-id-front.pdf',
    'عقد الإيجار الموثق لسنة 2026.pdf',
    'a-very-long-name-of-a-scanned-document-that-does-not-fit-its-row.pdf',
  ];
  // A full field disappears, so the last one is always the next.
  for (
    let place = (await places.count()) - 1, sent = 0;
    place >= 0 && sent < names.length;
    place -= 1, sent += 1
  ) {
    await places.nth(place).setInputFiles({ name: names[sent] ?? '', ...pdf });
    await page.waitForTimeout(500);
  }
}

const visited = (page: Page) =>
  page.addInitScript(() => sessionStorage.setItem('homeVisited', 'yes'));

const openVisits: Visit[] = [
  {
    name: 'home-moving',
    path: '/home',
    isMoving: true,
    isWindow: true,
    before: visited,
    after: (page) =>
      page
        .locator('main video[data-shown]')
        .waitFor()
        .then(() => page.waitForTimeout(1500)),
  },
  {
    name: 'home-intro',
    path: '/home',
    isMoving: true,
    isWindow: true,
    after: (page) =>
      page
        .locator('dialog[open] video')
        .waitFor()
        .then(() => page.waitForTimeout(1500)),
  },
  {
    name: 'home-search',
    path: '/home',
    after: (page) => page.locator('input[type=search]').first().pressSequentially('e'),
  },
  {
    name: 'services-searched',
    path: '/services',
    state: { serviceSerach: 'licence', accountTypeId: 2 },
  },
  { name: 'services-none', path: '/services', state: { serviceSerach: 'qqqq' } },
  { name: 'login-errors', path: '/account/login', after: submit },
  {
    name: 'inquiry-found',
    path: async () => `/requests/inquiry?request-number=${await numberOf('individual')}`,
  },
  { name: 'inquiry-none', path: '/requests/inquiry?request-number=DW26-00000-00000' },
  { name: 'service', path: async () => `/requests/Create/${await popularService()}` },
  {
    name: 'services-suggestions',
    path: '/services',
    after: (page) =>
      page
        .locator('input[type=search]')
        .first()
        .pressSequentially('licence')
        .then(() => page.locator('[role=option]').first().waitFor()),
    isWindow: true,
  },
  { name: 'register-errors', path: '/account/register', after: submit },
  { name: 'link-account-errors', path: '/account/link', after: submit },
  { name: 'join-company', path: invitationPath },
  {
    name: 'join-company-new',
    path: invitationPath,
    after: (page) => page.locator('main button').last().click(),
  },
  {
    name: 'menu',
    path: '/services',
    only: 390,
    isWindow: true,
    after: (page) => page.locator('header button').first().click(),
  },
  {
    name: 'menu-language',
    path: '/services',
    isWindow: true,
    after: (page) => page.locator('header button[aria-haspopup=menu]').first().click(),
  },
];

const clientVisits: Visit[] = [
  {
    name: 'service-form',
    as: 'individual',
    path: async () => `/requests/Create/${await popularService()}#applicant`,
  },
  {
    name: 'service-form-errors',
    as: 'individual',
    path: async () => `/requests/Create/${await popularService()}#applicant`,
    after: submit,
  },
  { name: 'service-documents', ...begun('documents', 'steps') },
  {
    name: 'service-documents-errors',
    ...begun('documents', 'steps'),
    after: (page) => page.locator('main button:visible').nth(-2).click(),
  },
  { name: 'service-documents-sending', ...begun('documents', 'steps'), after: sendDocuments },
  { name: 'service-review', ...begun('review', 'all') },
  { name: 'my-requests-none', path: '/requests?q=qqqq', as: 'individual' },
  {
    name: 'my-requests-failed',
    path: '/requests',
    as: 'individual',
    before: (page) => page.route(/GetRequestsByStatusId/, (route) => route.abort()),
    after: (page) => page.locator('main [role=alert]').waitFor(),
  },
  { name: 'request-details', as: 'individual', path: details(isWhole) },
  { name: 'request-to-pay', as: 'individual', path: details(may('pay')) },
  { name: 'request-returned', as: 'individual', path: details(may('update')) },
  {
    name: 'request-correct',
    as: 'individual',
    path: details(may('update')),
    after: (page) => page.locator('section[aria-labelledby=request-now] button').last().click(),
  },
  { name: 'request-done', as: 'individual', path: details(isTone('done')) },
  { name: 'request-refused', as: 'individual2', path: details(isTone('refused')) },
  {
    name: 'request-missing',
    as: 'individual',
    path: '/requests/request-details?request-number=DW26-00000-00000',
  },
  { name: 'request-print', as: 'individual', path: details(isWhole), print: true },
  {
    name: 'menu-user',
    path: '/requests',
    as: 'individual',
    isWindow: true,
    after: (page) => page.locator('header button[aria-haspopup=menu]').last().click(),
  },
  {
    name: 'payment-succeeded',
    as: 'individual',
    path: async (username) =>
      `/payment-status?result=success&request-number=${await numberOf(username, isPaid)}`,
  },
  {
    name: 'payment-failed',
    as: 'individual',
    path: async (username) =>
      `/payment-status?request-number=${await numberOf(username, may('pay'))}`,
  },
  {
    name: 'payment-provider',
    as: 'individual',
    path: details(may('pay')),
    after: (page) =>
      page
        .locator('section[aria-labelledby=request-now] button')
        .click()
        .then(() => page.waitForURL((url) => !url.pathname.startsWith('/requests'))),
  },
  {
    name: 'accepted-request',
    as: 'individual',
    path: async (username) =>
      `/requests/accepted-request?request-number=${await numberOf(username, isTone('progress'))}`,
  },
  {
    name: 'accepted-request-print',
    as: 'individual',
    path: async (username) =>
      `/requests/accepted-request?request-number=${await numberOf(username, isTone('progress'))}`,
    print: true,
  },
  { name: 'partner-register-errors', path: '/partner/register', as: 'individual', after: submit },
  {
    name: 'messages',
    as: 'individual',
    path: details(isWhole),
    isWindow: true,
    before: (page) =>
      page.addInitScript(() =>
        Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: async () => undefined },
        }),
      ),
    after: (page) =>
      page
        .locator('main span[data-no-print] button:visible')
        .last()
        .click()
        .then(() => page.locator('header button[aria-haspopup=dialog]:visible').last().click()),
  },
];

/** Every page of the portal, and what takes more than its address to see. */
export const visits: readonly Visit[] = [
  ...portalVisits,
  ...openVisits,
  ...clientVisits,
  ...officeVisits,
];
