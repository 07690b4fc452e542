import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { Language } from '@diwan/contract/wire/languages';
import { emptyDraft, type Draft } from '../../web/src/features/requests/drafts/draft.ts';
import type { StoredDocument } from '../../web/src/lib/documents/document-storage.ts';
import { newToken, storeToken } from '../api.ts';
import { test } from '../journey.ts';
import type { PortalVisit } from '../portal-visits.ts';
import { openBrowser } from '../steps.ts';
import { tokenOf } from './demo-records.ts';
import { chosenLanguages, type Theme } from './environment.ts';
import { noteFinding } from './reporter.ts';

/** A visit of a page in a state that its address alone does not show. */
export interface Visit extends Pick<PortalVisit, 'name' | 'as' | 'isFresh'> {
  /** A function gets the demo user who visits. */
  path: string | ((username: string) => Promise<string>);
  /** The state of the navigation to the page. */
  state?: object;
  /** Stores a draft with the answers of a sent request; `passed` is the completed part. */
  draft?: (username: string) => Promise<StartedDraft>;
  before?: (page: Page) => Promise<unknown>;
  /** Runs when the page is loaded. */
  after?: (page: Page) => Promise<unknown>;
  /** Only the visible part is of interest. */
  isWindow?: boolean;
  /** The printed page. */
  print?: boolean;
  /** Only at this width, or at all widths above 390. */
  only?: 390 | 1280;
  /** Motion is not reduced. */
  isMoving?: boolean;
}

interface StartedDraft {
  record: RequestRecord;
  passed: 'all' | 'steps';
}

interface Choice {
  widths: readonly number[];
  themes: readonly Theme[];
  /** In per cent. */
  textSize?: number;
}

export interface Seen {
  visit: Visit;
  language: Language;
  width: number;
  theme: Theme;
}

/** The key of the device's storage under which the portal finds a draft, and the draft. */
function draftOf({ record, passed }: StartedDraft, token: string): [string, string] {
  const { ssid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    ssid: string;
  };
  const steps = record.form.steps.map((step) => step.name);
  const documents = record.attachments
    .filter((each) => !each.isResult)
    .map(({ attachmentId, name, fileName, size, mediaType }) => ({
      attachmentId,
      name,
      fileName,
      size,
      mediaType,
    }));
  const content: Draft = {
    answers: record.answers,
    explanations: {},
    documents: passed === 'all' ? documents : [],
    passed: passed === 'all' ? [...steps, 'documents'] : steps,
  };
  const stored: StoredDocument<Draft> = {
    draftId: randomUUID(),
    revision: 0,
    base: emptyDraft,
    content,
    sent: [],
    at: new Date().toISOString(),
  };
  return [`draft:${ssid}:${record.serviceId}:${randomUUID()}`, JSON.stringify(stored)];
}

/** Signs in and stores what the page finds on the device. */
async function prepare(page: Page, { as: username = '', ...visit }: Visit): Promise<void> {
  if (username) {
    const token = await (visit.isFresh ? newToken : tokenOf)(username);
    await storeToken(page, token);
    if (visit.draft)
      await page.addInitScript(
        ([key, draft]) => localStorage.setItem(key, draft),
        draftOf(await visit.draft(username), token),
      );
  }
  if (visit.state)
    await page.addInitScript((state) => {
      if (!history.state) history.replaceState({ usr: state, key: 'visited', idx: 0 }, '');
    }, visit.state);
  await visit.before?.(page);
}

/** Opens a page until it is quiet; returns it with the errors of its console, which grow. */
async function openVisit(
  browser: Browser,
  { visit, language, width, theme }: Seen,
  textSize: number,
): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openBrowser(browser, {
    language,
    width,
    height: heightOf(width),
    bypassCSP: textSize !== 100,
  });
  await page.emulateMedia({
    colorScheme: theme,
    media: visit.print ? 'print' : null,
    reducedMotion: visit.isMoving ? 'no-preference' : 'reduce',
  });
  await prepare(page, visit);
  const { path } = visit;
  await page.goto(typeof path === 'string' ? path : await path(visit.as ?? ''));
  await page.waitForLoadState('networkidle');
  // The network is also idle while a busy machine compiles the code of a page.
  await page
    .waitForFunction(
      () => document.querySelector('h1') && !document.querySelector('[data-skeleton]'),
      null,
      { timeout: 20_000 },
    )
    .catch(() => undefined);
  if (textSize !== 100)
    await page.addStyleTag({ content: `:root { font-size: ${textSize}% !important; }` });
  await visit.after?.(page);
  await page.waitForTimeout(600);
  await page.evaluate(() => document.fonts.ready);
  return { page, problems };
}

const heightOf = (width: number) => (width < 640 ? 844 : 900);

/** Only the style sheets know the colour mode: nothing loads again. */
async function changeTheme(page: Page, { theme, width }: Seen): Promise<void> {
  await page.setViewportSize({ width, height: heightOf(width) });
  await page.emulateMedia({ colorScheme: theme });
  // Two frames: the first begins the transitions of colours.
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    await nextFrame();
    await nextFrame();
    await Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map((transition) => transition.finished.catch(() => undefined)),
    );
  });
}

/**
 * Makes a test of each visit in each language and width, which opens the page and inspects it in each
 * colour mode. Its title has the name and the address, its tags the demo user (or @public).
 */
export function testVisits(
  visits: readonly Visit[],
  { widths, themes, textSize = 100 }: Choice,
  inspect: (page: Page, seen: Seen) => Promise<string[]>,
): void {
  const screens = chosenLanguages().flatMap((language) =>
    widths.map((width) => ({ language, width })),
  );
  for (const { language, width } of screens)
    for (const visit of visits) {
      if (visit.only && visit.only !== width && (visit.only === 390 || width <= 390)) continue;
      const address = typeof visit.path === 'string' ? `${visit.path} ` : '';
      const title = `${visit.name} ${address}(${language}, ${width} px)`;
      test(title, { tag: `@${visit.as ?? 'public'}` }, async ({ browser }) => {
        const first = { visit, language, width, theme: themes[0] ?? 'light' };
        const { page, problems } = await openVisit(browser, first, textSize);
        for (const theme of themes) {
          const seen = { ...first, theme };
          if (theme !== first.theme) await changeTheme(page, seen);
          for (const finding of await inspect(page, seen)) noteFinding(finding, theme);
        }
        for (const problem of problems) noteFinding(problem);
      });
    }
}
