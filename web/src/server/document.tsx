import { renderToStaticMarkup } from 'react-dom/server';
import {
  addressIn,
  manifestPath,
  type DocumentContent,
  type RenderedDocument,
  type Site,
} from '@diwan/contract/portal/document';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { Waiting } from './opening.tsx';
import { usedStyles, type StylePart } from './used-styles.ts';

/** The files of the build that a page names, as addresses. */
export interface PortalFiles {
  script: string;
  stylesheet: string;
  /** Fetched together with the first script, and not after it. */
  preloads: readonly string[];
  /** The code of the home page, for that page only. */
  home: string;
}

/** What a page can have of the styles before its style sheet is there. */
interface PortalStyles {
  /** The parts of the style sheet. */
  parts: readonly StylePart[];
  fontFaces: (language: Language) => string;
}

interface DocumentParts {
  content: DocumentContent;
  files: PortalFiles;
  /** Collects what is written inline. */
  inline: Inline;
}

type Inline = Record<'styles' | 'scripts', string[]>;

// An inline style or script is written by these two only, so that the content policy has the hash of
// each.
function InlineStyle({ text, inline }: { text: string; inline: Inline }) {
  inline.styles.push(text);
  return <style dangerouslySetInnerHTML={{ __html: text }} />;
}

function InlineScript({ text, inline }: { text: string; inline: Inline }) {
  inline.scripts.push(text);
  return <script dangerouslySetInnerHTML={{ __html: text }} />;
}

/** `</script>` and `<!--` within a text would end a data block or change its parsing. */
const escapeJson = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Data is no script for the content policy. */
function DataBlock({ id, type = 'json', data }: { id: string; type?: string; data: unknown }) {
  return (
    <script
      type={`application/${type}`}
      id={id}
      dangerouslySetInnerHTML={{ __html: escapeJson(data) }}
    />
  );
}

/** Keeps one language of texts that are in all of them; `rendered-page.ts` reads it. */
const inLanguage = (value: unknown, language: Language): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: Record<string, unknown> | null) =>
    typeof each?.[language] === 'string' ? { [language]: each[language] } : each,
  );

// The files that make a page work would delay its texts: they are loaded when the browser says that the
// texts are on the screen. A page in the background has no frames; a second call adds nothing.
const loadLater =
  '{const load=()=>document.body.append(document.getElementById("later").content);' +
  'if(document.hidden)load();else{setTimeout(load,1e3);' +
  'new PerformanceObserver(load).observe({type:"paint",buffered:true})}}';

// The server's span is below that of the browser's call, which nobody exports: no part of the portal's
// own scripts, and nothing where no trace is kept. Source: W3C Trace Context.
const traceCalls =
  '{const send=fetch,hex=(n)=>[...crypto.getRandomValues(new Uint8Array(n))]' +
  '.map((b)=>b.toString(16).padStart(2,"0")).join("");' +
  'window.fetch=(to,how)=>{const{origin,pathname}=new URL(to.url??to,location);' +
  'if(origin!==location.origin||!pathname.startsWith("/api/"))return send(to,how);' +
  'const headers=new Headers(how?.headers??to.headers);' +
  'headers.set("traceparent",`00-${hex(16)}-${hex(8)}-01`);return send(to,{...how,headers})}}';

function Addresses({ path, language, site }: { path: string; language: Language; site: Site }) {
  const at = (each: Language) => addressIn(site.publicUrl, path, each);
  return (
    <>
      <link rel="canonical" href={at(language)} />
      {languages.map((each) => (
        <link key={each} rel="alternate" hrefLang={each} href={at(each)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={at('ar-EG')} />
      <meta property="og:url" content={at(language)} />
    </>
  );
}

const openGraph = (language: Language) => language.replace('-', '_');

const pictureType = (path: string) => (path.endsWith('.svg') ? 'image/svg+xml' : 'image/png');

/** The picture of a link preview: the portal's own logo where it is a PNG, else the shipped one. */
function ShareImage({ site, name }: { site: Site; name: string }) {
  if (!site.shareImage) return null;
  const { path, width, height } = site.shareImage;
  return (
    <>
      <meta property="og:image" content={`${site.publicUrl}${path}`} />
      {width ? <meta property="og:image:width" content={String(width)} /> : null}
      {height ? <meta property="og:image:height" content={String(height)} /> : null}
      <meta property="og:image:alt" content={name} />
    </>
  );
}

/** For search engines and link previews. */
function Metadata({ content: { head, language, site } }: { content: DocumentContent }) {
  const name = site.name[language];
  const title = `${head.title} | ${name}`;
  const isIndexed = head.path !== undefined && head.status === 200 && site.mayBeIndexed;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={head.description} />
      {isIndexed ? null : <meta name="robots" content="noindex" />}
      {head.path === undefined ? null : (
        <Addresses path={head.path} language={language} site={site} />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={head.description} />
      <meta property="og:locale" content={openGraph(language)} />
      {languages
        .filter((each) => each !== language)
        .map((each) => (
          <meta key={each} property="og:locale:alternate" content={openGraph(each)} />
        ))}
      <ShareImage site={site} name={name} />
      <meta name="twitter:card" content="summary_large_image" />
      <link rel="manifest" href={`${manifestPath}?ln=${language}`} />
      {head.data ? <DataBlock id="page-data" type="ld+json" data={head.data} /> : null}
    </>
  );
}

/** In each language, because the page may change it. */
function DemoWarning({ warning }: { warning: NonNullable<Site['warning']> }) {
  return languages.map((language) => (
    <aside
      key={language}
      lang={language}
      dir={directionOf(language)}
      aria-label={warning[language].label}
      className="demo-warning border-b-2 border-amber-600 bg-amber-100 py-3 text-amber-800"
    >
      <div className="page flex items-start gap-3">
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          className="mt-[calc((1lh-1.5rem)/2)] size-6 shrink-0 fill-none stroke-current stroke-2"
        >
          <path d="M12 9v4m0 4h.01M10.3 3.9 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0" />
        </svg>
        <p className="max-w-none">
          <strong>{warning[language].title}</strong> {warning[language].text}
        </p>
      </div>
    </aside>
  ));
}

/** The code of the portal; with `isHome` that of the home page too. */
const Preloads = ({ files, isHome }: { files: PortalFiles; isHome: boolean }) =>
  [...files.preloads, ...(isHome ? [files.home] : [])].map((file) => (
    <link key={file} rel="modulepreload" crossOrigin="" href={file} />
  ));

/** What a page needs for its first screen to work, after the first paint. */
function Later({ files, inline }: Pick<DocumentParts, 'files' | 'inline'>) {
  const stylesheet = <link rel="stylesheet" crossOrigin="" href={files.stylesheet} />;
  // React would move the links of a template to the head of the page.
  const content = [
    stylesheet,
    <Preloads key="preloads" files={files} isHome={false} />,
    <script key="script" type="module" crossOrigin="" src={files.script} />,
  ]
    .map((each) => renderToStaticMarkup(each))
    .join('');
  return (
    <>
      <template id="later" dangerouslySetInnerHTML={{ __html: content }} />
      <InlineScript text={loadLater} inline={inline} />
      <noscript>{stylesheet}</noscript>
    </>
  );
}

/** In each language, because the reader cannot change it. */
const NeedsScript = ({ texts }: { texts: Site['needsScript'] }) => (
  <noscript>
    {languages.map((language) => (
      <p key={language} lang={language} dir={directionOf(language)}>
        {texts[language]}
      </p>
    ))}
  </noscript>
);

function Head({ content, files, styles, inline }: DocumentParts & { styles: string }) {
  const isWaiting = content.screen === undefined;
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      {/* react-aria adds no inline style when this id exists. The content policy refuses inline
          styles; the rule is in theme.css. */}
      <meta id="react-aria-pressable-style" name="theme-color" content="#FFFFFF" />
      <meta name="theme-color" content="#15171b" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href={content.site.logo} type={pictureType(content.site.logo)} />
      {content.site.phoneIcon ? (
        <link rel="apple-touch-icon" href={content.site.phoneIcon} />
      ) : null}
      <Metadata content={content} />
      {content.site.isTraced ? <InlineScript text={traceCalls} inline={inline} /> : null}
      {isWaiting ? (
        <>
          {/* The address of the API is needed before the first call. */}
          <link rel="preload" href="/configuration.json" as="fetch" crossOrigin="anonymous" />
          <script type="module" crossOrigin="" src={files.script} />
          <Preloads files={files} isHome={content.head.opening?.kind === 'home'} />
          <link rel="stylesheet" crossOrigin="" href={files.stylesheet} />
        </>
      ) : null}
      {styles === '' ? null : <InlineStyle text={styles} inline={inline} />}
    </head>
  );
}

/** What visitors see until the portal is loaded. */
function View({ content: { site, screen, head } }: Pick<DocumentParts, 'content'>) {
  return (
    <>
      {site.warning ? <DemoWarning warning={site.warning} /> : null}
      {screen ? (
        <div id="root" data-rendered="" dangerouslySetInnerHTML={{ __html: screen.html }} />
      ) : (
        <div id="root">
          <Waiting opening={head.opening} site={site} />
        </div>
      )}
    </>
  );
}

/** What the view needs to work. It comes after the view, so that it does not delay it. */
function Rest({ content, files, inline }: DocumentParts) {
  const { language, site, screen, announcements } = content;
  return (
    <>
      {screen ? (
        <>
          <DataBlock
            id="rendered-state"
            data={inLanguage({ language, queries: screen.queries }, language)}
          />
          <Later files={files} inline={inline} />
        </>
      ) : (
        <NeedsScript texts={site.needsScript} />
      )}
      <DataBlock id="announcements" data={{ language, items: announcements }} />
    </>
  );
}

/**
 * Makes a page of the portal: decision 0105. The view is written first: the head has the styles that a
 * first screen uses, and the fonts that the browser has cached.
 */
export function renderDocument(
  content: DocumentContent,
  files: PortalFiles,
  { parts, fontFaces }: PortalStyles,
): RenderedDocument {
  const { language, theme, textsVersion, screen, hasFonts } = content;
  const inline: Inline = { styles: [], scripts: [] };
  const view = renderToStaticMarkup(<View content={content} />);
  const rest = renderToStaticMarkup(<Rest content={content} files={files} inline={inline} />);
  const styles =
    (hasFonts ? fontFaces(language) : '') + (screen ? usedStyles(parts, view, language) : '');
  const html = renderToStaticMarkup(
    <html
      lang={language}
      dir={directionOf(language)}
      data-theme={theme}
      data-texts={textsVersion || undefined}
    >
      <Head content={content} files={files} styles={styles} inline={inline} />
      <body dangerouslySetInnerHTML={{ __html: view + rest }} />
    </html>,
  );
  return { html: `<!doctype html>${html}`, ...inline };
}
