// The download of a first visit in kB on the wire and requests, by kind, and the largest paint on a slow
// phone. PAGE (/home) is the page; LIST=on prints each file.
import { test } from '../journey.ts';
import { portalUrl } from '../server.ts';
import { chosenLanguages } from './environment.ts';
import { noteRow } from './reporter.ts';
import { measureVisit, openPhone } from './slow-phone.ts';

const path = process.env.PAGE ?? '/home';
const kinds: Record<string, string> = {
  Document: 'html',
  Script: 'js',
  Stylesheet: 'css',
  Font: 'font',
  Image: 'image',
  Fetch: 'json',
  XHR: 'json',
};
const columns = ['html', 'js', 'css', 'font', 'image', 'json', 'other', 'all'];

for (const language of chosenLanguages())
  test(`${path} (${language})`, async ({ browser }) => {
    const open = async (isSlow: boolean) =>
      measureVisit(await openPhone(browser, language, false), `${portalUrl}${path}`, isSlow);
    const { files } = await open(false);
    const { lcp, shift } = await open(true);
    const cellOf = (kind: string) => {
      const counted = files.filter(
        ({ type }) => kind === 'all' || kind === (kinds[type] ?? 'other'),
      );
      const bytes = counted.reduce((sum, file) => sum + file.bytes, 0);
      return `${(bytes / 1000).toFixed(1)}/${counted.length}`;
    };
    noteRow({
      table: 'download',
      about: `${path}: kB on the wire / requests; LCP and CLS on a slow phone.`,
      cells: {
        language,
        ...Object.fromEntries(columns.map((kind) => [kind, cellOf(kind)])),
        'LCP ms': Math.round(lcp),
        CLS: shift.toFixed(3),
      },
    });
    if (process.env.LIST !== 'on') return;
    const start = Math.min(...files.map(({ from }) => from));
    const after = (time: number) => String(Math.round((time - start) * 1000)).padStart(5);
    for (const { from, to, bytes, url } of files.toSorted((a, b) => a.from - b.from))
      console.log(
        `    ${after(from)} to ${after(to)} ms ${String(bytes).padStart(9)}  ${url.replace(portalUrl, '')}`,
      );
  });
