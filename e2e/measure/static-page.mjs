// A page written by hand beside which the first view of the portal is measured.

/**
 * Writes a separate page with the headings, links and paragraphs that an open page of the product
 * shows, without scripts and fonts.
 */
export async function writeStaticPage(page, language) {
  const body = await page.evaluate(() => {
    const escape = (text) =>
      text.trim().replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
    const parts = document.querySelectorAll('main :is(h1, h2, h3, p, a, dd, li > span)');
    return [...parts]
      .filter((part) => part.checkVisibility() && !part.querySelector('h1, h2, h3, p, a'))
      .map((part) => {
        const text = escape(part.innerText);
        if (part.localName === 'a') return `<p><a href="${escape(part.href)}">${text}</a></p>`;
        const name = part.localName.startsWith('h') ? part.localName : 'p';
        return `<${name}>${text}</${name}>`;
      })
      .join('\n');
  });
  const direction = language === 'en-US' ? 'ltr' : 'rtl';
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Services</title>
<style>body{font:1rem/1.8 sans-serif;margin:16px;max-width:75rem}a{color:#7c5e24}</style></head>
<body><main>${body}</main></body></html>`;
}
