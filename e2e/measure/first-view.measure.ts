// The first view of the portal on a slow phone, in turn with a static page with the same texts, with the
// portal's security headers and without them.
import { cpus } from 'node:os';
import type { Browser } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { test } from '../journey.ts';
import { portalUrl } from '../server.ts';
import { chosenLanguages, runs } from './environment.ts';
import { noteRow } from './reporter.ts';
import { firstPaths, measureVisit, median, openPhone } from './slow-phone.ts';
import { serveStaticPage } from './static-page.ts';

// The headers of the portal that do not describe its content. For cross-origin-opener-policy the browser
// starts a process for the page, which takes longer on a slow phone.
async function readSecurityHeaders(): Promise<[string, string][]> {
  const { headers } = await fetch(`${portalUrl}/home`);
  return [...headers].filter(([name]) => /^(cross-origin|origin|referrer|strict|x)-/.test(name));
}

async function visit(browser: Browser, address: string, language: Language) {
  const { fcp, lcp, shift, tasks, files } = await measureVisit(
    await openPhone(browser, language),
    address,
  );
  const blocked = tasks
    .filter(([start]) => start >= fcp)
    .reduce((sum, [, duration]) => sum + duration - 50, 0);
  const scripts = files
    .filter(({ type }) => type === 'Script')
    .reduce((sum, { bytes }) => sum + bytes, 0);
  return { fcp, lcp, shift, blocked, scripts: scripts / 1000 };
}

type Figures = Awaited<ReturnType<typeof visit>>;

for (const language of chosenLanguages(['ar-EG']))
  for (const path of firstPaths)
    test(`${path} (${language})`, async ({ browser }) => {
      const copied = await openPhone(browser, language);
      await copied.goto(`${portalUrl}${path}`, { waitUntil: 'networkidle' });
      const page = await serveStaticPage(copied, language, await readSecurityHeaders());
      await copied.context().close();
      const product: Figures[] = [];
      const plain: Figures[] = [];
      const bare: Figures[] = [];
      for (let run = 0; run < runs; run += 1) {
        product.push(await visit(browser, `${portalUrl}${path}`, language));
        plain.push(await visit(browser, page.address, language));
        bare.push(await visit(browser, page.bareAddress, language));
      }
      page.close();
      const of = (visits: readonly Figures[], name: keyof Figures) =>
        median(visits.map((each) => each[name]));
      noteRow({
        table: 'first view',
        about: `${new Date().toISOString().slice(0, 16)}, ${cpus().length} processors, median of ${runs}.`,
        cells: {
          page: path,
          language,
          'LCP ms': Math.round(of(product, 'lcp')),
          'static page LCP ms': Math.round(of(plain, 'lcp')),
          ratio: (of(product, 'lcp') / of(plain, 'lcp')).toFixed(2),
          'without headers LCP ms': Math.round(of(bare, 'lcp')),
          // The same name would be the same cell.
          'ratio ': (of(product, 'lcp') / of(bare, 'lcp')).toFixed(2),
          'FCP ms': Math.round(of(product, 'fcp')),
          'TBT ms': Math.round(of(product, 'blocked')),
          'static page TBT ms': Math.round(of(plain, 'blocked')),
          shift: of(product, 'shift').toFixed(3),
          'largest shift': Math.max(...product.map(({ shift }) => shift)).toFixed(3),
          'JavaScript kB': of(product, 'scripts').toFixed(1),
        },
      });
    });
