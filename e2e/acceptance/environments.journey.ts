import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { Page } from '@playwright/test';
import fastify, { type FastifyInstance } from 'fastify';
import { openPortalConfiguration } from '../../api/src/platform/http/portal-configuration.ts';
import { addSecurityHeaders } from '../../api/src/platform/http/security-headers.ts';
import { findService, storeSession, sendRequest } from '../api.ts';
import { fillStep } from '../fill-form.ts';
import { expect, test } from '../journey.ts';
import { otherSitePort, portalUrl } from '../server.ts';
import { expectAccessible, openBrowser, screens, signIn, textsOf } from '../steps.ts';

const built = process.env.PORTAL_DIR ?? join(import.meta.dirname, '../../web/dist');
const host = `localhost:${otherSitePort}`;
const site = `http://${host}`;
// All use one configuration file on one port, so the tests run one after the other.
test.describe.configure({ mode: 'default' });

let folder: string;
let server: FastifyInstance;

/**
 * The built site served again on another origin without an API: only `configuration.json` decides
 * which API it uses.
 */
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-other-site-'));
  cpSync(built, folder, { recursive: true });
  server = fastify();
  addSecurityHeaders(server, {
    configuration: openPortalConfiguration(folder, () => undefined),
    publicHost: host,
  });
  await server.register(staticFiles, { root: folder, index: false, cacheControl: false });
  server.setNotFoundHandler((request, reply) =>
    request.url.startsWith('/api/') ? reply.status(404).send({}) : reply.sendFile('index.html'),
  );
  await server.listen({ port: otherSitePort, host: '0.0.0.0' });
});
test.afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const configure = (content: unknown) =>
  writeFileSync(
    join(folder, 'configuration.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
const secondEnvironment = (apiBaseUrl: string, hosts = [host]) => ({
  environments: { testing: { hosts, apiBaseUrl } },
  support: { phone: '+971 4 111 2222', email: 'help@testing.example' },
});

/** Calls to the site's own origin, although the API is elsewhere. */
function watchCalls(page: Page): { own: string[]; sockets: string[] } {
  const seen = { own: [] as string[], sockets: [] as string[] };
  page.on('request', (request) => {
    if (request.url().startsWith(`${site}/api/`)) seen.own.push(request.url());
  });
  page.on('websocket', (socket) => seen.sockets.push(socket.url()));
  return seen;
}

const [arabic, english] = screens;

test('the built site is moved to another environment by its configuration alone: search, sign-in, upload, download', async ({
  browser,
}) => {
  const { language } = arabic;
  const t = textsOf(language);
  configure(secondEnvironment(portalUrl));
  const { requestNumber } = await sendRequest('individual2', 'renew-vehicle-ownership');
  const service = await findService('renew-vehicle-ownership', language);
  const { page, problems } = await openBrowser(browser, arabic);
  const seen = watchCalls(page);

  await test.step('search', async () => {
    await page.goto(`${site}/services`);
    await expect(page.getByRole('contentinfo')).toContainText('testing');
    await expect(page.getByRole('contentinfo')).toContainText('+971 4 111 2222');
    await page.locator('input[type=search]').fill('مركبة');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
  });

  await test.step('sign-in leads back, a call with a token succeeds, a document opens', async () => {
    await page.goto(`${site}/requests/request-details?request-number=${requestNumber}`);
    await expect(page).toHaveURL(`${site}/account/login`);
    await signIn(page, language, 'individual2');
    await expect(page).toHaveURL(new RegExp(`^${site}/requests/request-details`));
    await expect(page.getByText(requestNumber).filter({ visible: true }).first()).toBeVisible();
    const downloading = page.waitForResponse(
      (response) =>
        response.url().startsWith(`${portalUrl}/api/File/DownloadFile`) &&
        response.request().method() === 'GET',
    );
    await page
      .getByRole('button', {
        name: new RegExp(
          `^${t('requests:documents.openName', { title: '' }).trim().split(' ')[0]}`,
        ),
      })
      .first()
      .click();
    expect((await downloading).status()).toBe(200);
  });

  await test.step('upload', async () => {
    await page.goto(`${site}/requests/Create/renew-vehicle-ownership#applicant`);
    const uploading = page.waitForResponse(
      (response) =>
        response.url().startsWith(`${portalUrl}/storage/`) && response.request().method() === 'PUT',
    );
    const answers = {};
    for (let step = 0; step < service.form.steps.length; step += 1) {
      await expect(page.getByRole('heading', { level: 1 })).toContainText(
        service.form.steps[step]?.title[language] ?? '',
      );
      await fillStep(page, service, step, { answers, language });
      await page.getByRole('button', { name: t('forms:continue'), exact: true }).click();
    }
    expect((await uploading).status()).toBe(201);
  });
  expect(seen.own).toEqual([]);
  expect(problems).toEqual([]);
});

test('hubs are reached on the other origin too', async ({ browser }) => {
  configure(secondEnvironment(portalUrl));
  const { page, problems } = await openBrowser(browser, english);
  const seen = watchCalls(page);
  await storeSession(page, 'employee');
  await page.goto(`${site}/requests/new`);
  await expect
    .poll(() =>
      seen.sockets.filter((url) =>
        url.startsWith(`${portalUrl.replace('http', 'ws')}/hubs/request`),
      ),
    )
    .not.toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(seen.own).toEqual([]);
  expect(problems).toEqual([]);
});

test('an API that does not allow this origin counts as unreachable, and the page says so', async ({
  browser,
}) => {
  const { language } = english;
  const stranger = `127.0.0.1:${otherSitePort}`;
  configure(secondEnvironment(portalUrl, [stranger]));
  const { page } = await openBrowser(browser, english);
  await page.goto(`http://${stranger}/requests/inquiry?request-number=DW26-00000-00000`);
  await expect(
    page.getByText(textsOf(language)('errors:refusals.ServerNotConnected')).first(),
  ).toBeVisible();
});

const screen = screens[0];
test(`a configuration without a usable API shows an error page (${screen.language})`, async ({
  browser,
}) => {
  const { language } = screen;
  const t = textsOf(language);
  const { page, problems } = await openBrowser(browser, screen);
  configure(secondEnvironment('https://api.example/with/a/path'));
  await page.goto(`${site}/requests/inquiry`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('shell:notUsable.title'));
  await expect(page.getByText('+971 4 111 2222')).toBeVisible();
  await expectAccessible(page);
  expect(problems.join()).toContain('apiBaseUrl of testing');
  // Correcting the file is enough.
  configure(secondEnvironment(portalUrl));
  await page.getByRole('button', { name: t('shell:kit.tryAgain') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('requests:inquiry.title'));
});

test('a configuration that is not JSON leaves a working portal', async ({ browser }) => {
  const { page, problems } = await openBrowser(browser, english);
  configure('{ "environments": ');
  await page.goto(`${site}/terms-and-conditions`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('contentinfo')).not.toContainText('testing');
  expect(problems.join()).toContain('configuration.json cannot be read');
});
