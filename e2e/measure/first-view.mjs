// Measures the first view of the portal on a slow phone beside a static page with the same texts, with
// the portal's security headers and without them: npm run first-view [-- --write] replaces the table in
// docs/lab/performance.md.
//
// BASE_URL (default http://localhost:3000) is a running product, CHROMIUM a browser of the machine,
// RUNS the number of visits to each page, LANGUAGES a list such as ar-EG,ur-PK.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';
import { writeStaticPage } from './static-page.mjs';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const runs = Number(process.env.RUNS ?? 5);
const languages = (process.env.LANGUAGES ?? 'ar-EG').split(',');
const paths = ['/home', '/services', '/requests/Create/renew-trade-licence'];
const stored = { 'ar-EG': 'ar-EG', 'en-US': 'en-US', 'ur-PK': 'Urdu' };

/** A phone on a slow mobile network: 150 ms and 1.6 Mbit/s, the processor four times slower. */
const slowPhone = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** Runs in the page before its scripts: records the largest paint, shifts and long tasks. */
function watch() {
  window.measured = { fcp: 0, lcp: 0, shift: 0, tasks: [] };
  const observe = (type, record) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
      type,
      buffered: true,
    });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') window.measured.fcp = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => (window.measured.lcp = startTime));
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.measured.shift += value;
  });
  observe('longtask', ({ startTime, duration }) =>
    window.measured.tasks.push([startTime, duration]),
  );
}

async function openPage(browser, language) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.addCookies([{ name: 'language', value: language, url: base }]);
  await context.addInitScript(
    (value) => window.localStorage.setItem('language', value),
    stored[language],
  );
  return { context, page: await context.newPage() };
}

async function copyPage(browser, path, language) {
  const { context, page } = await openPage(browser, language);
  await page.goto(`${base}${path}`, { waitUntil: 'networkidle' });
  const text = await writeStaticPage(page, language);
  await context.close();
  return text;
}

// The headers of the portal that do not describe its content. For cross-origin-opener-policy the browser
// starts a process for the page, which takes longer on a slow phone.
async function readSecurityHeaders() {
  const { headers } = await fetch(`${base}/home`);
  return [...headers].filter(([name]) => /^(cross-origin|origin|referrer|strict|x)-/.test(name));
}

async function visit(browser, address, language) {
  const { context, page } = await openPage(browser, language);
  await context.addInitScript(watch);
  const session = await context.newCDPSession(page);
  let scripts = 0;
  const kinds = new Map();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) === 'Script') scripts += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slowPhone);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForTimeout(2000);
  const { fcp, lcp, shift, tasks } = await page.evaluate(() => window.measured);
  await context.close();
  const blocked = tasks
    .filter(([start]) => start >= fcp)
    .reduce((sum, [, duration]) => sum + duration - 50, 0);
  return { fcp, lcp, shift, blocked, scripts: scripts / 1000 };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const medians = (visits) =>
  Object.fromEntries(
    Object.keys(visits[0]).map((name) => [name, median(visits.map((each) => each[name]))]),
  );

const browser = await chromium.launch({
  executablePath: ensureProgram('chromium'),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const staticPages = new Map();
const securityHeaders = await readSecurityHeaders();
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url, base);
  const isBare = pathname.startsWith('/bare/');
  for (const [name, value] of isBare ? [] : securityHeaders) response.setHeader(name, value);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-encoding', 'br');
  response.end(staticPages.get(`${isBare ? pathname.slice('/bare'.length) : pathname}${search}`));
}).listen(0);
const { port } = server.address();
const columns = [
  'LCP ms',
  'static page LCP ms',
  'ratio',
  'without headers LCP ms',
  'ratio',
  'FCP ms',
  'TBT ms',
  'static page TBT ms',
  'shift',
  'largest shift',
  'JavaScript kB',
];
const rows = [];
for (const language of languages)
  for (const path of paths) {
    const text = await copyPage(browser, path, language);
    staticPages.set(`${path}?${language}`, brotliCompressSync(text));
    const addresses = {
      product: `${base}${path}`,
      plain: `http://localhost:${port}${path}?${language}`,
      bare: `http://localhost:${port}/bare${path}?${language}`,
    };
    const visits = { product: [], plain: [], bare: [] };
    for (let run = 0; run < runs; run += 1)
      for (const [name, address] of Object.entries(addresses))
        visits[name].push(await visit(browser, address, language));
    const [product, plain, bare] = Object.values(visits).map(medians);
    const cells = [
      path,
      language,
      Math.round(product.lcp),
      Math.round(plain.lcp),
      (product.lcp / plain.lcp).toFixed(2),
      Math.round(bare.lcp),
      (product.lcp / bare.lcp).toFixed(2),
      Math.round(product.fcp),
      Math.round(product.blocked),
      Math.round(plain.blocked),
      product.shift.toFixed(3),
      Math.max(...visits.product.map(({ shift }) => shift)).toFixed(3),
      product.scripts.toFixed(1),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
    console.log(rows.at(-1));
  }
await browser.close();
server.close();

if (process.argv.includes('--write')) {
  const file = join(root, 'docs/lab/performance.md');
  const table = [
    `${new Date().toISOString().slice(0, 16)}, ${cpus().length} processors, median of ${runs}.`,
    '',
    `| ${['page', 'language', ...columns].join(' | ')} |`,
    `| --- | --- | ${columns.map(() => '--:').join(' | ')} |`,
    ...rows,
  ].join('\n');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      /(<!-- first view -->\n)[^]*(\n<!-- end first view -->)/,
      (_, begin, end) => `${begin}\n${table}\n${end}`,
    ),
  );
}
