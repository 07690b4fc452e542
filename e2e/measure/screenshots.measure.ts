// Pictures of every page: screenshots/<language>/<width>[-<text size>][-dark]/<name>.png. TEXT=200 is
// text at twice its size.
import { chosenThemes, chosenWidths } from './environment.ts';
import { testVisits } from './visit-pages.ts';
import { visits } from './visits.ts';

const textSize = Number(process.env.TEXT ?? 100);

testVisits(
  visits,
  { widths: chosenWidths([390, 1280]), themes: chosenThemes(['light']), textSize },
  async (page, { visit, language, width, theme }) => {
    const { scrollWidth, scrollHeight, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, scrollHeight, clientWidth } = document.documentElement;
      return { scrollWidth, scrollHeight, clientWidth };
    });
    // Sticky parts at the bottom edge belong at the end of a whole page, not across its middle.
    if (!visit.isWindow) {
      const height = Math.max(page.viewportSize()?.height ?? 0, scrollHeight);
      await page.setViewportSize({ width, height: Math.min(12_000, height) });
    }
    const kind = [
      width,
      ...(textSize === 100 ? [] : [textSize]),
      ...(theme === 'dark' ? [theme] : []),
    ];
    await page.screenshot({ path: `screenshots/${language}/${kind.join('-')}/${visit.name}.png` });
    return scrollWidth > clientWidth ? ['wider than the window'] : [];
  },
);
