import type { Language } from '@diwan/contract/wire/languages';
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

const faces = new Map<Font, FontFace>();

/** Fonts that would move the lines of the page that is being read: the next page has them. */
let late: readonly (readonly [Font, FontFace])[] = [];

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

const newFace = ({ family, url, unicodeRange }: Font) =>
  new FontFace(family, `url(${url})`, { weight: '400 700', display: 'swap', unicodeRange });

function addFace(font: Font, face = newFace(font)): FontFace {
  document.fonts.add(face);
  faces.set(font, face);
  return face;
}

function faceOf(font: Font): FontFace {
  if (late.some(([each]) => each === font)) addLateFonts();
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

const placesOf = (elements: readonly Element[]): readonly DOMRect[] =>
  elements.map((element) => element.getBoundingClientRect());

const isSeen = ({ width, height, top, bottom }: DOMRect) =>
  width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;

/** The largest move, in pixels, that no layout shift counts. */
const ignoredMove = 3;

/** Adds fonts to the page unless something that is seen would move; then the next page has them. */
function addWithoutShift(loaded: readonly (readonly [Font, FontFace])[]): void {
  const elements = [...document.body.querySelectorAll('*')];
  const before = placesOf(elements);
  for (const [font, face] of loaded) addFace(font, face);
  const hasMoved = placesOf(elements).some((place, index) => {
    const old = before[index] as DOMRect;
    return Math.abs(place.top - old.top) > ignoredMove && (isSeen(place) || isSeen(old));
  });
  if (!hasMoved) return;
  for (const [font, face] of loaded) {
    document.fonts.delete(face);
    faces.delete(font);
  }
  late = loaded;
}

/** The next page of the server uses the fonts at once, because the browser has kept the files. */
function rememberFonts(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `fonts=${language}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/**
 * Loads the fonts of the first page. They arrive when it can be read: fonts that would move it wait
 * for the next page (decision 0093).
 */
export async function loadFirstFonts(language: Language): Promise<void> {
  const fonts = fontsOf[language];
  // The server wrote them into the page: the browser has the files.
  if (fonts.every(findInPage)) return;
  try {
    const loaded = await Promise.all(
      fonts.map(async (font) => [font, await (faces.get(font) ?? newFace(font)).load()] as const),
    );
    // A task of its own: it lays the page out.
    await new Promise((resolve) => setTimeout(resolve));
    addWithoutShift(loaded);
    rememberFonts(language);
  } catch {
    // The page is readable without its fonts.
  }
}

/** When the page changes. */
export function addLateFonts(): void {
  const loaded = late;
  late = [];
  for (const [font, face] of loaded) addFace(font, face);
}
