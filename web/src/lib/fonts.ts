import type { Language } from '@diwan/contract/languages';

/** Only the scripts that a language is written in. */
const fontsOf: Record<Language, () => Promise<unknown>> = {
  'ar-EG': () => import('../ui/fonts-arabic.css'),
  'en-US': () => import('../ui/fonts-english.css'),
  'ur-PK': () => import('../ui/fonts-urdu.css'),
};

/** The fonts of a language, before a letter asks for them, so that lines break once; a page without them is still readable, so a failure is not an error. */
export async function loadFonts(language: Language): Promise<void> {
  try {
    await fontsOf[language]();
    await Promise.all([...document.fonts].map((face) => face.load()));
  } catch {
    // The next load will try again.
  }
}
