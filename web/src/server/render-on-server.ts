import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';

/** Renders the first screen of a page. Throws where a browser would do it better. */
export function renderOnServer(screen: ReactNode, path: string): string {
  const html = renderToString(screen);
  // React shows a component that fails on the server in the browser.
  if (html.includes('<!--$!-->')) throw new Error(`${path} needs the browser: ${html.slice(-500)}`);
  // React fetches pictures before the texts, except lazy ones and those of low priority.
  const [preload] = /<link rel="preload" as="image"[^>]*>/.exec(html) ?? [];
  if (preload !== undefined)
    throw new Error(`${path} preloads a picture without fetchPriority="low": ${preload}`);
  return html;
}
