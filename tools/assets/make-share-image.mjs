// Draws the picture of shared links, web/public/og-image.png, and the icons of the portal on a home
// screen, web/public/app-icon-*.png: node tools/assets/make-share-image.mjs.
// CHROMIUM is a browser of the machine.
import { readFileSync, statSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { ensureProgram } from '../../scripts/programs.mjs';

const file = 'web/public/og-image.png';
const motif = `data:image/svg+xml;base64,${readFileSync('web/public/motif.svg').toString('base64')}`;
const mark = readFileSync('web/public/favicon.svg', 'utf8').replace(
  /width="64" height="64"/,
  'width="150" height="150"',
);
const fontOf = (name) =>
  `data:font/woff2;base64,${readFileSync(`node_modules/@fontsource-variable/${name}`).toString('base64')}`;
const arabicFont = fontOf('alexandria/files/alexandria-arabic-wght-normal.woff2');
const latinFont = fontOf('alexandria/files/alexandria-latin-wght-normal.woff2');
const urduFont = fontOf('noto-nastaliq-urdu/files/noto-nastaliq-urdu-arabic-wght-normal.woff2');
const html = `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: A; src: url(${arabicFont}); font-weight: 100 900; }
  @font-face { font-family: L; src: url(${latinFont}); font-weight: 100 900; }
  @font-face { font-family: U; src: url(${urduFont}); font-weight: 400 700; }
  body {
    margin: 0; width: 1200px; height: 630px; box-sizing: border-box;
    background: #fff; color: #1b1d21; font-family: A, L;
    display: grid; grid-template-columns: 400px 1fr;
    border-block-start: 14px solid #92722a;
  }
  .ground {
    background: #faf9f6 url(${motif}) center / 120px; border-inline-end: 1px solid #e1e3e5;
    display: grid; place-items: center;
  }
  .mark { background: #fff; border-radius: 24px; padding: 28px; line-height: 0; border: 1px solid #e1e3e5; }
  .texts { padding: 0 76px; align-self: center; }
  h1 {
    font-size: 64px; line-height: 1.4; font-weight: 650; margin: 0 0 26px;
  }
  p { font-size: 38px; line-height: 1.5; margin: 0; color: #3e4046; }
  .urdu { font-family: U; line-height: 2.3; }
</style><body dir="rtl"><div class="ground"><div class="mark">${mark}</div></div><div class="texts">
<h1 lang="ar">بوابة الخدمات الحكومية</h1>
<p lang="en" dir="ltr" style="text-align: right">Government services portal</p>
<p lang="ur" class="urdu">سرکاری خدمات کا پورٹل</p></div>`;

const browser = await chromium.launch({
  executablePath: ensureProgram('chromium'),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(html);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: file });
// Phones cut icons into circles and other shapes: the mark is within the inner four fifths.
for (const size of [180, 192, 512]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: #faf9f6; }
    svg { width: 68vw; height: 68vw; }
  </style>${mark}`);
  await page.screenshot({ path: `web/public/app-icon-${size}.png` });
}
await browser.close();
console.log(`${file}: ${statSync(file).size} bytes`);
