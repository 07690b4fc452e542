// Two engines over every page in each language and both colour modes.
import { runSniffer } from '../second-engine.ts';
import { runAxe } from '../steps.ts';
import { chosenThemes, chosenWidths } from './environment.ts';
import { testVisits } from './visit-pages.ts';
import { visits } from './visits.ts';

const choice = { widths: chosenWidths([390]), themes: chosenThemes(['light', 'dark']) };

testVisits(visits, choice, async (page) => {
  const { violations, headings, isTooWide } = await runAxe(page);
  return [
    ...violations.map((violation) => `axe: ${violation}`),
    ...(headings === 1 ? [] : [`${headings} main headings`]),
    ...(isTooWide ? ['scrolls sideways'] : []),
    ...(await runSniffer(page)).map((error) => `HTML_CodeSniffer: ${error}`),
  ];
});
