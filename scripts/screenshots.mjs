// Takes pictures of every page in every language on a phone and a desk: npm run screenshots [--
// names of pages]
//
// BASE_URL (default http://localhost:3000), CHROMIUM (a browser of the machine instead of
// Playwright's own), LANGUAGES (ar-EG,en-US,ur-PK), WIDTHS (390,1280), TEXT (200 is text at twice
// its size), THEME (dark is a device in dark mode).
import { existsSync, mkdirSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { chromium } from '@playwright/test';
import { pages } from './screenshot-pages.mjs';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const password = 'DiwanDemo2026!';
const stored = { 'ar-EG': 'ar-EG', 'en-US': 'en-US', 'ur-PK': 'Urdu' };
const languages = process.env.LANGUAGES?.split(',') ?? Object.keys(stored);
const widths = process.env.WIDTHS?.split(',').map(Number) ?? [390, 1280];
const textSize = Number(process.env.TEXT ?? 100);
const theme = process.env.THEME === 'dark' ? 'dark' : 'light';
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

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

async function take(page, entry, language, width) {
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
  if (textSize !== 100)
    await page.addStyleTag({ content: `:root { font-size: ${textSize}% !important; }` });
  await entry.after?.(page);
  await page.waitForTimeout(600);
  await page.evaluate(() => document.fonts.ready);
  const isWider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  if (isWider) console.warn(`${language} ${width} ${entry.name}: wider than the window`);
  const kind = [
    width,
    ...(textSize === 100 ? [] : [textSize]),
    ...(theme === 'dark' ? [theme] : []),
  ];
  const folder = `screenshots/${language}/${kind.join('-')}`;
  mkdirSync(folder, { recursive: true });
  // Sticky parts at the bottom edge belong at the end of a whole page, not across its middle.
  if (!entry.isWindow)
    await page.setViewportSize({
      width,
      height: Math.min(
        12_000,
        Math.max(
          page.viewportSize().height,
          await page.evaluate(() => document.documentElement.scrollHeight),
        ),
      ),
    });
  await page.screenshot({ path: `${folder}/${entry.name}.png` });
}

const executablePath =
  process.env.CHROMIUM ?? (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined);
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const jobs = languages.flatMap((language) =>
  widths.flatMap((width) =>
    pages
      .filter(
        (entry) =>
          (wanted.length === 0 || wanted.includes(entry.name)) &&
          (!entry.only || entry.only === width),
      )
      .map((entry) => ({ language, width, entry })),
  ),
);

async function work() {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { language, width, entry } = job;
    const context = await browser.newContext({
      viewport: { width, height: width < 640 ? 844 : 900 },
      locale: language,
      colorScheme: theme,
      reducedMotion: entry.isMoving ? 'no-preference' : 'reduce',
      deviceScaleFactor: 1,
      bypassCSP: textSize !== 100,
    });
    const page = await context.newPage();
    const warn = (text) => console.warn(`${language} ${width} ${entry.name}: ${text}`);
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        warn(message.text());
    });
    page.on('pageerror', (error) => warn(error.message));
    // Only the first line: the rest may contain a token.
    await take(page, entry, language, width).catch((error) => warn(error.message.split('\n')[0]));
    await context.close();
  }
}

await Promise.all([work(), work(), work()]);
await browser.close();
