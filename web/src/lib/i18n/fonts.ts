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
  /** Lines break elsewhere than with the font of the device, so that the page moves. */
  movesLines?: boolean;
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
      movesLines: true,
    },
    roboto,
  ],
};

const faces = new Map<Font, FontFace>();

/** Fonts that arrived while a page was being read, which keeps its letters: the next page has them. */
const late = new Map<Font, FontFace>();

/** Below the three seconds after which a browser keeps the letters of `font-display: fallback`. */
const readingAfter = 2500;

/** The style rules by which a page has the fonts of a language without a script. */
export const fontFaces = (language: Language): string =>
  fontsOf[language]
    .map(
      ({ family, url, unicodeRange, movesLines }) =>
        `@font-face{font-family:"${family}";src:url("${url}");font-weight:400 700;` +
        `font-display:${movesLines ? 'fallback' : 'swap'};unicode-range:${unicodeRange}}`,
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

const newFace = ({ family, url, unicodeRange }: Font) =>
  new FontFace(family, `url(${url})`, { weight: '400 700', display: 'swap', unicodeRange });

function addFace(font: Font, face = newFace(font)): FontFace {
  document.fonts.add(face);
  faces.set(font, face);
  late.delete(font);
  return face;
}

function faceOf(font: Font): FontFace {
  const loaded = late.get(font);
  if (loaded) return addFace(font, loaded);
  const known = faces.get(font) ?? findInPage(font);
  // A font that failed is loaded again.
  if (known && known.status !== 'error') return known;
  if (known) document.fonts.delete(known);
  return addFace(font);
}

/**
 * Loads the fonts of a language before the page uses them, so that lines break once. A failure is
 * no error, because the page is readable without them. A style sheet would load them one round trip
 * later.
 */
export async function loadFonts(language: Language): Promise<void> {
  await Promise.all(fontsOf[language].map((font) => faceOf(font).load())).catch(() => undefined);
}

function isBeingRead(): boolean {
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  return painted !== undefined && performance.now() - painted.startTime > readingAfter;
}

async function loadFirst(font: Font): Promise<void> {
  if (!font.movesLines) return void (await faceOf(font).load());
  const inPage = findInPage(font);
  const face = await (inPage ?? newFace(font)).load();
  if (!isBeingRead()) return inPage ? undefined : void addFace(font, face);
  // The browser does not use a face of the page that came too late, whatever is done to it.
  late.set(font, inPage ? await newFace(font).load() : face);
}

/**
 * Loads the fonts of the first page. On a slow network they arrive while it is being read; those
 * that would move its lines wait for the next page: decision 0093.
 */
export async function loadFirstFonts(language: Language): Promise<void> {
  await Promise.all(fontsOf[language].map(loadFirst)).catch(() => undefined);
}

/** When the page changes. */
export function addLateFonts(): void {
  for (const [font, face] of late) addFace(font, face);
}
