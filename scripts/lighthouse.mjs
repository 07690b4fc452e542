// Runs Lighthouse on the pages of first visits, as a phone on a slow network: npm run lighthouse.
// Exits with 1 below the scores. BASE_URL is a running product; without it the script starts one on
// fresh data. CHROMIUM is a browser of the machine, RUNS the number of loads of each page.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureChromium } from './chromium.mjs';
import { root } from './install.mjs';

const runs = Number(process.env.RUNS ?? 3);
const pages =
  process.argv.slice(2).length > 0
    ? process.argv.slice(2)
    : ['/home', '/services', '/requests/Create/renew-trade-licence'];
const marks = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const maximumShift = 0.02;
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

function visit(address, file) {
  const { status, stderr } = spawnSync(
    'npx',
    [
      '--yes',
      'lighthouse@13.5.0',
      address,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ],
    {
      encoding: 'utf8',
      timeout: 180_000,
      shell: process.platform === 'win32',
      env: { ...process.env, CHROME_PATH: ensureChromium() },
    },
  );
  if (status !== 0) throw new Error(`Lighthouse failed on ${address}: ${stderr.slice(-2000)}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function measure(base, path) {
  const reports = Array.from({ length: runs }, (_, run) =>
    visit(`${base}${path}`, join(folder, `${run}.json`)),
  );
  const score = (name) =>
    Math.round(100 * median(reports.map((report) => report.categories[name].score ?? 0)));
  const figure = (name) => median(reports.map((report) => report.audits[name].numericValue));
  const scores = Object.fromEntries(Object.keys(marks).map((name) => [name, score(name)]));
  const shift = figure('cumulative-layout-shift');
  const failures = Object.entries(reports[0].audits)
    .filter(([, audit]) => audit.score === 0 && audit.scoreDisplayMode === 'binary')
    .map(([name]) => name);
  const scoreTexts = Object.entries(scores).map(([name, value]) => `${name} ${value}`);
  const isUnder =
    Object.entries(marks).some(([name, mark]) => scores[name] < mark) || shift > maximumShift;
  console.log(
    [
      `${isUnder ? 'below' : 'good '}  ${path}: ${scoreTexts.join(', ')}`,
      `LCP ${Math.round(figure('largest-contentful-paint'))} ms, CLS ${shift.toFixed(3)}, ` +
        `TBT ${Math.round(figure('total-blocking-time'))} ms`,
      ...(isUnder ? [`failed: ${failures.join(', ')}`] : []),
    ].join('; '),
  );
  return isUnder;
}

let product;
try {
  product = process.env.BASE_URL
    ? { base: process.env.BASE_URL, stop: async () => undefined }
    : await startProduct();
  const { base } = product;
  if (!(await isReady(base))) throw new Error(`Nothing answers at ${base}`);
  process.exitCode = pages.map((path) => measure(base, path)).some(Boolean) ? 1 : 0;
  if (!(await isReady(base))) throw new Error('The product went away while it was measured');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
}
