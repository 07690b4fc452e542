import { renderToStaticMarkup } from 'react-dom/server';
import type { DocumentContent } from '@diwan/contract/portal/document';
import { DemoWarning } from './document.tsx';
import { usedStyles, type StylePart } from './used-styles.ts';

/**
 * The styles that a page needs before its style sheet is there: the fonts that its browser has kept,
 * and what the first screen and the warning above it use of the style sheet's `parts`.
 */
export function firstStyles(
  { screen, site, language, hasFonts }: DocumentContent,
  parts: readonly StylePart[],
  fontFaces: (language: DocumentContent['language']) => string,
): string {
  const fonts = hasFonts ? fontFaces(language) : '';
  if (!screen) return fonts;
  const warning = site.warning ? renderToStaticMarkup(<DemoWarning warning={site.warning} />) : '';
  return fonts + usedStyles(parts, screen.html + warning, language);
}
