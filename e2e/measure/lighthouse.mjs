// Runs Lighthouse on the pages of first visits and, in turn, on static pages with the same texts, as
// a phone on a slow network: npm run lighthouse [-- --write replaces the table in
// docs/lab/performance.md]. Exits with 1 when a limit is missed. BASE_URL is a running product; without
// it the script starts one on fresh data. CHROMIUM is a browser of the machine, RUNS the number of
// loads of each page, LANGUAGES a list such as ar-EG,ur-PK.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';
import { writeStaticPage } from './static-page.mjs';

const runs = Number(process.env.RUNS ?? 5);
const languages = (process.env.LANGUAGES ?? 'ar-EG').split(',');
const paths = ['/home', '/services', '/requests/Create/renew-trade-licence'];
const marks = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const limits = { ratio: 1.3, shift: 0.02, blocked: 100 };
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'diwan-lighthouse-'));

async function isReady(base) {
  // A connection from before Lighthouse is closed by now.
  return fetch(`${base}/health/ready`, { headers: { connection: 'close' } }).then(
    (reply) => reply.ok,
    () => false,
  );
}

/** Starts a product; returns its address and a function that ends it. */
async function startProduct() {
  const port = process.env.PORT ?? '3190';
  const base = `http://localhost:${port}`;
  if (await isReady(base)) throw new Error(`Port ${port} is in use; set PORT to a free one`);
  const product = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, PORT: port, DATA_DIR: join(folder, 'data'), ROBOTS: 'index' },
  });
  for (let second = 0; second < 180 && !(await isReady(base)); second += 1) {
    if (product.exitCode !== null) throw new Error('The product did not start');
    await sleep(1000);
  }
  return { base, stop: () => new Promise((done) => product.once('exit', done).kill('SIGINT')) };
}

const addressIn = (base, path, language) =>
  `${base}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;

function writeTable(rows) {
  const file = join(root, 'docs/lab/performance.md');
  const when = new Date().toISOString().slice(0, 16);
  const about = `${when}, ${cpus().length} processors, load ${loadavg()[0].toFixed(1)} at the end, median of ${runs}.`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      /(<!-- lighthouse -->\n)[^]*(\n<!-- end lighthouse -->)/,
      (_, begin, end) => `${begin}\n${about}\n\n${rows.join('\n')}\n${end}`,
    ),
  );
}

const lighthouse = [
  '--yes',
  'lighthouse@13.5.0',
  '--quiet',
  '--output=json',
  '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
];

async function visit(address, tries = 6) {
  try {
    const { stdout } = await run('npx', [...lighthouse, address], {
      timeout: 180_000,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
      env: { ...process.env, CHROME_PATH: ensureProgram('chromium') },
    });
    return JSON.parse(stdout);
  } catch (error) {
    // Chromium sometimes records no navigation.
    if (tries === 1) throw error;
    return visit(address, tries - 1);
  }
}

/** The addresses of static pages with the texts of the pages of the product, by these. */
async function serveStaticPages(addresses) {
  const texts = new Map();
  const browser = await chromium.launch({
    executablePath: ensureProgram('chromium'),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  for (const [index, { address, language }] of addresses.entries()) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(address, { waitUntil: 'networkidle' });
    texts.set(`/${index}`, brotliCompressSync(await writeStaticPage(page, language)));
    await page.close();
  }
  await browser.close();
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-encoding', 'br');
    response.end(texts.get(request.url));
  });
  await new Promise((ready) => server.listen(0, ready));
  return { server, addressOf: (index) => `http://localhost:${server.address().port}/${index}` };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const figure = (reports, name) =>
  Math.round(median(reports.map(({ audits }) => audits[name].numericValue)));

async function measure(address, staticAddress) {
  const [reports, plain] = [[], []];
  for (let round = 0; round < runs; round += 1) {
    reports.push(await visit(address));
    plain.push(await visit(staticAddress));
  }
  const scores = Object.keys(marks).map((name) =>
    Math.round(100 * median(reports.map(({ categories }) => categories[name].score ?? 0))),
  );
  const [lcp, plainLcp] = [reports, plain].map((each) => figure(each, 'largest-contentful-paint'));
  const blocked = figure(reports, 'total-blocking-time');
  const shift = median(reports.map(({ audits }) => audits['cumulative-layout-shift'].numericValue));
  const ratio = lcp / plainLcp;
  const isMissed =
    Object.values(marks).some((mark, index) => scores[index] < mark) ||
    ratio > limits.ratio ||
    shift > limits.shift ||
    blocked > limits.blocked;
  const failures = Object.entries(reports[0].audits)
    .filter(([, audit]) => audit.score === 0 && audit.scoreDisplayMode === 'binary')
    .map(([name]) => name);
  const cells = [lcp, plainLcp, ratio.toFixed(2), blocked, shift.toFixed(3), ...scores];
  return { cells, isMissed, failures };
}

const titles = ['page', 'language', 'LCP ms', 'static page LCP ms', 'ratio', 'TBT ms', 'shift'];

let product;
let staticPages;
try {
  product = process.env.BASE_URL
    ? { base: process.env.BASE_URL, stop: async () => undefined }
    : await startProduct();
  const { base } = product;
  if (!(await isReady(base))) throw new Error(`Nothing answers at ${base}`);
  const pages = languages.flatMap((language) =>
    paths.map((path) => ({ path, language, address: addressIn(base, path, language) })),
  );
  staticPages = await serveStaticPages(pages);
  const head = [...titles, ...Object.keys(marks)];
  const rows = [
    `| ${head.join(' | ')} |`,
    `| --- | --- | ${head
      .slice(2)
      .map(() => '--:')
      .join(' | ')} |`,
  ];
  console.log(rows.join('\n'));
  for (const [index, { path, language, address }] of pages.entries()) {
    const { cells, isMissed, failures } = await measure(address, staticPages.addressOf(index));
    rows.push(`| ${[path, language, ...cells].join(' | ')} |`);
    console.log(rows.at(-1));
    if (!isMissed) continue;
    process.exitCode = 1;
    console.log(`a limit is missed; failed audits: ${failures.join(', ') || 'none'}`);
  }
  if (!(await isReady(base))) throw new Error('The product went away while it was measured');
  if (process.argv.includes('--write')) writeTable(rows);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  staticPages?.server.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
}
