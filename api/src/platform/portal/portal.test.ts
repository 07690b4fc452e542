import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { deleteService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-portal-'));
  await mkdir(join(folder, 'assets'));
  await buildPortal(folder);
  await writeFile(join(folder, 'assets', 'a.js'), '1');
  app = await openTestApp({ PORTAL_DIR: folder });
  await app.database
    .updateTable('services')
    .set({
      name: JSON.stringify({
        'ar-EG': 'خدمة',
        'en-US': '</title><script>alert(1)</script> "&\u2028',
        'ur-PK': 'خدمت',
      }),
    })
    .where('replaced_name', '=', 'visa-extension')
    .execute();
  // A change through the API makes the server read the catalogue again immediately.
  const { body } = await app.call(getServiceIdByServiceName, {
    query: { serviceName: 'police-clearance-good-conduct-certificate' },
  });
  await app.call(deleteService, {
    params: { serviceId: body.serviceId },
    token: await app.signIn('admin'),
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const html = { accept: 'text/html,application/xhtml+xml' };
const get = (
  url: string,
  headers: Record<string, string> = html,
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
) => app.server.inject({ method, url, headers });

test.each([
  ['ar-EG', 'rtl', 'ديوان'],
  ['en-US', 'ltr', 'Diwan'],
  ['ur-PK', 'rtl', 'دیوان'],
])(
  'the manifest names the portal in %s, for the home screen of a phone',
  async (language, dir, name) => {
    const { body } = await get(`/home?ln=${language}`);
    const [, address = ''] = /<link rel="manifest" href="([^"]+)"\/>/.exec(body) ?? [];
    const { statusCode, headers, body: text } = await get(address, {});
    expect([statusCode, headers['content-type']]).toEqual([
      200,
      'application/manifest+json; charset=utf-8',
    ]);
    const manifest = JSON.parse(text) as { icons: { src: string; sizes: string }[] };
    expect(manifest).toMatchObject({
      lang: language,
      dir,
      name,
      short_name: name,
      start_url: '/home/services',
      scope: '/',
      display: 'standalone',
    });
    for (const { src, sizes } of manifest.icons.filter((icon) => icon.src.endsWith('.png'))) {
      const picture = await readFile(join(import.meta.dirname, '../../../../web/public', src));
      expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`).toBe(sizes);
    }
  },
);

describe('the head of a page', () => {
  test.each([
    ['/home', 'ar-EG', 'rtl', '/home'],
    ['/', 'ar-EG', 'rtl', '/home'],
    ['/services?ln=en-US', 'en-US', 'ltr', '/services?ln=en-US'],
    ['/SERVICES/?ln=Urdu&x=1', 'ur-PK', 'rtl', '/services?ln=ur-PK'],
    ['/terms-and-conditions?ln=ur-PK', 'ur-PK', 'rtl', '/terms-and-conditions?ln=ur-PK'],
    [
      '/requests/Create/renew-trade-licence',
      'ar-EG',
      'rtl',
      '/requests/Create/renew-trade-licence',
    ],
    [
      `/requests/Create/${encodeURIComponent('Renew Trade Licence')}?ln=EN-us`,
      'en-US',
      'ltr',
      '/requests/Create/renew-trade-licence?ln=en-US',
    ],
  ])(
    '%s is in %s (%s) and has one canonical address',
    async (url, language, direction, canonical) => {
      const { statusCode, body, headers } = await get(url);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain(`<html lang="${language}" dir="${direction}" data-texts="`);
      expect(body.match(/<title>/g)).toHaveLength(1);
      expect(body).toContain(`<link rel="canonical" href="http://localhost:3000${canonical}"/>`);
      expect(body.match(/hreflang="(ar-EG|en-US|ur-PK|x-default)"/gi)).toHaveLength(4);
      expect(body).toContain(
        `<meta property="og:url" content="http://localhost:3000${canonical}"/>`,
      );
      expect(body).toContain(
        `<meta property="og:locale" content="${language.replace('-', '_')}"/>`,
      );
      for (const name of [
        'og:title',
        'og:description',
        'og:type',
        'og:site_name',
        'og:image',
        'twitter:card',
      ])
        expect(body).toContain(`"${name}"`);
      expect(body).not.toContain('noindex');
    },
  );

  test.each([
    ['/home', 'How can we help you?'],
    ['/services', 'Services'],
    ['/account/login', 'Sign in'],
    ['/requests/Create/renew-trade-licence', 'Renew Trade Licence'],
  ])('%s has an opening', async (url, title) => {
    const { body } = await get(`${url}?ln=en-US`);
    expect([...body.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)).toEqual([title]);
  });

  test('a page for signed-in users opens with the shape of a list', async () => {
    for (const url of ['/requests', '/requests/new', '/requests/all']) {
      const { body } = await get(url);
      expect(body.match(/animate-pulse/g)?.length).toBeGreaterThan(3);
      expect(body).not.toMatch(/<h1/);
    }
  });

  test('a page without an opening has only the header', async () => {
    expect((await get('/no-such-page')).body).not.toMatch(/<h1|animate-pulse/);
  });

  test('has the colours of the cookie, without a script', async () => {
    const theme = async (cookie: string) =>
      /<html [^>]*data-theme="([^"]*)"/.exec((await get('/home', { ...html, cookie })).body)?.[1];
    expect(await theme('theme=dark')).toBe('dark');
    expect(await theme('language=en-US; theme=light')).toBe('light');
    for (const cookie of ['', 'theme=other', 'xtheme=dark', 'theme="><script>'])
      expect(await theme(cookie)).toBe(undefined);
  });

  test('has the language of the cookie, unless the address names another', async () => {
    const language = async (url: string, cookie: string) =>
      /<html lang="([^"]*)"/.exec((await get(url, { ...html, cookie })).body)?.[1];
    expect(await language('/home', 'a=b; language=ur-PK')).toBe('ur-PK');
    expect(await language('/home', 'language=Urdu')).toBe('ur-PK');
    expect(await language('/home?ln=en-US', 'language=ur-PK')).toBe('en-US');
    for (const nonsense of [
      'language=',
      'language=xx-XX',
      'language="><script>',
      'xlanguage=en-US',
    ])
      expect(await language('/home', nonsense)).toBe('ar-EG');
    expect((await get('/home')).headers.vary).toMatch(/cookie/i);
  });

  test('a service has its name, its description and structured data', async () => {
    const { body } = await get('/requests/Create/renew-trade-licence?ln=en-US');
    expect(body).toContain('<title>Renew Trade Licence | Diwan</title>');
    const data = JSON.parse(
      /<script type="application\/ld\+json" id="page-data">(.*?)<\/script>/.exec(body)?.[1] ?? '',
    ) as Record<string, unknown>;
    expect(data).toMatchObject({
      '@type': 'GovernmentService',
      name: 'Renew Trade Licence',
      url: 'http://localhost:3000/requests/Create/renew-trade-licence?ln=en-US',
    });
  });

  test.each([
    '/requests',
    '/requests/request-details',
    '/companies/my-requests/new',
    '/dashboard/users',
    '/dash-board',
    '/partner/profile',
    '/payment-status?result=1',
    '/account/notifications',
    '/account/profile',
    '/home/auth/2',
    '/home/services/companies',
    '/reports',
    '/server-error',
  ])('%s is not indexed', async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(200);
    expect(body).toContain('<meta name="robots" content="noindex"/>');
    expect(body).not.toContain('canonical');
  });

  test.each([
    '/nowhere',
    '/not-found',
    '/index.html',
    '/requests/Create/no-such-service',
    '/requests/Create/',
    '/dashboard/nothing',
    '/home/auth',
    '/a.php',
    `/requests/Create/${'x'.repeat(5000)}`,
    '/requests/Create/%00',
    '/__proto__',
    '/constructor',
  ])('%s is answered with 404', async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).toContain('<title>الصفحة غير موجودة | ديوان</title>');
    expect(body).toContain('noindex');
    expect(body).not.toContain('canonical');
  });
});

describe('hostile addresses and names', () => {
  const attack = '"><script>alert(1)</script>';
  test.each([
    `/services?ln=${encodeURIComponent(attack)}`,
    `/services?ln=en-US&ln=${encodeURIComponent(attack)}`,
    `/${encodeURIComponent(attack)}`,
    `/requests/Create/${encodeURIComponent(attack)}`,
    '/services?ln=__proto__',
    '/services?ln=',
  ])('%s is ignored or escaped', async (url) => {
    const { body } = await get(url);
    expect(body).not.toContain('alert(1)');
    expect(body).toMatch(/<html lang="(ar-EG|en-US)" dir="(rtl|ltr)" data-texts="\w+">/);
  });

  test('the name of a service is escaped everywhere', async () => {
    const { body } = await get('/requests/Create/visa-extension?ln=en-US');
    expect(body).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;&amp;\u2028 | Diwan</title>',
    );
    // The first script, the data of the service and the announcements.
    expect(body.match(/<script/g)).toHaveLength(3);
    expect(body.match(/<\/script>/g)).toHaveLength(3);
    const data = JSON.parse(/id="page-data">(.*?)<\/script>/.exec(body)?.[1] ?? '') as {
      name: string;
    };
    expect(data.name).toBe('</title><script>alert(1)</script> "&\u2028');
  });

  test('invented addresses share one cached page', async () => {
    const tags = new Set<unknown>();
    for (let index = 0; index < 50; index += 1)
      tags.add((await get(`/made-up-${index}`)).headers.etag);
    expect(tags.size).toBe(1);
  });
});

describe('how a page is sent', () => {
  test('compressed in an encoding that the caller accepts', async () => {
    const [br, gzip, plain, refused] = await Promise.all(
      ['br, gzip', 'gzip;q=0.5', 'identity', 'br;q=0, gzip;q=0.0'].map((encoding) =>
        get('/home', { ...html, 'accept-encoding': encoding }),
      ),
    );
    expect([br, gzip, plain, refused].map((reply) => reply?.headers['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
      undefined,
    ]);
    expect(brotliDecompressSync(br!.rawPayload).toString()).toBe(plain!.body);
    expect(gunzipSync(gzip!.rawPayload).toString()).toBe(plain!.body);
    expect(br!.headers.vary).toContain('accept-encoding');
    expect(new Set([br, gzip, plain].map((reply) => reply?.headers.etag)).size).toBe(3);
  });

  test('with 304 to a browser that has it; another language is another page', async () => {
    const { headers } = await get('/home');
    const known = { ...html, 'if-none-match': String(headers.etag) };
    expect(headers['cache-control']).toBe('no-cache');
    const again = await get('/home', known);
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/home?ln=en-US', known)).statusCode).toBe(200);
    expect(
      (
        await get('/nowhere', {
          ...html,
          'if-none-match': String((await get('/nowhere')).headers.etag),
        })
      ).statusCode,
    ).toBe(404);
  });

  test('a new build is sent immediately', async () => {
    const file = join(folder, 'server/entry-server.js');
    const built = await readFile(file, 'utf8');
    await writeFile(file, built.replaceAll('/assets/portal.js', '/assets/portal-of-another.js'));
    for (const url of ['/home', '/services'])
      expect((await get(url)).body).toContain('portal-of-another.js');
    // While the next one is written.
    await rm(file);
    expect((await get('/account/login')).body).toContain('portal-of-another.js');
    await writeFile(file, built);
  });

  test('a build that cannot be opened leaves the pages of the one before, until it can', async () => {
    const file = join(folder, 'server/entry-server.js');
    const built = await readFile(file, 'utf8');
    expect((await get('/home')).body).toContain('/assets/portal.js');
    await writeFile(
      file,
      `if (!globalThis.canOpenPortal) throw new Error('broken');
${built.replaceAll('/assets/portal.js', '/assets/portal-of-another.js')}`,
    );
    for (const url of ['/home', '/services']) {
      const { statusCode, body } = await get(url);
      expect(statusCode).toBe(200);
      expect(body).toContain('/assets/portal.js');
    }
    Object.assign(globalThis, { canOpenPortal: true });
    await expect
      .poll(async () => (await get('/home')).body, { timeout: 10_000 })
      .toContain('portal-of-another.js');
    await writeFile(file, built);
    Reflect.deleteProperty(globalThis, 'canOpenPortal');
  });

  test('the first build is tried again when it cannot be opened', async () => {
    const first = await mkdtemp(join(tmpdir(), 'diwan-first-build-'));
    await buildPortal(first);
    const file = join(first, 'server/entry-server.js');
    const built = await readFile(file, 'utf8');
    await writeFile(file, `if (!globalThis.canOpenFirst) throw new Error('broken');\n${built}`);
    const started = await openTestApp({ PORTAL_DIR: first });
    const statusOf = async () =>
      (await started.server.inject({ url: '/home', headers: html })).statusCode;
    expect(await statusOf()).toBe(500);
    Object.assign(globalThis, { canOpenFirst: true });
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(200);
    Reflect.deleteProperty(globalThis, 'canOpenFirst');
    await started.close();
    await rm(first, { recursive: true, force: true });
  });

  test('to programs that accept anything, such as link previews, where a page exists', async () => {
    expect((await get('/home', { accept: '*/*' })).headers['content-type']).toContain('text/html');
    expect((await get('/home', {}, 'HEAD')).statusCode).toBe(200);
    for (const [url, headers] of [
      ['/nowhere', { accept: '*/*' }],
      ['/home', { accept: 'application/json' }],
      ['/api/nothing', html],
      ['/assets/none.js', html],
      ['/assets/', html],
      ['/hubs', html],
    ] as const) {
      const reply = await get(url, { ...headers, 'accept-language': 'en' });
      expect([url, reply.statusCode, reply.json()]).toMatchObject([
        url,
        404,
        { error: 'NotFound' },
      ]);
    }
    expect((await get('/home', html, 'POST')).statusCode).toBe(404);
    expect((await get('/assets/a.js')).body).toBe('1');
  });
});

describe('the warning of a demonstration', () => {
  const warningOf = async (settings: Record<string, string>, url = '/home') => {
    const demo = await openTestApp({ PORTAL_DIR: folder, ...settings });
    const { body } = await demo.server.inject({ url, headers: html });
    await demo.close();
    return [...body.matchAll(/<aside[^]*?<\/aside>/g)].join('\n');
  };

  test('is first in every page where others can reach it, in three languages', async () => {
    for (const url of ['/home', '/no-such-page', '/requests']) {
      const warning = await warningOf({ PUBLIC_URL: 'https://demo.example', SANDBOX: 'on' }, url);
      expect(warning.match(/<aside lang="[^"]*" dir="[^"]*"/g)).toEqual([
        '<aside lang="ar-EG" dir="rtl"',
        '<aside lang="en-US" dir="ltr"',
        '<aside lang="ur-PK" dir="rtl"',
      ]);
      expect(warning).toContain('aria-label="Warning"');
      expect(warning).toMatch(/simulated\. Anyone can sign in with the demo accounts\. Do not/);
    }
  });

  test('names what is on, and is missing where nothing is or nobody else can connect', async () => {
    const open = { HOST: '0.0.0.0', UAE_PASS: 'off' };
    expect(await warningOf({ ...open, SEED: 'none' })).not.toContain('demo accounts');
    expect(await warningOf({ PUBLIC_URL: 'http://localhost:3000' })).toBe('');
    expect(await warningOf({})).toBe('');
  });
});
