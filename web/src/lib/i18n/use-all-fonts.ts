import { useEffect } from 'react';
import { languages } from '@diwan/contract/wire/languages';
import { showFonts } from './fonts.ts';

/** Shows the fonts of all languages, for pages that have texts of each. */
export function useAllFonts(): void {
  useEffect(() => {
    for (const language of languages) void showFonts(language);
  }, []);
}
