import type { Language } from '@diwan/contract/wire/languages';
import robotoLatin from './fonts/roboto-latin.woff2';
import notoKufiArabicArabic from './fonts/noto-kufi-arabic-arabic.woff2';
import notoKufiArabicLatin from './fonts/noto-kufi-arabic-latin.woff2';
import alexandriaArabic from './fonts/alexandria-arabic.woff2';
import notoNastaliqUrduArabic from './fonts/noto-nastaliq-urdu-arabic.woff2';

interface Font {
  family: string;
  url: string;
  unicodeRange: string;
}

const arabicScript = 'U+600-8FF,U+200C-200E,U+2010-2011,U+FB50-FEFC';
const latinScript =
  'U+0-FF,U+131,U+152-153,U+2BB-2DC,U+304-329,U+2000-206F,U+20AC,U+2122,U+2191-2215,U+FEFF-FFFD';

const roboto: Font = {
  family: 'Roboto Variable',
  url: robotoLatin,
  unicodeRange: latinScript,
};

/**
 * The fonts of a language, for its scripts only. Alexandria has the Arabic letters of headings; Kufi
 * has the Latin letters, digits and spaces for both, which saves a third file. Nastaliq has the Urdu
 * letters, Roboto the Latin letters, digits and spaces. The files: decision 0012.
 */
const fontsOf: Record<Language, readonly Font[]> = {
  'ar-EG': [
    {
      family: 'Noto Kufi Arabic Variable',
      url: notoKufiArabicArabic,
      unicodeRange: arabicScript,
    },
    {
      family: 'Noto Kufi Arabic Variable',
      url: notoKufiArabicLatin,
      unicodeRange: latinScript,
    },
    {
      family: 'Alexandria Variable',
      url: alexandriaArabic,
      unicodeRange: arabicScript,
    },
  ],
  'en-US': [roboto],
  'ur-PK': [
    {
      family: 'Noto Nastaliq Urdu Variable',
      url: notoNastaliqUrduArabic,
      unicodeRange: arabicScript,
    },
    roboto,
  ],
};

const faces = new Map<Font, FontFace>();

/** The style rules by which a page has the fonts of a language without a script. */
export const fontFaces = (language: Language): string =>
  fontsOf[language]
    .map(
      ({ family, url, unicodeRange }) =>
        `@font-face{font-family:"${family}";src:url("${url}");font-weight:400 700;` +
        `font-display:swap;unicode-range:${unicodeRange}}`,
    )
    .join('');

/** The addresses of the fonts of a language. */
export const fontFiles = (language: Language): readonly string[] =>
  fontsOf[language].map(({ url }) => url);

/**
 * A face that the server wrote into the page; the others of its family are there too. Not one that
 * this code added for another script of the family.
 */
function findInPage({ family }: Font): FontFace | undefined {
  const added = new Set(faces.values());
  return [...document.fonts].find((face) => !added.has(face) && face.family.includes(family));
}

function faceOf(font: Font): FontFace {
  const known = faces.get(font) ?? findInPage(font);
  // A font that failed is loaded again.
  if (known && known.status !== 'error') return known;
  if (known) document.fonts.delete(known);
  const face = new FontFace(font.family, `url(${font.url})`, {
    weight: '400 700',
    display: 'swap',
    unicodeRange: font.unicodeRange,
  });
  document.fonts.add(face);
  faces.set(font, face);
  return face;
}

/**
 * Loads the fonts of a language before the page uses them, so that lines break once. A failure is
 * no error, because the page is readable without them. A style sheet would load them one round trip
 * later.
 */
export async function loadFonts(language: Language): Promise<void> {
  await Promise.all(fontsOf[language].map((font) => faceOf(font).load())).catch(() => undefined);
}
