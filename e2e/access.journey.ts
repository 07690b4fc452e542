import type { Page } from '@playwright/test';
import { listedPages } from '@diwan/contract/portal/page-list';
import type { Language } from '@diwan/contract/wire/languages';
import { newToken } from './api.ts';
import { expect, isEveryPage, test } from './journey.ts';
import {
  findClippedTexts,
  findForcedColourProblems,
  findAccessibilityProblems,
} from './page-inspection.ts';
import { portalVisits } from './portal-visits.ts';
import { runSniffer } from './second-engine.ts';
import { openBrowser, waitUntilIdle } from './steps.ts';

const paths = [
  ...listedPages.map(({ address }) => address),
  ...['service-missing', 'accepted-request-none', 'not-found', 'server-error'].map(
    (name) => portalVisits.find((visit) => visit.name === name)?.path ?? name,
  ),
  '/requests/Create/renew-trade-licence',
  '/home/auth/2',
  '/payment-status',
  '/payment-status?result=success',
];

/** WCAG 1.4.12. Arabic script joins its letters, so only lines, words and paragraphs are spaced. */
async function spaceText(page: Page, language: Language): Promise<string[]> {
  const before = await page.evaluate(findClippedTexts);
  await page.evaluate(
    (letters) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        `* { word-spacing: .16em !important; ${letters} } p { margin-block-end: 2em !important; } [data-spaced] { line-height: 1.5 !important; }`,
      );
      // Lines with more space than required stay unchanged.
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        const { lineHeight, fontSize } = getComputedStyle(element);
        if (parseFloat(lineHeight) < 1.5 * parseFloat(fontSize)) element.dataset['spaced'] = '';
      }
      document.adoptedStyleSheets = [sheet];
    },
    language === 'en-US' ? 'letter-spacing: .12em !important;' : '',
  );
  const after = await page.evaluate(findClippedTexts);
  const width = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
    for (const element of document.querySelectorAll<HTMLElement>('[data-spaced]'))
      delete element.dataset['spaced'];
  });
  return [
    ...after.filter((fault) => !before.includes(fault)),
    ...(width > 0 ? [`scrolls sideways with wider text: ${width} px`] : []),
  ];
}

// English is covered by `pages.journey.ts`, at 320 px too. npm test tries half of the pages, each in
// one language; the project `acceptance` tries all of them in both.
for (const [index, language] of (['ar-EG', 'ur-PK'] as const).entries()) {
  test(`public pages are readable and usable in ${language}: 320 px, wider text, less motion, a second engine; forced colours in Urdu`, async ({
    browser,
  }) => {
    test.setTimeout(150_000);
    const { page, problems } = await openBrowser(browser, { language, width: 320, height: 640 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const token = await newToken('individual2');
    let isSignedIn = false;
    // Stops automatic redirects.
    await page.clock.install();
    const tried = isEveryPage() ? paths : paths.filter((_, at) => at % 4 === 2 * index);
    for (const path of tried) {
      await test.step(path, async () => {
        const served = await page.request.get(
          `${path.replace(/#.*/, '')}${path.includes('?') ? '&' : '?'}ln=${language}`,
          { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } },
        );
        const title = /<title>([^<]*)<\/title>/.exec(await served.text())?.[1];
        // A page of an account type redirects to the wizard first, so this session has skipped it.
        if (isSignedIn !== path.startsWith('/home/services/')) {
          isSignedIn = !isSignedIn;
          await page.goto('/not-found');
          // A page that is still starting may remove the token of a session that it does not know.
          await expect(page.locator('main h1')).toBeVisible();
          await page.evaluate(
            (value) => (value ? sessionStorage.setItem('token', value) : sessionStorage.clear()),
            isSignedIn ? token : '',
          );
        }
        await page.goto(path);
        await expect(page.locator('main h1')).toBeVisible();
        await waitUntilIdle(page);
        if (served.ok() && listedPages.some(({ address }) => address === path))
          await expect(page, 'the server names the page as the page does').toHaveTitle(title ?? '');
        expect.soft(await page.evaluate(findAccessibilityProblems, language), path).toEqual([]);
        expect.soft(await spaceText(page, language), path).toEqual([]);
        expect.soft(await runSniffer(page), path).toEqual([]);
        // The edges of controls do not depend on the language.
        if (language !== 'ur-PK') return;
        await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
        await page.keyboard.press('Tab');
        await expect
          .configure({ soft: true, timeout: 3000 })
          .poll(() => page.evaluate(findForcedColourProblems), path)
          .toEqual([]);
        await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' });
      });
    }
    expect(problems).toEqual([]);
  });
}

// A tool that finds nothing may be broken, so it must find a planted problem (design §12).
test('the engines find each planted problem', async ({ browser }) => {
  const { page } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 320,
    height: 640,
    moves: true,
    // Trusted Types would refuse the planted HTML.
    bypassCSP: true,
  });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/terms-and-conditions');
  // Until the browser continues the page of the server, it may replace what is planted.
  await expect
    .poll(() =>
      page
        .locator('main h1')
        .evaluate((title) => Object.keys(title).some((key) => key.startsWith('__react'))),
    )
    .toBe(true);
  await waitUntilIdle(page);
  await page.evaluate(() => {
    const plant = (html: string) =>
      document.querySelector('main')?.insertAdjacentHTML('beforeend', html);
    plant(`<p data-planted="color: #999">نص لا يُقرأ</p><button data-planted="all: unset; width: 10px; height: 10px">x</button><svg class="lucide lucide-chevron-right" width="20" height="20"></svg>
      <p>+971 4 000 0000</p><p tabindex="3">x</p><div data-planted="width: 500px">wide</div><p data-planted="height: 6.2em; overflow: hidden; line-height: 1.1">يُقص<br>يُقص<br>يُقص<br>يُقص<br>يُقص</p><p lang="en">نص بلا لغة</p><img src="/favicon.svg"><b data-planted="animation: spin 2s linear infinite">moves</b>`);
    for (const element of document.querySelectorAll<HTMLElement>('[data-planted]'))
      element.style.cssText = element.dataset['planted'] ?? '';
  });
  const found = [
    ...(await page.evaluate(findAccessibilityProblems, 'ar-EG')),
    ...(await spaceText(page, 'ar-EG')),
    ...(await page.evaluate(findForcedColourProblems)),
  ].join('\n');
  for (const problem of [
    'scrolls sideways',
    'positive tabindex',
    'target of 10 x 10',
    'is not mirrored',
    'not isolated',
    'moves',
    'cuts off',
    'no edge',
    'invisible focus',
  ])
    expect.soft(found).toContain(problem);
  await page.emulateMedia({ forcedColors: 'none' });
  const sniffed = (await runSniffer(page)).join('\n');
  for (const rule of ['1_4_3', '1_1_1']) expect.soft(sniffed).toContain(rule);
  expect((await page.evaluate(findAccessibilityProblems, 'en-US')).join('\n')).toContain(
    'without a lang attribute',
  );
});
