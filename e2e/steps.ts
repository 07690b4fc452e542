import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  expect,
  type Browser,
  type BrowserContext,
  type Page,
  type Request,
} from '@playwright/test';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { Answers, AttachmentRule, FormField } from '@diwan/contract/forms/forms';
import { storedLanguages, type Language } from '@diwan/contract/wire/languages';
import type { Service } from '@diwan/contract/catalogue/services';
import { answerFor, smallPdf, smallPng } from '../api/src/testing/demo-request.ts';

/**
 * The journeys are walked in Arabic on a phone and in English on a desk; Urdu where a journey says
 * so.
 */
export const screens = [
  { language: 'ar-EG', width: 390, height: 844 },
  { language: 'en-US', width: 1280, height: 900 },
] as const;

export const password = 'DiwanDemo2026!';

/** The words that a person sees: `noun:key`, with the first plural form that there is. */
export function wordsOf(
  language: Language,
): (key: string, figures?: Record<string, string | number>) => string {
  return (key, figures = {}) => {
    const [noun = '', path = ''] = key.split(':');
    const texts: unknown = JSON.parse(
      readFileSync(
        new URL(`../web/public/locales/${language}/${noun}.json`, import.meta.url),
        'utf8',
      ),
    );
    const text = path
      .split('.')
      .reduce<unknown>(
        (value, part) => (value as Record<string, unknown> | undefined)?.[part],
        texts,
      );
    if (typeof text !== 'string') throw new Error(`${language}: no text ${key}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(figures[name] ?? ''));
  };
}

/** The button that closes the introduction of the home page, while that is shown. */
export const introClose = (page: Page) => page.locator('dialog[open]').getByRole('button');

interface Screen {
  language: Language;
  width: number;
  height: number;
  /**
   * Whether things may move; on a phone they do, on a desk this person has asked for less of it, so
   * that both are walked.
   */
  moves?: boolean;
}

/** A browser of one person: language and width set, and every error on a page remembered. */
export async function openBrowser(
  browser: Browser,
  screen: Screen,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const { width, height, moves = width < 768 } = screen;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-US',
    timezoneId: 'Asia/Dubai',
    reducedMotion: moves ? 'no-preference' : 'reduce',
  });
  await context.addInitScript((language) => {
    if (!localStorage.getItem('language')) localStorage.setItem('language', language);
  }, storedLanguages[screen.language]);
  context.on('page', watchNetwork);
  const page = await context.newPage();
  // Whoever is shown the introduction of the home page closes it and goes on.
  await page.addLocatorHandler(introClose(page), (button) => button.click());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // What the browser prints of a refused call is not a fault of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  return { context, page, problems };
}

// The same axe that @axe-core/playwright brings; run by ourselves, once in a document and without
// the report of what is right, it takes half the time.
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

const underWay = new WeakMap<Page, Set<Request>>();

function watchNetwork(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  const end = (request: Request) => void requests.delete(request);
  page
    .on('request', (request) => {
      // What a page leaves undone when it is left is never told.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
      requests.add(request);
    })
    .on('requestfinished', end)
    .on('requestfailed', end);
}

/**
 * Waits until nothing has been under way for a moment, also after a change that loads no new
 * document.
 */
export async function settle(page: Page): Promise<void> {
  let quiet = 0;
  const names = () => [...(underWay.get(page) ?? [])].map((request) => request.url()).join(' ');
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

/**
 * The page has one main heading, fits its width, and axe finds nothing; a page that is still
 * arriving is looked at again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page);
  await expect(async () => {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const found = await page.evaluate(async (runOnly) => {
      // Things that fade in are measured when they are there.
      await Promise.all(
        document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
          .map((animation) => animation.finished.catch(() => undefined)),
      );
      // The announcer of react-aria names things that may have left the page since; it is read out
      // once and empties itself.
      const { violations } = await (window as unknown as AxeWindow).axe.run(
        { exclude: [['[data-live-announcer]']] },
        { runOnly, resultTypes: ['violations'] },
      );
      return {
        violations: violations.map(
          (violation) =>
            `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
        ),
        headings: document.querySelectorAll('h1').length,
        isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      };
    }, tags);
    expect(found).toEqual({ violations: [], headings: 1, isTooWide: false });
  }).toPass({ intervals: [200, 500, 1000], timeout: 8000 });
}

export async function signIn(page: Page, language: Language, username: string): Promise<void> {
  const say = wordsOf(language);
  await page.getByLabel(say('users:login.username'), { exact: true }).fill(username);
  await page.getByLabel(say('users:login.password'), { exact: true }).fill(password);
  await page
    .getByRole('button', { name: say('users:login.submit'), exact: true })
    .last()
    .click();
}

/** The wizard between an account type and its services, without a sign-in. */
export async function skipIdentity(page: Page, language: Language): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    wordsOf(language)('users:wizard.title'),
  );
  await page
    .getByRole('link', { name: wordsOf(language)('users:wizard.skip'), exact: true })
    .click();
}

/** The service behind an address, as the API gives it. */
export async function readService(
  page: Page,
  replacedName: string,
  language: Language,
): Promise<Service> {
  const { serviceId } = (await (
    await page.request.get(`/api/Service/GetServiceIdByServiceName?serviceName=${replacedName}`)
  ).json()) as { serviceId: number };
  return (await (
    await page.request.get(`/api/Service/GetService?serviceId=${serviceId}&ln=${language}`)
  ).json()) as Service;
}

/** Types answers to every field of a step that is shown, as a person would. */
export async function fillStep(
  page: Page,
  service: Service,
  stepIndex: number,
  answers: Answers,
  language: Language,
): Promise<void> {
  for (const field of service.form.steps[stepIndex]?.fields ?? []) {
    if (!isFieldShown(service.form, field, answers)) continue;
    const rule = service.attachments.find((each) => each.name === field.attachment);
    if (rule && (rule.required || field.required)) await giveDocument(page, rule);
    if (field.kind === 'file') continue;
    const answer = answerFor(field);
    answers[field.name] = answer;
    await fillField(page, field, field.name, answer, language);
  }
}

/**
 * One answer at its place: `applicantName`, `partners.0.partnerName`. A group begins with as many
 * items as it needs.
 */
export async function fillField(
  page: Page,
  field: FormField,
  path: string,
  answer: unknown,
  language: Language,
): Promise<void> {
  const say = wordsOf(language);
  const at = (place: string) => page.locator(`[data-focus-id~="answers.${place}"]`);
  const control = at(path);
  const option = field.oneOf?.find(
    (each) => each.const === answer || (Array.isArray(answer) && answer[0] === each.const),
  );
  if (field.kind === 'group') {
    for (const [index, item] of (answer as Record<string, unknown>[]).entries()) {
      for (const inner of field.fields ?? [])
        if (inner.name in item)
          await fillField(
            page,
            inner,
            `${path}.${index}.${inner.name}`,
            item[inner.name],
            language,
          );
    }
  } else if (field.kind === 'address') {
    const { emirate, ...rest } = answer as Record<string, string>;
    await chooseFromList(page, at(`${path}.emirate`), say(`forms:emirates.${String(emirate)}`));
    for (const [part, text] of Object.entries(rest)) await at(`${path}.${part}`).fill(text);
  } else if (field.kind === 'yesNo') {
    await at(path)
      .locator('xpath=ancestor::fieldset[1]')
      .getByText(say(answer === true ? 'forms:yes' : 'forms:no'), { exact: true })
      .click();
  } else if (field.kind === 'emirate')
    await chooseFromList(page, control, say(`forms:emirates.${String(answer)}`));
  else if (field.kind === 'nationality') {
    // A list that is open closes when the page moves, as it does when an error above it goes away.
    await expect(async () => {
      await control.fill('');
      await control.fill(
        new Intl.DisplayNames([language], { type: 'region' }).of(String(answer)) ?? '',
      );
      await page.getByRole('option').first().click({ timeout: 2000 });
    }).toPass();
  } else if (option && (await control.evaluate((element) => element.tagName)) === 'BUTTON')
    await chooseFromList(page, control, option.title[language]);
  else if (option)
    await page
      .getByRole('group', { name: field.title[language] })
      .getByText(option.title[language], { exact: true })
      .click();
  else await control.fill(field.kind === 'money' ? String(Number(answer) / 100) : String(answer));
}

async function chooseFromList(
  page: Page,
  control: ReturnType<Page['locator']>,
  name: string,
): Promise<void> {
  await control.click();
  await page.getByRole('option', { name, exact: true }).click();
}

async function giveDocument(page: Page, rule: AttachmentRule): Promise<string> {
  const isPdf = rule.mediaTypes.includes('application/pdf');
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="attachments.${rule.name}"]`).click();
  const name = `${rule.name}.${isPdf ? 'pdf' : 'png'}`;
  await (
    await choosing
  ).setFiles({
    name,
    mimeType: isPdf ? 'application/pdf' : 'image/png',
    buffer: isPdf ? smallPdf : smallPng,
  });
  await expect(page.getByText(name)).toBeVisible();
  return name;
}

/**
 * Gives every document of the documents step that the service cannot do without, and waits until it
 * has arrived.
 */
export async function giveDocuments(page: Page, service: Service): Promise<void> {
  const given: string[] = [];
  const places = service.form.steps.flatMap((step) => step.fields.map((field) => field.attachment));
  for (const rule of service.attachments.filter(
    (each) => each.required && !places.includes(each.name),
  ))
    given.push(await giveDocument(page, rule));
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  // Files that arrive at the same moment do not push each other out.
  for (const name of given) await expect(page.getByText(name)).toBeVisible();
}

/** Fills in the whole form of a service up to its review page. */
export async function fillForm(
  page: Page,
  service: Service,
  language: Language,
  onStep: () => Promise<void> = async () => undefined,
): Promise<void> {
  const say = wordsOf(language);
  const answers: Answers = {};
  const goOn = () => page.getByRole('button', { name: say('forms:continue'), exact: true }).click();
  for (let step = 0; step < service.form.steps.length; step += 1) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      service.form.steps[step]?.title[language] ?? '',
    );
    await fillStep(page, service, step, answers, language);
    await onStep();
    await goOn();
  }
  if (service.attachments.length > 0) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      say('forms:documents.title'),
    );
    await giveDocuments(page, service);
    await onStep();
    await goOn();
  }
  await expect(page.getByRole('heading', { level: 1 })).toContainText(say('forms:review.title'));
}

/** Another language by the menu in the header; the page stays as it is. */
export async function switchLanguage(page: Page, from: Language, to: Language): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(wordsOf(from)('shell:chooseLanguage')) })
    .click();
  await page
    .getByRole('menuitemradio', { name: wordsOf(from)(`shell:languages.${to}`), exact: true })
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', to);
}

/** A named action of staff; on a phone some stand behind a button. */
export async function openAction(page: Page, language: Language, action: string): Promise<void> {
  const button = page.locator(`[data-focus-id=${action}]`);
  const more = page.getByRole('button', {
    name: wordsOf(language)('requests:actions.more'),
    exact: true,
  });
  await expect(button).toBeAttached();
  if (!(await button.isVisible())) await more.click();
  await button.click();
}
