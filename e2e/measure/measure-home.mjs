// Measures the download of a first visit, in bytes on the wire, by language and kind: node
// e2e/measure/measure-home.mjs [path]
//
// BASE_URL (default http://localhost:3000) is a running product, CHROMIUM a browser of the machine,
// LIST=1 names each file.
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:3000';
const path = process.argv[2] ?? '/home';
const stored = { 'ar-EG': 'ar-EG', 'en-US': 'en-US', 'ur-PK': 'Urdu' };
const kinds = {
  Document: 'html',
  Script: 'js',
  Stylesheet: 'css',
  Font: 'font',
  Image: 'image',
  Fetch: 'json',
  XHR: 'json',
};
const columns = ['html', 'js', 'css', 'font', 'image', 'json', 'other', 'all'];

/** A phone on a slow mobile network: 150 ms and 1.6 Mbit/s, the processor four times slower. */
const slowPhone = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** Runs in the page before its scripts: records the largest paint and the layout shifts. */
function watch() {
  window.measured = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) window.measured.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

async function visit(browser, language, isSlow) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.addInitScript(
    (value) => window.localStorage.setItem('language', value),
    stored[language],
  );
  await context.addInitScript(watch);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const found = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) =>
    found.set(requestId, {
      url: request.url,
      kind: kinds[type] ?? 'other',
      from: timestamp,
      bytes: 0,
    }),
  );
  session.on('Network.responseReceived', ({ requestId, type }) => {
    // A preloaded file has no kind until its reply arrives.
    const one = found.get(requestId);
    if (one?.kind === 'other') one.kind = kinds[type] ?? 'other';
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const one = found.get(requestId);
    if (one) Object.assign(one, { bytes: encodedDataLength, to: timestamp });
  });
  await session.send('Network.enable');
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', slowPhone);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.goto(`${base}${path}`, { waitUntil: 'networkidle' });
  await page.waitForTimeout(1000);
  const measured = await page.evaluate(() => window.measured);
  await context.close();
  return { measured, files: [...found.values()].filter((file) => !file.url.startsWith('data:')) };
}

const cell = (text, width = 9) => String(text).padStart(width);
const kilobytes = (files) =>
  `${(files.reduce((sum, file) => sum + file.bytes, 0) / 1000).toFixed(1)}/${files.length}`;

const launchable = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
  (place) => place && existsSync(place),
);
const browser = await chromium.launch({
  executablePath: launchable,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
console.log(`${path}, kB on the wire / requests; LCP on a slow phone`);
console.log(
  ['language', ...columns].map((name) => cell(name)).join(' '),
  cell('LCP ms'),
  cell('CLS'),
);
for (const language of Object.keys(stored)) {
  const { files } = await visit(browser, language, false);
  const { measured } = await visit(browser, language, true);
  const cells = columns.map((kind) =>
    cell(kilobytes(kind === 'all' ? files : files.filter((file) => file.kind === kind))),
  );
  console.log(
    cell(language),
    cells.join(' '),
    cell(Math.round(measured.lcp)),
    cell(measured.cls.toFixed(3)),
  );
  if (process.env.LIST !== '1') continue;
  const start = Math.min(...files.map((file) => file.from));
  for (const file of files.toSorted((a, b) => a.from - b.from)) {
    const [from, to] = [file.from, file.to ?? file.from].map((time) =>
      cell(Math.round((time - start) * 1000), 5),
    );
    console.log(`    ${from} to ${to} ms ${cell(file.bytes, 7)}  ${file.url.replace(base, '')}`);
  }
}
await browser.close();
