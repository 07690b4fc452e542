import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { deleteService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { languages } from '@diwan/contract/wire/languages';
import { openPageRenderer } from './page-renderer.ts';

// Screens that show what they were given.
const screens = `(() => {
let texts;
return {
  loadTexts: async (read) => { texts = await read('en-US', 'shell'); },
  queryOf: (path, search) => {
    const q = new URLSearchParams(search).get('q');
    return path === '/services' ? (q === null ? '' : '?q=' + encodeURIComponent(q)) :
      path === '/home' ? '' : undefined;
  },
  renderScreen: ({ path, search, language, origin, configuration, replies }) => {
    const address = '/api/Service/GetServices?PageNumber=1&PageSize=5&ln=' + language;
    if (search === '?q=fail') throw new Error('broken');
    if (!replies.has(address)) return { html: '', queries: [], missing: [address] };
    const { items, totalCount } = replies.get(address);
    globalThis.renderedPages = (globalThis.renderedPages ?? 0) + 1;
    return {
      html: '<main class="used">' + texts.menu + ' ' + language + ' ' + totalCount + ' ' + origin.host +
        ' ' + configuration.as + '</main>',
      queries: [
        [['GetServices', decodeURIComponent(search)], items],
        [['Title'], [{ 'ar-EG': 'ar', 'en-US': 'en', 'ur-PK': 'ur' }, null, 1]],
      ],
      missing: [],
    };
  },
};
})()`;

let app: TestApp;
let folder: string;
const counted = globalThis as { renderedPages?: number };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-rendered-'));
  for (const [path, text] of Object.entries({
    'configuration.json': '{"as":"built","environments":{"test":{"hosts":["known.example"]}}}',
    'locales/en-US/shell.json': '{"menu":"Menu"}',
  })) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const styleParts = ['used', 'unused', 'demo-warning'].map((name) => ({
    within: [`.${name}`],
    text: 'top:0',
    when: [[name]],
    uses: [],
  }));
  await buildPortal(folder, { screens, styleParts });
  app = await openTestApp({ PORTAL_DIR: folder });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  counted.renderedPages = 0;
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url, headers: { accept: 'text/html', ...headers } });

test('a page holds its first screen, its styles and what the browser continues with', async () => {
  for (const language of languages) {
    const { body, headers } = await get(`/services?ln=${language}`);
    expect(body).toMatch(
      new RegExp(`<div id="root" data-rendered=""><main class="used">Menu ${language} \\d+  built`),
    );
    const styles = '.used{top:0}';
    expect(body).toContain(`<style>${styles}</style>`);
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
    const [, script = ''] = /<script>(.*?)<\/script>/.exec(body) ?? [];
    const scriptHash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toContain(
      `script-src 'self' 'sha256-${scriptHash}';`,
    );
    // The files are asked for after the first paint.
    const [, later = ''] = /<template id="later">(.*?)<\/template>/s.exec(body) ?? [];
    expect(later).toContain('start.js');
    expect(body).not.toMatch(/needs JavaScript|<h1|animate-pulse/);
    // The text comes before everything else that the browser loads.
    const order = ['<main', 'rendered-state', 'style.css', 'portal.js', 'start.js'];
    expect(order.map((part) => body.indexOf(part))).toEqual(
      order.map((part) => body.indexOf(part)).toSorted((one, other) => one - other),
    );
    const [, state = ''] = /id="rendered-state">(.*?)<\/script>/.exec(body) ?? [];
    expect(JSON.parse(state)).toMatchObject({
      language,
      queries: [
        [
          ['GetServices', ''],
          [{}, {}, {}, {}, {}],
        ],
        // The browser continues in this language.
        [['Title'], [{ [language]: language.slice(0, 2) }, null, 1]],
      ],
    });
    for (const other of languages.filter((each) => each !== language))
      expect(state).not.toContain(`"${other}"`);
  }
});

test('a browser that has cached the fonts of the language uses them immediately', async () => {
  const styles = '@font-face{font-family:A}.used{top:0}';
  const { body, headers } = await get('/services', { cookie: 'theme=dark; fonts=ar-EG' });
  expect(body).toContain(`<style>${styles}</style>`);
  const hash = createHash('sha256').update(styles).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
  for (const cookie of ['', 'fonts=ur-PK', 'xfonts=ar-EG', 'fonts=ar-EGG']) {
    const other = await get('/services', { cookie });
    expect(other.body, cookie).not.toContain('@font-face');
    expect(other.headers['content-security-policy'], cookie).not.toContain(hash);
  }
  // Also on a page that only browsers render.
  const { body: opened, headers: policy } = await get('/account/login', { cookie: 'fonts=ar-EG' });
  const [, faces = ''] = /<style>(.*?)<\/style>/.exec(opened) ?? [];
  expect(faces).toBe('@font-face{font-family:A}');
  expect(policy['content-security-policy']).toContain(
    `'sha256-${createHash('sha256').update(faces).digest('base64')}'`,
  );
});

test('the warning of a demonstration has its styles immediately', async () => {
  const demo = await openTestApp({
    PORTAL_DIR: folder,
    PUBLIC_URL: 'https://demo.example',
    SANDBOX: 'on',
  });
  const { body } = await demo.server.inject({ url: '/services', headers: { accept: 'text/html' } });
  await demo.close();
  expect(body).toContain('<style>.used{top:0}.demo-warning{top:0}</style>');
});

test.each([
  [503, 'info'],
  [500, 'warn'],
] as const)('a first screen whose call is answered %i is reported as %s', async (status, level) => {
  const log = { info: vi.fn(), warn: vi.fn() };
  const inject = async () => ({ statusCode: status, body: '' });
  const renderer = await openPageRenderer(
    { inject, log } as unknown as FastifyInstance,
    { folder, configurationOf: () => ({}) },
    `${status}`,
  );
  const address = { path: '/services', search: '', language: 'en-US', origin: {} } as never;
  expect(await renderer.render(address)).toBeUndefined();
  expect(log.info).toHaveBeenCalledTimes(level === 'info' ? 1 : 0);
  expect(log.warn).toHaveBeenCalledTimes(level === 'warn' ? 1 : 0);
});

test('a hostile address cannot leave its data block', async () => {
  const { body } = await get(
    `/services?q=${encodeURIComponent('</script><script>alert(1)</script>')}`,
  );
  expect(body).not.toContain('<script>alert');
  expect(body).toContain('\\u003c/script\\u003e\\u003cscript\\u003ealert(1)');
});

test('a page is rendered once for each address, language and named host, and again after a change', async () => {
  const count = async (...urls: [url: string, host?: string][]) => {
    const before = counted.renderedPages ?? 0;
    await Promise.all(urls.map(([url, host]) => get(url, host === undefined ? {} : { host })));
    return (counted.renderedPages ?? 0) - before;
  };
  // A version of the content that arrives meanwhile lets pages be rendered once more.
  const expectKept = (...urls: [url: string, host?: string][]) =>
    vi.waitFor(async () => expect(await count(...urls)).toBe(0));
  expect(await count(['/home'], ['/'], ['/home?utm=1'], ['/home?ln=ar-EG'])).toBe(1);
  await expectKept(['/home', 'one.example'], ['/home', 'other.example']);
  expect(await count(['/home', 'known.example'])).toBe(1);
  expect(await count(['/home?ln=en-US'], ['/services?q=a'], ['/services?q=b&x=1'])).toBe(3);
  await expectKept(['/services?q=b'], ['/services?q=a&q=z']);
  const name = { query: { serviceName: 'police-clearance-good-conduct-certificate' } };
  const { body } = await app.call(getServiceIdByServiceName, name);
  const total = async () =>
    Number(/Menu en-US (\d+)/.exec((await get('/home?ln=en-US')).body)?.[1]);
  const before = await total();
  await app.call(deleteService, {
    params: { serviceId: body.serviceId },
    token: await app.signIn('admin'),
  });
  expect(await total()).toBe(before - 1);
});

test('the browser renders a page that fails, that waits behind others, or whose visitor is signed in', async () => {
  const isRendered = async (url: string, cookie = '') =>
    (await get(url, { cookie })).body.includes('data-rendered');
  expect(await isRendered('/services?q=fail')).toBe(false);
  expect(await isRendered('/terms-and-conditions')).toBe(false);
  for (const url of ['/home', '/services']) {
    expect(await isRendered(url, 'language=en-US; signed-in=1'), url).toBe(false);
    expect(await isRendered(url, 'language=en-US; not-signed-in=1'), url).toBe(true);
    expect(await isRendered(url, 'language=en-US; signed-in=1'), url).toBe(false);
  }
  const many = Array.from({ length: 40 }, (_, index) => isRendered(`/services?q=many${index}`));
  const rendered = (await Promise.all(many)).filter(Boolean).length;
  expect(rendered).toBeGreaterThanOrEqual(1);
  expect(rendered).toBeLessThan(40);
});

test('a browser that has the page gets 304 with the same policy, and the code of the server is no file', async () => {
  const { headers } = await get('/home');
  const again = await get('/home', { 'if-none-match': String(headers.etag) });
  expect(again.statusCode).toBe(304);
  expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
  expect(headers.vary).toMatch(/cookie/i);
  for (const url of ['/server/entry-server.js', '/server/', '/server//entry-server.js'])
    expect((await get(url)).statusCode, url).toBe(404);
});
