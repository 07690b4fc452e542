import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
// Opens the entries of screenshot-pages.mjs on a running product, each for a separate person:
// screenshots.mjs and e2e/accessibility.ts.
//
// BASE_URL (default http://localhost:3000) is the product, CHROMIUM a browser of the machine instead
// of Playwright's own.
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { pages } from './screenshot-pages.mjs';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const password = 'DiwanDemo2026!';
const stored = { 'ar-EG': 'ar-EG', 'en-US': 'en-US', 'ur-PK': 'Urdu' };

/** Every language, or those of LANGUAGES. */
const languages = process.env.LANGUAGES?.split(',') ?? Object.keys(stored);

async function call(path, { token, body } = {}) {
  const headers = {
    'Content-Type': 'application/json',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(`${base}${path}`, {
    method: body ? 'POST' : 'GET',
    headers,
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path.split('?')[0]} answered ${response.status}`);
  return response.json();
}

/**
 * Runs each call once: sign-in is limited, and the pictures of one run should show the same
 * records.
 */
const known = new Map();
function once(key, ask) {
  if (!known.has(key)) known.set(key, ask());
  return known.get(key);
}

const signIn = async (username) =>
  (await call('/api/User/Login?ln=en-US', { body: { username, password } })).token;
const tokenOf = async (username) => once(`token ${username}`, () => signIn(username));

async function recordsOf(username) {
  const token = await tokenOf(username);
  const { items } = await call('/api/Request/GetRequestsByStatusId?PageNumber=1&Take=50&ln=en-US', {
    token,
  });
  return Promise.all(
    items.map(({ requestId }) =>
      call(`/api/Request/GetRequestById?RequestId=${requestId}&ln=en-US`, { token }),
    ),
  );
}

/** The calls of the entries, as one user. */
const apiOf = (username) => ({
  of: apiOf,
  /** Stored with the other results, so that every language shows the same. */
  send: async (key, path, body) =>
    once(`sent ${key}`, async () => call(path, { token: await tokenOf(username), body })),
  ask: async (path) =>
    once(`${username} ${path}`, async () => call(path, { token: await tokenOf(username) })),
  popularService: async () =>
    (await once('popular', () => call('/api/Service/ServiceSearch?Pobular=true&ln=en-US')))[0]
      .replacedName,
  record: async (test) => {
    const record = (await once(`records ${username}`, () => recordsOf(username))).find(test);
    if (!record) throw new Error(`no record of ${username} to show this`);
    return record;
  },
});

function draftFor({ record, passed }, token) {
  const { ssid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
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
  const content = {
    answers: record.answers,
    explanations: {},
    documents: passed === 'all' ? documents : [],
    passed: passed === 'all' ? [...steps, 'documents'] : steps,
  };
  const base = { ...content, answers: {}, documents: [], passed: [] };
  return [
    `draft:${ssid}:${record.serviceId}:${randomUUID()}`,
    JSON.stringify({
      draftId: randomUUID(),
      revision: 0,
      base,
      content,
      sent: [],
      at: new Date().toISOString(),
    }),
  ];
}

/** Opens a page as its entry says, until it is quiet. */
async function open(page, entry, { language, textSize }) {
  const api = apiOf(entry.as);
  const token = entry.as ? await (entry.isFresh ? signIn : tokenOf)(entry.as) : undefined;
  const path = typeof entry.path === 'function' ? await entry.path(api) : entry.path;
  const draft = entry.draft ? draftFor(await entry.draft(api), token) : undefined;
  await page.addInitScript(
    ([languageValue, tokenValue, stateValue, draftValue]) => {
      localStorage.setItem('language', languageValue);
      if (tokenValue) sessionStorage.setItem('token', tokenValue);
      if (draftValue) localStorage.setItem(...draftValue);
      if (stateValue && !history.state)
        history.replaceState({ usr: stateValue, key: 'screenshot', idx: 0 }, '');
    },
    [stored[language], token, entry.state, draft],
  );
  await entry.before?.(page);
  if (entry.print) await page.emulateMedia({ media: 'print' });
  await page.goto(`${base}${path}`);
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
  await entry.after?.(page);
  await page.waitForTimeout(600);
  await page.evaluate(() => document.fonts.ready);
}

/** Only the style sheets know the colour mode: nothing loads again. */
async function changeTheme(page, theme, size) {
  await page.setViewportSize(size);
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

/** The next page of the context is that of another person. */
async function forget(context) {
  await context.clearCookies();
  const page = await context.newPage();
  await page.route('**/*', (route) => route.fulfill({ body: '' }));
  await page.goto(base);
  await page.evaluate(async () => {
    localStorage.clear();
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  await page.close();
}

/** A filter is a name, the beginning of an address ("/dashboard"), a demo user, or "public". */
const isChosen = ({ name, path, as: user = 'public' }, filters) =>
  filters.length === 0 ||
  filters.some(
    (filter) =>
      filter === name ||
      filter === user ||
      (filter.startsWith('/') && typeof path === 'string' && path.startsWith(filter)),
  );

/**
 * Opens every page (`filters`: only these) in each language and width, and hands it over in each
 * colour mode. `report` gets what went wrong; a page that fails does not stop the others.
 */
export async function visitPages({ widths, themes, filters, textSize = 100 }, { visit, report }) {
  // The shell has no windows and needs half the processor time.
  const executablePath =
    process.env.CHROMIUM ??
    ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
      existsSync(path),
    );
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const groups = languages.flatMap((language) => widths.map((width) => ({ language, width })));
  const visits = groups.flatMap((group) =>
    pages
      .filter(
        (entry) =>
          isChosen(entry, filters) &&
          (!entry.only || entry.only === group.width || (entry.only > 390 && group.width > 390)),
      )
      .map((entry) => ({ group, entry })),
  );
  if (visits.length === 0) report(`no page: ${filters.join(', ')}`);

  async function visitIn(page, { group, entry }) {
    const { language, width } = group;
    let theme = themes[0];
    const say = (text) => report(`${language} ${width} ${theme} ${entry.name}: ${text}`);
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        say(message.text());
    });
    page.on('pageerror', (error) => say(error.message));
    try {
      const height = width < 640 ? 844 : 900;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({
        colorScheme: theme,
        reducedMotion: entry.isMoving ? 'no-preference' : 'reduce',
      });
      await open(page, entry, { language, textSize });
      for (theme of themes) {
        if (theme !== themes[0]) await changeTheme(page, theme, { width, height });
        await visit(page, { language, width, theme, entry, say });
      }
    } catch (error) {
      // Only the first line: the rest may contain a token.
      say(error.message.split('\n')[0]);
    }
  }

  async function work() {
    // One context for each language and width, so that code is fetched and compiled once.
    let context;
    let group;
    for (let next = visits.shift(); next; next = visits.shift()) {
      if (next.group !== group) {
        await context?.close();
        group = next.group;
        context = await browser.newContext({
          locale: group.language,
          deviceScaleFactor: 1,
          bypassCSP: textSize !== 100,
        });
      }
      const page = await context.newPage();
      await visitIn(page, next);
      await page.close();
      await forget(context);
    }
    await context?.close();
  }
  await Promise.all([work(), work(), work()]);
  await browser.close();
}
