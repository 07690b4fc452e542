import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

// A second engine beside axe. Axe treats Arabic and Urdu letters as icons and skips their contrast
// (design §12).
const snifferSource = readFileSync(
  createRequire(import.meta.url).resolve('html_codesniffer/build/HTMLCS.js'),
  'utf8',
);

interface SnifferWindow {
  HTMLCS: {
    process: (standard: string, content: Document, done: () => void) => void;
    getMessages: () => { type: number; code: string; msg: string; element: Element }[];
  };
}

/** Errors of WCAG 2 AA on a page. */
export async function runSniffer(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'HTMLCS' in window))) await page.evaluate(snifferSource);
  return page.evaluate(async () => {
    const { HTMLCS } = window as unknown as SnifferWindow;
    await new Promise<void>((done) => HTMLCS.process('WCAG2AA', document, done));
    return HTMLCS.getMessages()
      .filter(
        // The viewer of PDFs measures letters on a canvas without a size. A file input that is not
        // displayed has no role: the button that opens it has the name.
        ({ type, element }) =>
          type === 1 &&
          !element.matches?.('.hiddenCanvasElement') &&
          !(element.matches?.('input[type=file]') && !element.checkVisibility()),
      )
      .map(({ code, msg, element }) => `${code}: ${msg} ${element.outerHTML?.slice(0, 160)}`);
  });
}
