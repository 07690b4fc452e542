import { renderToStaticMarkup } from 'react-dom/server';
import type { DocumentContent } from '@diwan/contract/portal/document';
import { DemoWarning } from './document.tsx';
import { usedStyles } from './used-styles.ts';

/**
 * The styles that a page needs before its style sheet `css` is there: the fonts that its browser has
 * kept, and what the first screen and the warning above it use.
 */
export function firstStyles(
  { screen, site, language, hasFonts }: DocumentContent,
  css: string,
  fontFaces: (language: DocumentContent['language']) => string,
): string {
  const fonts = hasFonts ? fontFaces(language) : '';
  if (!screen) return fonts;
  const warning = site.warning ? renderToStaticMarkup(<DemoWarning warning={site.warning} />) : '';
  return fonts + usedStyles(css, screen.html + warning, language);
}
