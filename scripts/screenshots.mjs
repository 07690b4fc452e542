// Takes every page in every language on a phone and a desk, to be looked at: npm run screenshots [-- name of a page]
// BASE_URL (default http://localhost:3000), CHROMIUM (a browser of the machine instead of Playwright's own).
import { existsSync, mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const password = 'DiwanDemo2026!';
const stored = { 'ar-EG': 'ar-EG', 'en-US': 'en-US', 'ur-PK': 'Urdu' };
const widths = [390, 1280];

/** `as` is a demo sign-in, `state` navigation state, `after` what to do before the picture. */
const pages = [
  { name: 'home', path: '/home' },
  { name: 'home-search', path: '/home', after: (page) => page.locator('input[type=search]').first().pressSequentially(' ').then(() => page.locator('input[type=search]').first().fill('e')) },
  { name: 'home-services', path: '/home/services/individuals#all' },
  { name: 'home-services-agencies', path: '/home/services/companies#category' },
  { name: 'services', path: '/services' },
  { name: 'services-searched', path: '/services', state: { serviceSerach: 'licence', accountTypeId: 2 } },
  { name: 'services-none', path: '/services', state: { serviceSerach: 'qqqq' } },
  { name: 'login', path: '/account/login' },
  { name: 'login-errors', path: '/account/login', after: (page) => page.locator('form button[type=submit]').click() },
  { name: 'inquiry', path: '/requests/inquiry' },
  { name: 'service', path: firstService },
  { name: 'service-form', path: async (page) => `${await firstService(page)}#applicant`, as: 'individual' },
  { name: 'my-requests', path: '/requests', as: 'individual' },
  { name: 'request-details', path: '/requests/request-details', as: 'individual', state: ownRequest },
  { name: 'company-requests', path: '/companies/my-requests/new', as: 'company' },
  { name: 'staff-new', path: '/requests/new', as: 'employee' },
  { name: 'staff-processing', path: '/requests/processing', as: 'employee' },
  { name: 'staff-all', path: '/requests/all', as: 'employee' },
  { name: 'staff-details', path: '/requests/request-details', as: 'employee', state: ownRequest },
  { name: 'payment-succeeded', path: '/payment-status?result=success&request-number=DW-2026-000001', as: 'individual' },
  { name: 'payment-failed', path: '/payment-status?request-number=DW-2026-000001', as: 'individual' },
  { name: 'accepted-request', path: '/requests/accepted-request?request-number=DW-2026-000001', as: 'individual' },
  { name: 'terms', path: '/terms-and-conditions' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'server-error', path: '/server-error' },
  { name: 'menu', path: '/services', only: 390, after: (page) => page.locator('header button').first().click() },
];

async function call(page, path, init = {}) {
  const response = await page.request.fetch(`${base}${path}`, init);
  return response.ok() ? response.json() : undefined;
}

async function firstService(page) {
  const found = await call(page, '/api/Service/ServiceSearch?Pobular=true&ln=en-US');
  return `/requests/Create/${found?.[0]?.replacedName ?? 'none'}`;
}

async function ownRequest(page, token) {
  const found = await call(page, '/api/Request/GetRequestsByStatusId?PageNumber=1&Take=1&ln=en-US', { headers: { Authorization: `Bearer ${token}` } });
  return { requestNumber: found?.items?.[0]?.requestNumber, requestId: found?.items?.[0]?.requestId };
}

const tokens = new Map();
async function tokenOf(page, username) {
  if (!tokens.has(username)) tokens.set(username, (await call(page, '/api/User/Login?ln=en-US', { method: 'POST', data: { username, password } }))?.token);
  return tokens.get(username);
}

async function take(context, page, entry, language, width) {
  const token = entry.as ? await tokenOf(page, entry.as) : undefined;
  const state = typeof entry.state === 'function' ? await entry.state(page, token) : entry.state;
  const path = typeof entry.path === 'function' ? await entry.path(page) : entry.path;
  await page.addInitScript(
    ([languageValue, tokenValue, stateValue]) => {
      localStorage.setItem('language', languageValue);
      if (tokenValue) sessionStorage.setItem('token', tokenValue);
      if (stateValue && !history.state) history.replaceState({ usr: stateValue, key: 'screenshot', idx: 0 }, '');
    },
    [stored[language], token, state],
  );
  await page.goto(`${base}${path}`);
  await page.waitForLoadState('networkidle');
  await entry.after?.(page);
  await page.waitForTimeout(600);
  await page.evaluate(() => document.fonts.ready);
  const folder = `screenshots/${language}/${width}`;
  mkdirSync(folder, { recursive: true });
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  if (isWider) console.warn(`${language} ${width} ${entry.name}: wider than the window`);
  await page.screenshot({ path: `${folder}/${entry.name}.png`, fullPage: !entry.only });
  await context.close();
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const executablePath = process.env.CHROMIUM ?? (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined);
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
const languages = process.env.LANGUAGES?.split(',') ?? Object.keys(stored);
for (const language of languages) {
  for (const width of widths) {
    for (const entry of pages) {
      if ((wanted.length > 0 && !wanted.includes(entry.name)) || (entry.only && entry.only !== width)) continue;
      const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 900 }, locale: language, reducedMotion: 'reduce', deviceScaleFactor: 1 });
      const page = await context.newPage();
      page.on('console', (message) => { if (message.type() === 'error') console.warn(`${language} ${width} ${entry.name}: ${message.text()}`); });
      page.on('pageerror', (error) => console.warn(`${language} ${width} ${entry.name}: ${error.message}`));
      await take(context, page, entry, language, width).catch(async (error) => { // Only the first line: the rest may hold a token.
        console.warn(`${language} ${width} ${entry.name}: ${error.message.split('\n')[0]}`);
        await context.close();
      });
    }
  }
}
await browser.close();
