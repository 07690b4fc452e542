import type { Language } from '@diwan/contract/languages';

/** Only the scripts that a language is written in. */
const fontsOf: Record<Language, () => Promise<unknown>> = {
  'ar-EG': () => import('../ui/fonts-arabic.css'),
  'en-US': () => import('../ui/fonts-english.css'),
  'ur-PK': () => import('../ui/fonts-urdu.css'),
};

/** The style sheet of a language's fonts; a page without them is still readable, so a failure is not an error. */
export async function loadFonts(language: Language): Promise<void> {
  try {
    await fontsOf[language]();
  } catch {
    // The next load will try again.
  }
}
