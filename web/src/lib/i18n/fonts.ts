import type { Language } from '@diwan/contract/wire/languages';
import { storeCookie } from '../browser/storage.ts';
import alexandriaArabic from './fonts/alexandria-arabic.woff2';
import notoKufiArabicArabic from './fonts/noto-kufi-arabic-arabic.woff2';
import notoKufiArabicLatin from './fonts/noto-kufi-arabic-latin.woff2';
import notoNastaliqUrduArabic from './fonts/noto-nastaliq-urdu-arabic.woff2';
import robotoLatin from './fonts/roboto-latin.woff2';

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

/** The style rules of a page whose browser has cached the fonts of its language. */
export const fontFaces = (language: Language): string =>
  fontsOf[language]
    .map(
      ({ family, url, unicodeRange }) =>
        `@font-face{font-family:"${family}";src:url("${url}");font-weight:400 700;` +
        `font-display:swap;unicode-range:${unicodeRange}}`,
    )
    .join('');

/** Those that this code made. The page uses one when `document.fonts` has it. */
const faces = new Map<Font, FontFace>();

/**
 * A face that the server wrote into the page; the others of its family are there too. Not one that
 * this code added for another script of the family.
 */
function findInPage({ family }: Font): FontFace | undefined {
  const own = new Set(faces.values());
  return [...document.fonts].find((face) => !own.has(face) && face.family.includes(family));
}

function faceOf(font: Font): FontFace {
  const known = faces.get(font) ?? findInPage(font);
  // A font that failed is loaded again.
  if (known && known.status !== 'error') return known;
  const { family, url, unicodeRange } = font;
  const face = new FontFace(family, `url(${url})`, { weight: '400 700', unicodeRange });
  faces.set(font, face);
  return face;
}

/** Loads the fonts of a language; `isComplete` says whether none has failed. */
async function load(
  language: Language,
): Promise<{ loaded: readonly FontFace[]; isComplete: boolean }> {
  const results = await Promise.allSettled(fontsOf[language].map((font) => faceOf(font).load()));
  const loaded = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return { loaded, isComplete: loaded.length === results.length };
}

function show(loaded: readonly FontFace[]): void {
  const own = new Set(faces.values());
  for (const face of loaded) if (own.has(face)) document.fonts.add(face);
}

/**
 * Shows the fonts of a language: loads them before the page uses them, so that lines break once. A
 * failure is no error, because the page is readable without them.
 */
export async function showFonts(language: Language): Promise<void> {
  show((await load(language)).loaded);
}

const letters: Record<Language, string> = { 'ar-EG': 'ك', 'en-US': 'e', 'ur-PK': 'ہ' };

/** Whether the device has no letters of a language, and draws empty boxes. */
export function lacksLetters(language: Language): boolean {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return false;
  pen.font = '32px sans-serif';
  // No font has this character.
  return pen.measureText(letters[language]).width === pen.measureText('\u{10FFFF}').width;
}

/**
 * Loads the fonts of the first page for the next one. They arrive when the page can be read, and
 * would move its lines (decision 0105), so this page has them only where the device has no letters.
 * The cookie says to the server that the browser has the files.
 */
export async function loadFirstFonts(language: Language): Promise<void> {
  const { loaded, isComplete } = await load(language);
  if (lacksLetters(language)) show(loaded);
  if (!isComplete) return;
  storeCookie('fonts', language);
}
