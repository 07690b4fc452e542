import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  expect,
  type Browser,
  type BrowserContext,
  type Page,
  type Request,
} from '@playwright/test';
import { storedLanguages, type Language } from '@diwan/contract/wire/languages';
import { isEveryPage } from './journey.ts';
import { watchStorage } from './stored-names.ts';

/** The journeys run in Arabic on a phone and in English on a desk; Urdu where a journey says so. */
export const screens = [
  { language: 'ar-EG', width: 390, height: 844 },
  { language: 'en-US', width: 1280, height: 900 },
] as const;

export const password = 'DiwanDemo2026!';

const readTexts = new Map<string, unknown>();

function textsIn(language: Language, noun: string): unknown {
  const path = `../web/public/locales/${language}/${noun}.json`;
  const texts: unknown =
    readTexts.get(path) ?? JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  readTexts.set(path, texts);
  return texts;
}

// The demo's own name, which texts quote.
const { name: wordmark, shortName } = JSON.parse(
  readFileSync(new URL('../api/seed/portal-details.json', import.meta.url), 'utf8'),
) as Record<string, Record<Language, string>>;
const namesOfPortal: Record<string, Record<Language, string> | undefined> = {
  'shell:wordmark': wordmark,
  'shell:shortName': shortName,
};

/** The texts of the interface: `noun:key`, with the first plural form that exists. */
export function textsOf(
  language: Language,
): (key: string, figures?: Record<string, string | number>) => string {
  return (key, figures = {}) => {
    const name = namesOfPortal[key]?.[language];
    if (name !== undefined) return name;
    const [noun = '', path = ''] = key.split(':');
    const text = path
      .split('.')
      .reduce<unknown>(
        (value, part) => (value as Record<string, unknown> | undefined)?.[part],
        textsIn(language, noun),
      );
    if (typeof text !== 'string') throw new Error(`${language}: no text ${key}`);
    return text
      .replace(/\{\{(\w+)\}\}/g, (_, figure: string) => String(figures[figure] ?? ''))
      .replace(/\$t\((shell:(?:wordmark|shortName))\)/g, (_, quoted: string) =>
        String(namesOfPortal[quoted]?.[language]),
      );
  };
}

/** The button that closes the introduction of the home page, while that is shown. */
export const introClose = (page: Page) => page.locator('dialog[open]').getByRole('button');

interface Screen {
  language: Language;
  width: number;
  height: number;
  /** Videos, slides and transitions; reduced where a journey is not about them. */
  moves?: boolean;
  /** For journeys that plant HTML, which the content policy refuses. */
  bypassCSP?: boolean;
}

/** A browser of one user with language and width; it records every error on a page. */
export async function openBrowser(
  browser: Browser,
  screen: Screen,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const { width, height, moves = false, bypassCSP = false } = screen;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-US',
    timezoneId: 'Asia/Dubai',
    reducedMotion: moves ? 'no-preference' : 'reduce',
    bypassCSP,
  });
  await watchStorage(context);
  await context.addInitScript((language) => {
    if (!localStorage.getItem('language')) localStorage.setItem('language', language);
  }, storedLanguages[screen.language]);
  context.on('page', watchNetwork);
  const page = await context.newPage();
  // Closes the introduction of the home page, which is shown where motion is not reduced.
  if (moves) await page.addLocatorHandler(introClose(page), (button) => button.click());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser logs refused calls, and live connections that are refused or have no network; that
    // is not a problem of the page.
    const isRefusal =
      /^Failed to load resource|^WebSocket connection to .* failed: .*(HTTP Auth|INTERNET_DISCONN)/;
    if (message.type() === 'error' && !isRefusal.test(message.text()))
      problems.push(message.text());
  });
  return { context, page, problems };
}

// The same axe as in @axe-core/playwright; loading it once in a document and skipping the report of
// passes halves the time.
const { source: axeSource } = createRequire(
  createRequire(import.meta.url).resolve('@axe-core/playwright'),
)('axe-core') as { source: string };
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeWindow {
  axe: {
    run: (
      context: object,
      options: object,
    ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
}

const pendingRequests = new WeakMap<Page, Set<Request>>();

function watchNetwork(page: Page): void {
  const requests = new Set<Request>();
  pendingRequests.set(page, requests);
  const end = (request: Request) => void requests.delete(request);
  page
    .on('request', (request) => {
      // Failures of a page that was left are ignored.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
      requests.add(request);
    })
    .on('requestfinished', end)
    .on('requestfailed', end);
}

/** Waits until no request is pending for a moment, also after a change without a new document. */
export async function waitUntilIdle(page: Page): Promise<void> {
  let quiet = 0;
  const names = () =>
    [...(pendingRequests.get(page) ?? [])].map((request) => request.url()).join(' ');
  await expect
    .poll(
      () => {
        quiet = names() === '' ? quiet + 1 : 0;
        return quiet > 2 ? 'quiet' : names();
      },
      { intervals: [50], message: 'what is still under way' },
    )
    .toBe('quiet');
}

interface Inspection {
  violations: string[];
  /** Main headings. */
  headings: number;
  /** Whether the page scrolls sideways. */
  isTooWide: boolean;
}

const measurePage = (page: Page): Promise<Inspection> =>
  page.evaluate(() => ({
    violations: [],
    headings: document.querySelectorAll('h1').length,
    isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }));

/** What axe finds on a page, the number of main headings, and whether it scrolls sideways. */
export async function runAxe(page: Page): Promise<Inspection> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (runOnly) => {
    // Elements that fade in are measured afterwards.
    await Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    );
    // A bar that sticks covers parts of what a scroll brings out, which is no matter of its size.
    const unstick = new CSSStyleSheet();
    unstick.replaceSync('.sticky { position: relative !important; inset: auto !important; }');
    document.adoptedStyleSheets.push(unstick);
    // The announcer of react-aria names elements that may have left the page; it is read once and
    // empties itself. The viewer of PDFs measures letters on a canvas without a size.
    const { violations } = await (window as unknown as AxeWindow).axe.run(
      { exclude: [['[data-live-announcer]'], ['.hiddenCanvasElement']] },
      { runOnly, resultTypes: ['violations'] },
    );
    document.adoptedStyleSheets.pop();
    return violations.map(
      (violation) =>
        `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  }, tags);
  return { ...(await measurePage(page)), violations };
}

const checked = new WeakMap<Page, number>();

/**
 * The page has one main heading and fits its width, and axe finds nothing; a page that is still
 * loading is checked again. `npm test` runs axe at every second call, the project `acceptance` at each.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await waitUntilIdle(page);
  const before = checked.get(page) ?? 0;
  checked.set(page, before + 1);
  const inspect = isEveryPage() || before % 2 === 0 ? runAxe : measurePage;
  await expect(async () =>
    expect(await inspect(page)).toEqual({ violations: [], headings: 1, isTooWide: false }),
  ).toPass({ intervals: [200, 500, 1000], timeout: 20_000 });
}

export async function signIn(page: Page, language: Language, username: string): Promise<void> {
  const t = textsOf(language);
  await page.getByLabel(t('users:login.username'), { exact: true }).fill(username);
  await page.getByLabel(t('users:login.password'), { exact: true }).fill(password);
  await page
    .getByRole('button', { name: t('users:login.submit'), exact: true })
    .last()
    .click();
}

/** Skips the wizard between an account type and its services. */
export async function skipIdentity(page: Page, language: Language): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    textsOf(language)('users:wizard.title'),
  );
  await page
    .getByRole('link', { name: textsOf(language)('users:wizard.skip'), exact: true })
    .click();
}

/** Changes the language by the menu in the header; the page stays. */
export async function switchLanguage(page: Page, from: Language, to: Language): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(textsOf(from)('shell:chooseLanguage')) })
    .click();
  await page
    .getByRole('menuitemradio', { name: textsOf(from)(`shell:languages.${to}`), exact: true })
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', to);
}

/** Opens an action of staff; on a phone some are behind a button. */
export async function openAction(page: Page, language: Language, action: string): Promise<void> {
  const button = page.locator(`[data-focus-id=${action}]`);
  const more = page.getByRole('button', {
    name: textsOf(language)('requests:actions.more'),
    exact: true,
  });
  await expect(button.or(more).filter({ visible: true }).first()).toBeVisible();
  if (!(await button.isVisible())) await more.click();
  const unviewed = await page.locator('[data-viewed=false]').count();
  await button.click();
  // Documents that are not viewed ask once more; the first one may have been viewed meanwhile.
  const asks = page.locator('[data-unviewed]');
  const isAsked =
    unviewed > 0 && ['approve', 'accept', 'submitted', 'options'].includes(action)
      ? await asks.waitFor({ timeout: 1500 }).then(
          () => true,
          () => false,
        )
      : false;
  if (isAsked) await button.click();
}
