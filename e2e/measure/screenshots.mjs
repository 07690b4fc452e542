// Takes pictures of every page in every language on a phone and a desk: npm run screenshots [--
// filters]
//
// BASE_URL (default http://localhost:3000), CHROMIUM (a browser of the machine instead of
// Playwright's own), LANGUAGES (ar-EG,en-US,ur-PK), WIDTHS (390,1280), TEXT (200 is text at twice
// its size), THEME (light; dark is a device in dark mode; light,dark takes both).
import { mkdirSync } from 'node:fs';
import { visitPages } from './visit-pages.mjs';

const textSize = Number(process.env.TEXT ?? 100);

async function take(page, { entry, language, width, theme, say }) {
  const isWider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  if (isWider) say('wider than the window');
  const kind = [
    width,
    ...(textSize === 100 ? [] : [textSize]),
    ...(theme === 'dark' ? [theme] : []),
  ];
  const folder = `screenshots/${language}/${kind.join('-')}`;
  mkdirSync(folder, { recursive: true });
  // Sticky parts at the bottom edge belong at the end of a whole page, not across its middle.
  if (!entry.isWindow)
    await page.setViewportSize({
      width,
      height: Math.min(
        12_000,
        Math.max(
          page.viewportSize().height,
          await page.evaluate(() => document.documentElement.scrollHeight),
        ),
      ),
    });
  await page.screenshot({ path: `${folder}/${entry.name}.png` });
}

await visitPages(
  {
    widths: process.env.WIDTHS?.split(',').map(Number) ?? [390, 1280],
    themes: process.env.THEME?.split(',') ?? ['light'],
    filters: process.argv.slice(2).filter((argument) => !argument.startsWith('-')),
    textSize,
  },
  { visit: take, report: (text) => console.warn(text) },
);
