import { expect, test } from './journey.ts';
import { openBrowser, screens } from './steps.ts';

/** Bytes of JavaScript on the wire, compressed with brotli: decision 0008. */
const pages = [
  // Three pictures of its slides.
  { path: '/home', maximumScriptBytes: 103_000, maximumRequests: 35 },
  { path: '/services', maximumScriptBytes: 130_000, maximumRequests: 32 },
  {
    path: '/requests/Create/renew-trade-licence',
    maximumScriptBytes: 130_000,
    maximumRequests: 32,
  },
];
/** What a server sends before the browser has answered: ten packets. */
const firstPackets = 14_600;

const visits = pages.flatMap((each) => screens.map((screen) => ({ ...each, ...screen })));

for (const { path, maximumScriptBytes, maximumRequests, ...screen } of visits) {
  test(`${path} is small and does not shift (${screen.language}, ${screen.width} px)`, async ({
    browser,
  }) => {
    const { context, page } = await openBrowser(browser, { ...screen, moves: true });
    // As on every visit after the first one: the server renders in the language of the browser.
    const url = test.info().project.use.baseURL ?? '';
    await context.addCookies([{ name: 'language', value: screen.language, url }]);
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          document.documentElement.dataset.shifted = String(
            Number(document.documentElement.dataset.shifted ?? 0) +
              (entry as PerformanceEntry & { value: number }).value,
          );
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const files: {
      url: string;
      kind: string;
      bytes: Promise<number>;
      headerBytes: Promise<number>;
      keeping: Promise<string | null>;
    }[] = [];
    page.on('requestfinished', (request) => {
      // Videos and their code load when the page is complete and idle, and only for users who may see them:
      // decision 0011.
      if (/\/videos\/|\/assets\/background-/.test(request.url())) return;
      const answer = request.response();
      files.push({
        url: new URL(request.url()).pathname,
        kind: request.resourceType(),
        bytes: request.sizes().then((sizes) => sizes.responseBodySize),
        headerBytes: request.sizes().then((sizes) => sizes.responseHeadersSize),
        keeping: answer.then((response) => response?.headerValue('cache-control') ?? null),
      });
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    const scripts = await Promise.all(
      files
        .filter((file) => file.kind === 'script')
        .map(async (file) => ({ url: file.url, bytes: await file.bytes })),
    );
    expect(scripts.length).toBeGreaterThan(0);
    // Specification §2: home is loaded on demand.
    expect(scripts.some(({ url }) => url.includes('/home-page-'))).toBe(path === '/home');
    expect(
      scripts.reduce((sum, file) => sum + file.bytes, 0),
      JSON.stringify(scripts),
    ).toBeLessThanOrEqual(maximumScriptBytes);
    // The page is there after the first round trip: decision 0048.
    const [first] = files.filter(({ kind }) => kind === 'document');
    expect(((await first?.bytes) ?? 0) + ((await first?.headerBytes) ?? 0)).toBeLessThanOrEqual(
      firstPackets,
    );
    expect(files.length, files.map((file) => file.url).join('\n')).toBeLessThanOrEqual(
      maximumRequests,
    );
    // Until fonts arrive, those of the device have their measures: decision 0048.
    expect(Number(await page.locator('html').getAttribute('data-shifted'))).toBeLessThan(0.01);

    for (const file of files) {
      const cacheControl = await file.keeping;
      if (file.url.startsWith('/assets/')) expect(cacheControl, file.url).toContain('immutable');
      else if (/^\/(locales|logos)\//.test(file.url))
        expect(cacheControl, file.url).toContain('max-age=86400');
      else if ([path, '/configuration.json'].includes(file.url))
        expect(cacheControl, file.url).toBe('no-cache');
    }
    await context.close();
  });
}
