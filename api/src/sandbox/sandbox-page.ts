import { directionOf, type Language } from '@diwan/contract/wire/languages';

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A page of the sandbox. `body` is HTML. */
export function page(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language.slice(0, 2)}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/sandbox.css"></head>
<body><main>${body}</main></body>
</html>`;
}

// The portal's fonts, because not every machine has one for Urdu.
const fonts = {
  'noto-kufi-arabic': 'Noto Kufi Arabic',
  'noto-nastaliq-urdu': 'Noto Nastaliq Urdu',
};

/** The file of a font of the style; `undefined` for any other name. */
export function fontFile(name: string): URL | undefined {
  return Object.keys(fonts).includes(name)
    ? new URL(`../../../web/src/lib/i18n/fonts/${name}-arabic.woff2`, import.meta.url)
    : undefined;
}

/** The style sheet of all pages. */
export const style = `
${Object.entries(fonts)
  .map(
    ([name, family]) =>
      `@font-face { font-family: '${family}'; src: url('/fonts/${name}') format('woff2');
  font-weight: 400 700; unicode-range: U+600-6FF, U+200C-200F, U+FDF2, U+FDFA-FDFC; }`,
  )
  .join('\n')}
:root { --ink: #232528; --quiet: #5f646d; --line: #c3c6cb; --brand: #1f3a5f; --done: #2f663c; --stop: #95231f; }
* { box-sizing: border-box; }
body { margin: 0; background: #f7f7f7; color: var(--ink);
  font: 1.0625rem/1.7 'Noto Kufi Arabic', 'Segoe UI', Tahoma, 'Noto Sans Arabic', system-ui, sans-serif; }
:lang(ur) { font-family: 'Noto Nastaliq Urdu', 'Jameel Noori Nastaleeq', Tahoma, serif; line-height: 2.3; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
.bar { background: var(--brand); color: #fff; padding: .75rem 1.25rem; margin: 0 0 1rem; border-radius: 12px; }
.bar small { display: block; color: #dbe4f0; }
h1 { font-size: 1.375rem; line-height: 1.4; margin: 0 0 1rem; }
section { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; }
dl { margin: 0 0 1.25rem; }
dl div { padding: .5rem 0; border-bottom: 1px solid #e1e3e5; }
dt { color: var(--quiet); font-size: .9375rem; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.amount { font-size: 1.75rem; font-weight: 700; }
form { display: grid; gap: .75rem; }
.card { display: grid; gap: .25rem; color: var(--quiet); font-size: .9375rem; }
.card input { font: inherit; color: var(--ink); min-height: 3rem; width: 100%; background: #fff;
  border: 1px solid #5f646d; border-radius: 8px; padding: .25rem .75rem; text-align: start; }
.card input[aria-invalid] { border: 2px solid var(--stop); }
.error { color: var(--stop); font-weight: 600; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; align-items: end; }
.fault { display: grid; gap: .25rem; color: var(--quiet); font-size: .9375rem; }
.fault select { font: inherit; color: var(--ink); min-height: 3rem; width: 100%; background: #fff;
  border: 1px solid #5f646d; border-radius: 8px; padding: .25rem .75rem; }
button[value=verified] { background: var(--done); color: #fff; }
button { font: inherit; font-weight: 600; min-height: 3rem; border-radius: 8px;
  border: 2px solid transparent; cursor: pointer; padding: .5rem 1rem; }
button[value=paid] { background: var(--done); color: #fff; }
button[value=declined] { background: #fff; color: var(--stop); border-color: var(--stop); }
button[value=approve] { background: var(--brand); color: #fff; }
button[value=cancel] { background: #fff; color: var(--ink); border-color: var(--line); }
button[value=error] { background: none; color: var(--stop); text-decoration: underline; text-underline-offset: 4px; }
button[value=error]:hover, button[value=cancel]:hover { background: #f1f2f3; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: .5rem; }
legend { padding: 0; }
.persona { display: flex; gap: .75rem; align-items: start; padding: .75rem;
  border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.persona:has(:checked) { border-color: var(--brand); box-shadow: inset 0 0 0 1px var(--brand); background: #f3f6fa; }
.persona input { inline-size: 1.25rem; block-size: 1.25rem; margin: .25rem 0 0;
  accent-color: var(--brand); flex: none; }
.level { border: 1px solid var(--line); border-radius: 999px; padding: 0 .5rem; white-space: nowrap;
  color: var(--quiet); background: #fff; }
button[value=cancelled] { background: #fff; color: var(--ink); border-color: var(--line); }
:focus-visible { outline: 3px solid #b68a35; outline-offset: 2px; }
.note { color: var(--quiet); font-size: .9375rem; }
section > :last-child { margin-bottom: 0; }
ul.messages { list-style: none; padding: 0; display: grid; gap: .75rem; }
ul.messages li { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
ul.messages h2 { font-size: 1.125rem; margin: .5rem 0 0; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 0 0 1rem; }
.row label { flex: 1 1 12rem; }
.row input, .row select { font: inherit; width: 100%; min-height: 2.75rem;
  border: 1px solid #5f646d; border-radius: 8px; padding: .25rem .75rem; background: #fff;
  color: var(--ink); }
.row button { min-height: 2.75rem; background: var(--brand); color: #fff; }
a { color: var(--brand); }
.whole { white-space: nowrap; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
bdi[dir=ltr] { unicode-bidi: isolate; }
`;
