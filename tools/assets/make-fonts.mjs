// Reduces the fonts to the characters that the portal uses: node tools/assets/make-fonts.mjs, with
// subset-font 2 installed (npm i --no-save subset-font@2). The repository has the files, so no
// build runs this. Decision 0012. Fonts: SIL Open Font License 1.1, from @fontsource-variable.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { default: subsetFont } = await import(
  process.env.SUBSET_FONT ? pathToFileURL(process.env.SUBSET_FONT).href : 'subset-font'
);

const range = (...parts) =>
  parts
    .flatMap(([from, to = from]) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
    )
    .join('');
// The whole block of Arabic script, so that Persian, Pashto, Sindhi and Kurdish names use one font;
// the joiners; the ligatures that people type.
const arabic = range(
  [0x600, 0x6ff],
  [0x200c, 0x200f],
  [0x2010, 0x2011],
  [0xfdf2],
  [0xfdfa, 0xfdfc],
);
// Nastaliq has many forms of each letter, so it has Urdu, Arabic and Farsi only; the device
// supplies rare letters.
const urdu = range(
  [0x60c],
  [0x610, 0x61f],
  [0x621, 0x65f],
  [0x660, 0x671],
  [0x679],
  [0x67e],
  [0x686],
  [0x688],
  [0x691],
  [0x698],
  [0x6a9],
  [0x6af],
  [0x6ba],
  [0x6be],
  [0x6c0, 0x6c3],
  [0x6cc],
  [0x6d2, 0x6d4],
  [0x6f0, 0x6f9],
  [0x200c, 0x200f],
  [0x2010, 0x2011],
  [0xfdf2],
  [0xfdfa],
);
// The characters of the original Latin files.
const latin = range(
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6],
  [0x2da],
  [0x2dc],
  [0x2000, 0x206f],
  [0x20ac],
  [0x2122],
  [0x2191],
  [0x2193],
  [0x2212],
  [0x2215],
);

const fonts = [
  ['noto-kufi-arabic', 'arabic', arabic],
  ['noto-kufi-arabic', 'latin', latin],
  ['alexandria', 'arabic', arabic],
  ['noto-nastaliq-urdu', 'arabic', urdu],
  ['roboto', 'latin', latin],
];

mkdirSync(join(root, 'web/src/lib/i18n/fonts'), { recursive: true });
for (const [family, script, text] of fonts) {
  const whole = readFileSync(
    join(
      root,
      `node_modules/@fontsource-variable/${family}/files/${family}-${script}-wght-normal.woff2`,
    ),
  );
  // All text is between weight 400 and 700.
  const cut = await subsetFont(whole, text, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700, default: 400 } },
  });
  writeFileSync(join(root, `web/src/lib/i18n/fonts/${family}-${script}.woff2`), cut);
  console.log(`${family} ${script}: ${whole.length} bytes, now ${cut.length}`);
}
