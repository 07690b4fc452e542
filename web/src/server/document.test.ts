import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DocumentContent } from '@diwan/contract/portal/document';
import { renderDocument } from './document.tsx';

const files = {
  script: '/assets/start.js',
  stylesheet: '/assets/style.css',
  preloads: ['/assets/portal.js'],
  home: '/assets/home.js',
};
const content: DocumentContent = {
  head: { title: 'T', description: 'D', path: '/home', status: 200 },
  language: 'en-US',
  site: {
    publicUrl: 'https://diwan.example',
    name: { 'ar-EG': 'ديوان', 'en-US': 'Diwan', 'ur-PK': 'دیوان' },
    shortName: { 'ar-EG': 'ديوان', 'en-US': 'Diwan', 'ur-PK': 'دیوان' },
    logo: '/favicon.svg',
    darkLogo: '/favicon.svg',
    isShippedLogo: true,
    phoneIcon: '/app-icon-180.png',
    shareImage: { path: '/og-image.png', width: 1200, height: 630 },
    mayBeIndexed: true,
    needsScript: { 'ar-EG': 'فعّل', 'en-US': 'Turn it on', 'ur-PK': 'فعال کریں' },
  },
  theme: undefined,
  hasFonts: false,
  announcements: [],
  textsVersion: '',
  screen: undefined,
};
const noStyles = { parts: [], fontFaces: () => '' };
const screen = { html: '<main>A &amp; B</main>', queries: [], missing: [] };

/** The content of the elements that the policy allows by their hash. */
const inlineOf = (html: string, tag: 'style' | 'script') =>
  [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text]) => text);

it.each([undefined, screen])('names every inline style and script of a page', (shown) => {
  const { html, styles, scripts } = renderDocument(
    { ...content, screen: shown, hasFonts: true },
    files,
    { parts: [], fontFaces: (language) => `@font-face{font-family:${language}}` },
  );
  expect(html).toMatch(/^<!DOCTYPE html><html lang="en-US" dir="ltr">/i);
  expect(styles).toEqual(inlineOf(html, 'style'));
  expect(scripts).toEqual(inlineOf(html, 'script'));
  expect(styles).toEqual(['@font-face{font-family:en-US}']);
  expect(scripts).toHaveLength(shown ? 1 : 0);
  expect(html).not.toMatch(/ style="| on\w+="/);
  expect(
    createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64'),
  ).toHaveLength(44);
});

it('names the traces of calls of its own API only, and only where traces are kept', async () => {
  const scriptsOf = (site: DocumentContent['site']) =>
    renderDocument({ ...content, site }, files, noStyles).scripts;
  expect(scriptsOf(content.site)).toEqual([]);
  const [script = ''] = scriptsOf({ ...content.site, isTraced: true });
  const sent: [string, Headers][] = [];
  const page: { fetch: (to: string, how?: object) => void } = { fetch: () => undefined };
  const run = new Function('window', 'fetch', 'location', script);
  const location = { origin: 'https://diwan.example', href: 'https://diwan.example/home' };
  run(
    page,
    (to: string, how?: { headers?: HeadersInit }) => sent.push([to, new Headers(how?.headers)]),
    {
      ...location,
      toString: () => location.href,
    },
  );
  page.fetch('/api/Service/GetServices?ln=1', { headers: { Authorization: 'Bearer a' } });
  page.fetch('https://elsewhere.example/api/x');
  page.fetch('/configuration.json');
  const traces = sent.map(([, headers]) => headers.get('traceparent'));
  expect(traces[0]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(sent[0]?.[1].get('authorization')).toBe('Bearer a');
  expect(traces.slice(1)).toEqual([null, null]);
});

it('has the styles that the first screen and the warning above it use, and no others', () => {
  const parts = ['a', 'demo-warning', 'data', 'unused'].map((name) => ({
    within: [`.${name}`],
    text: 'top:0',
    when: [[name]],
    uses: [],
  }));
  const texts = { label: 'L', title: 'T', text: 'X' };
  const site = { ...content.site, warning: { 'ar-EG': texts, 'en-US': texts, 'ur-PK': texts } };
  const shown = { html: '<main class="a"></main>', queries: [[['data'], 'data']], missing: [] };
  const stylesOf = (part: Partial<DocumentContent>) =>
    renderDocument({ ...content, announcements: ['data'], ...part }, files, {
      parts,
      fontFaces: () => '',
    }).styles;
  expect(stylesOf({ screen: shown as never })).toEqual(['.a{top:0}']);
  expect(stylesOf({ screen: shown as never, site })).toEqual(['.a{top:0}.demo-warning{top:0}']);
  expect(stylesOf({ site })).toEqual([]);
});

it('lets no picture of an opening be fetched before its texts', () => {
  const opening = {
    kind: 'service',
    title: 'T',
    lead: 'L',
    agency: 'A',
    logo: '/logo.svg',
  } as const;
  const { html } = renderDocument(
    { ...content, head: { ...content.head, opening } },
    files,
    noStyles,
  );
  expect(html).toContain('src="/logo.svg"');
  expect(html).not.toContain('as="image"');
});

it('asks for the code of the home page on that page only, and for all files of a screen later', () => {
  const opened = (kind: 'home' | 'page') =>
    renderDocument(
      { ...content, head: { ...content.head, opening: { kind, title: 'T', lead: 'L' } } },
      files,
      noStyles,
    ).html;
  const [head = ''] = opened('home').split('<body>');
  for (const file of ['start.js', 'style.css', 'portal.js', 'home.js'])
    expect(head, file).toContain(`"/assets/${file}"`);
  expect(opened('page')).toContain('<p lang="ur-PK" dir="rtl">فعال کریں</p></noscript>');
  expect(opened('page')).not.toContain('home.js');
  expect(opened('page')).toContain('<h1 class="mt-2 max-w-form text-2xl">T</h1>');
  const { html } = renderDocument({ ...content, screen }, files, noStyles);
  const [before = '', later = ''] = html.split('<template id="later">');
  expect(before).toContain(screen.html);
  expect(before).not.toMatch(/assets\/|configuration\.json/);
  for (const file of ['start.js', 'style.css', 'portal.js'])
    expect(later.split('</template>')[0], file).toContain(`"/assets/${file}"`);
});

it('escapes every text and every data block', () => {
  const attack = `"></title></script><script>alert(1)</script><!--&'`;
  const texts = { label: attack, title: attack, text: attack };
  const { html } = renderDocument(
    {
      ...content,
      head: {
        ...content.head,
        title: attack,
        description: attack,
        path: `/${attack}`,
        data: { name: attack },
        opening: { kind: 'service', title: attack, lead: attack, agency: attack, logo: attack },
      },
      site: {
        ...content.site,
        publicUrl: `https://${attack}`,
        warning: { 'ar-EG': texts, 'en-US': texts, 'ur-PK': texts },
      },
      textsVersion: attack,
      announcements: [attack],
      theme: 'dark',
    },
    files,
    noStyles,
  );
  expect(html).not.toContain('<script>alert');
  // The first script, the data of the page and the announcements.
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  expect(html).toContain('data-theme="dark"');
});

it('keeps the texts of one language in the state of a screen', () => {
  const title = { 'ar-EG': 'ar', 'en-US': 'en', 'ur-PK': 'ur' };
  const { html } = renderDocument(
    { ...content, screen: { ...screen, queries: [[['Title'], [title, null, 1]]] } },
    files,
    noStyles,
  );
  const [, state = ''] = /id="rendered-state">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(state)).toEqual({
    language: 'en-US',
    queries: [[['Title'], [{ 'en-US': 'en' }, null, 1]]],
  });
});
