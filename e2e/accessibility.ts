// Runs two engines over every page of a running product, in each language and both colour modes: npm
// run accessibility [-- filters]. A filter is a name of e2e/portal-visits.ts or
// e2e/measure/screenshot-pages.mjs, the beginning of an address (/dashboard), a demo user (admin), or
// public.
//
// BASE_URL (default http://localhost:3000), CHROMIUM, LANGUAGES (ar-EG,en-US,ur-PK), WIDTHS (390;
// 390,1280 visits each page twice), THEME (light,dark). It prints each finding as soon as it is seen,
// at the end with all visits that show it, and fails when there is one.
import { visitPages } from './measure/visit-pages.mjs';
import { runSniffer } from './second-engine.ts';
import { runAxe } from './steps.ts';

const themes = (process.env.THEME ?? 'light,dark').split(',') as ('light' | 'dark')[];
const widths = (process.env.WIDTHS ?? '390').split(',').map(Number);

/** The visits that show each finding. */
const findings = new Map<string, string[]>();
function note(finding: string, visit: string): void {
  if (!findings.has(finding)) console.warn(`${visit}: ${finding}`);
  findings.set(finding, [...(findings.get(finding) ?? []), visit]);
}
let visits = 0;

await visitPages(
  { widths, themes, filters: process.argv.slice(2).filter((filter) => !filter.startsWith('-')) },
  {
    visit: async (page, { language, width, theme, entry }) => {
      const name = `${entry.name} (${language}, ${width} px, ${theme})`;
      const { violations, headings, isTooWide } = await runAxe(page);
      for (const violation of violations) note(`axe: ${violation}`, name);
      if (headings !== 1) note(`${headings} main headings`, name);
      if (isTooWide) note('scrolls sideways', name);
      for (const error of await runSniffer(page)) note(`HTML_CodeSniffer: ${error}`, name);
      visits += 1;
    },
    report: (text) => note(`failed: ${text.slice(text.indexOf(': ') + 2)}`, text),
  },
);

for (const [finding, shownBy] of findings) {
  console.log(finding);
  for (const visit of shownBy) console.log(`    ${visit}`);
}
console.log(`${visits} visits, ${findings.size} findings`);
if (findings.size > 0 || visits === 0) process.exitCode = 1;
