// Lighthouse on the pages of first visits and, in turn, on static pages with the same texts. It is not in
// the lock file (decision 0004): npx downloads it.
import { execFile } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from '../journey.ts';
import { portalUrl } from '../server.ts';
import { chosenLanguages, runs } from './environment.ts';
import { noteFinding, noteRow } from './reporter.ts';
import { firstPaths, median } from './slow-phone.ts';
import { serveStaticPage } from './static-page.ts';

interface Report {
  audits: Record<string, { numericValue: number; score: number | null; scoreDisplayMode: string }>;
  categories: Record<string, { score: number | null }>;
}

const marks = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const limits = { ratio: 1.3, shift: 0.02, blocked: 100 };
const lighthouse = [
  '--yes',
  'lighthouse@13.5.0',
  '--quiet',
  '--output=json',
  '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
];
const run = promisify(execFile);

async function visit(address: string, tries = 6): Promise<Report> {
  try {
    const { stdout } = await run('npx', [...lighthouse, address], {
      timeout: 180_000,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        CHROME_PATH: test.info().project.use.launchOptions?.executablePath,
      },
    });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    // Chromium sometimes records no navigation.
    if (tries === 1) throw error;
    return visit(address, tries - 1);
  }
}

const figureOf = (reports: readonly Report[], name: string) =>
  median(reports.map(({ audits }) => audits[name]?.numericValue ?? NaN));

for (const language of chosenLanguages(['ar-EG']))
  for (const path of firstPaths)
    test(`${path} (${language})`, async ({ browser }) => {
      const address = `${portalUrl}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;
      const copied = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await copied.goto(address, { waitUntil: 'networkidle' });
      const page = await serveStaticPage(copied, language);
      await copied.close();
      const reports: Report[] = [];
      const plain: Report[] = [];
      for (let round = 0; round < runs; round += 1) {
        reports.push(await visit(address));
        plain.push(await visit(page.bareAddress));
      }
      page.close();
      // A product that went away would have been measured as the browser's page of errors.
      expect(
        (await fetch(`${portalUrl}/health/ready`, { headers: { connection: 'close' } })).ok,
      ).toBe(true);
      const scores = Object.fromEntries(
        Object.keys(marks).map((name) => [
          name,
          Math.round(100 * median(reports.map((each) => each.categories[name]?.score ?? 0))),
        ]),
      );
      const lcp = figureOf(reports, 'largest-contentful-paint');
      const plainLcp = figureOf(plain, 'largest-contentful-paint');
      const blocked = figureOf(reports, 'total-blocking-time');
      const shift = figureOf(reports, 'cumulative-layout-shift');
      noteRow({
        table: 'lighthouse',
        about: `${new Date().toISOString().slice(0, 16)}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)} at the end, median of ${runs}.`,
        cells: {
          page: path,
          language,
          'LCP ms': Math.round(lcp),
          'static page LCP ms': Math.round(plainLcp),
          ratio: (lcp / plainLcp).toFixed(2),
          'TBT ms': Math.round(blocked),
          shift: shift.toFixed(3),
          ...scores,
        },
      });
      const failed = Object.entries(reports[0]?.audits ?? {})
        .filter(([, audit]) => audit.score === 0 && audit.scoreDisplayMode === 'binary')
        .map(([name]) => name);
      if (
        Object.entries(marks).some(([name, mark]) => (scores[name] ?? 0) < mark) ||
        lcp / plainLcp > limits.ratio ||
        shift > limits.shift ||
        blocked > limits.blocked
      )
        noteFinding(`a limit is missed; failed audits: ${failed.join(', ') || 'none'}`);
    });
