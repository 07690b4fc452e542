import type { Language } from '@diwan/contract/wire/languages';

interface Font {
  family: string;
  url: URL;
  unicodeRange: string;
}

const arabicScript =
  'U+0600-06FF, U+0750-077F, U+0870-08FF, U+200C-200E, U+2010-2011, U+FB50-FDFF, U+FE70-FEFC';
const latinScript =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, ' +
  'U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';

const roboto: Font = {
  family: 'Roboto Variable',
  url: new URL('../../ui/fonts/roboto-latin.woff2', import.meta.url),
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
      url: new URL('../../ui/fonts/noto-kufi-arabic-arabic.woff2', import.meta.url),
      unicodeRange: arabicScript,
    },
    {
      family: 'Noto Kufi Arabic Variable',
      url: new URL('../../ui/fonts/noto-kufi-arabic-latin.woff2', import.meta.url),
      unicodeRange: latinScript,
    },
    {
      family: 'Alexandria Variable',
      url: new URL('../../ui/fonts/alexandria-arabic.woff2', import.meta.url),
      unicodeRange: arabicScript,
    },
  ],
  'en-US': [roboto],
  'ur-PK': [
    {
      family: 'Noto Nastaliq Urdu Variable',
      url: new URL('../../ui/fonts/noto-nastaliq-urdu-arabic.woff2', import.meta.url),
      unicodeRange: arabicScript,
    },
    roboto,
  ],
};

const faces = new Map<Font, FontFace>();

function faceOf(font: Font): FontFace {
  const known = faces.get(font);
  // A font that failed is loaded again.
  if (known && known.status !== 'error') return known;
  if (known) document.fonts.delete(known);
  const face = new FontFace(font.family, `url(${font.url.href})`, {
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
