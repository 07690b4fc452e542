import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { directionOf } from '@diwan/contract/wire/languages';

/**
 * Writes a separate page with the headings, links and paragraphs that an open page of the product
 * shows, without scripts and fonts.
 */
async function writeStaticPage(page: Page, language: Language): Promise<string> {
  const body = await page.evaluate(() => {
    const escape = (text: string) =>
      text.trim().replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
    const parts = document.querySelectorAll<HTMLElement>(
      'main :is(h1, h2, h3, p, a, dd, li > span)',
    );
    return [...parts]
      .filter((part) => part.checkVisibility() && !part.querySelector('h1, h2, h3, p, a'))
      .map((part) => {
        const text = escape(part.innerText);
        if (part instanceof HTMLAnchorElement)
          return `<p><a href="${escape(part.href)}">${text}</a></p>`;
        const name = part.localName.startsWith('h') ? part.localName : 'p';
        return `<${name}>${text}</${name}>`;
      })
      .join('\n');
  });
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Services</title>
<style>body{font:1rem/1.8 sans-serif;margin:16px;max-width:75rem}a{color:#7c5e24}</style></head>
<body><main>${body}</main></body></html>`;
}

interface StaticPage {
  /** Sent with `headers`. */
  address: string;
  /** Sent without them. */
  bareAddress: string;
  close(): void;
}

/** Serves a static page with the texts of an open page, compressed. */
export async function serveStaticPage(
  page: Page,
  language: Language,
  headers: readonly (readonly [string, string])[] = [],
): Promise<StaticPage> {
  const text = brotliCompressSync(await writeStaticPage(page, language));
  const server = createServer((request, response) => {
    for (const [name, value] of request.url === '/bare' ? [] : headers)
      response.setHeader(name, value);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-encoding', 'br');
    response.end(text);
  });
  await new Promise<void>((ready) => server.listen(0, ready));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { address: `${origin}/page`, bareAddress: `${origin}/bare`, close: () => server.close() };
}
