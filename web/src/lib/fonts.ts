import type { Language } from '@diwan/contract/languages';

const fontsOf: Record<Language, () => Promise<unknown>> = {
  // Roboto draws the Latin names and references that Arabic and Urdu texts hold.
  'ar-EG': () => Promise.all([import('@fontsource-variable/alexandria/index.css'), import('@fontsource-variable/noto-kufi-arabic/index.css'), import('@fontsource-variable/roboto/index.css')]),
  'en-US': () => import('@fontsource-variable/roboto/index.css'),
  'ur-PK': () => Promise.all([import('@fontsource-variable/noto-nastaliq-urdu/index.css'), import('@fontsource-variable/roboto/index.css')]),
};

/** The style sheets of a language's fonts; a page without them is still readable, so a failure is not an error. */
export async function loadFonts(language: Language): Promise<void> {
  try {
    await fontsOf[language]();
  } catch {
    // The next load will try again.
  }
}
