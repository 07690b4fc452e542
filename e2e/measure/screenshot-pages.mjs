// The entries of e2e/measure/visit-pages.mjs. `as` is a demo user, `path` and `state` may call the API,
// `draft` stores a draft, `after` runs before the picture, `isWindow` takes the visible part only,
// `print` shows the printed page, `only` is the only width, `isMoving` allows motion, `isFresh`
// signs in for each picture, because the page renews its token.
import { Buffer } from 'node:buffer';
import { portalVisits } from '../portal-visits.ts';
import { details, isTone, isWhole, may, numberOf } from './record-paths.mjs';
import { officePages } from './screenshot-office-pages.mjs';

const pdf = {
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  ),
};
const submit = (page) => page.locator('main form button[type=submit]').last().click();
const isPaid = (record) => record.payments.some((each) => each.status === 'paid');

/** A stage of a form, with the answers of a sent request; `passed` is the completed part. */
const begun = (stage, passed) => ({
  as: 'individual',
  path: async (api) => `/requests/Create/${(await api.record(isWhole)).replacedName}#${stage}`,
  draft: async (api) => ({ record: await api.record(isWhole), passed }),
});

async function sendDocuments(page) {
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
    await places.nth(place).setInputFiles({ name: names[sent], ...pdf });
    await page.waitForTimeout(500);
  }
}

const visited = (page) => page.addInitScript(() => sessionStorage.setItem('homeVisited', 'yes'));
const sandbox = process.env.SANDBOX_URL ?? 'http://localhost:3001';

/** Only the message contains the link of an invitation. */
async function invitation(api) {
  const email = 'colleague@example.com';
  await api.send('invitation', '/api/Company/InviteCompanyUser?ln=en-US', { email });
  const messages = await (await fetch(`${sandbox}/messages`)).text();
  return `/${/companies\/join#[\w-]+/.exec(messages.slice(messages.indexOf(email)))[0]}`;
}

const openPages = [
  {
    name: 'home-moving',
    path: '/home',
    isMoving: true,
    isWindow: true,
    before: visited,
    after: (page) =>
      page.mouse
        .move(200, 300)
        .then(() => page.waitForTimeout(1000))
        .then(() => page.mouse.move(210, 310))
        .then(() => page.locator('main video').waitFor())
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
    path: async (api) => `/requests/inquiry?request-number=${await numberOf(api.of('individual'))}`,
  },
  { name: 'inquiry-none', path: '/requests/inquiry?request-number=DW26-00000-00000' },
  { name: 'service', path: async (api) => `/requests/Create/${await api.popularService()}` },
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
  { name: 'join-company', path: async (api) => invitation(api.of('company')) },
  {
    name: 'join-company-new',
    path: async (api) => invitation(api.of('company')),
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

const clientPages = [
  {
    name: 'service-form',
    as: 'individual',
    path: async (api) => `/requests/Create/${await api.popularService()}#applicant`,
  },
  {
    name: 'service-form-errors',
    as: 'individual',
    path: async (api) => `/requests/Create/${await api.popularService()}#applicant`,
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
    path: async (api) =>
      `/payment-status?result=success&request-number=${await numberOf(api, isPaid)}`,
  },
  {
    name: 'payment-failed',
    as: 'individual',
    path: async (api) => `/payment-status?request-number=${await numberOf(api, may('pay'))}`,
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
    path: async (api) =>
      `/requests/accepted-request?request-number=${await numberOf(api, isTone('progress'))}`,
  },
  {
    name: 'accepted-request-print',
    as: 'individual',
    path: async (api) =>
      `/requests/accepted-request?request-number=${await numberOf(api, isTone('progress'))}`,
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

export const pages = [...portalVisits, ...openPages, ...clientPages, ...officePages];
