import type { Language } from '../wire/languages.ts';

/**
 * The head of a page, for search engines, link previews and browsers without JavaScript. Its texts
 * are plain, not escaped.
 */
export interface PageHead {
  title: string;
  description: string;
  /**
   * The canonical path, without language and query. A page without one is not indexed.
   */
  path?: string;
  /** 404 for an unknown address. */
  status: 200 | 404;
  /** Structured data (schema.org). The content security policy allows it, because it is not a script. */
  data?: Record<string, unknown>;
  /** Content that is shown before the code is loaded. Without it only the header is shown. */
  opening?: PageOpening;
}

/** What a page shows before its code is loaded: its plain texts in the shape of the page. */
export type PageOpening =
  | { kind: 'home' | 'page' | 'form'; title: string; lead: string }
  /** `logo` is the address of the picture of the agency. */
  | { kind: 'service'; title: string; lead: string; agency: string; logo: string }
  /** The shape of a list, for a page whose reader the server does not know. */
  | { kind: 'work' };

/** The properties of the whole site. `publicUrl` has no slash at its end. */
export interface Site {
  publicUrl: string;
  name: Record<Language, string>;
  shortName: Record<Language, string>;
  /** Addresses on this site: the logo, and that of a dark page. */
  logo: string;
  darkLogo: string;
  /** Whether the logo is the one of the product, which has icons of every size. */
  isShippedLogo: boolean;
  /** The picture on the home screen of a phone, which takes no SVG; missing where there is none. */
  phoneIcon?: string | undefined;
  /** The picture of link previews; missing where there is none. */
  shareImage?: { path: string; width?: number; height?: number } | undefined;
  mayBeIndexed: boolean;
  /** Whether browsers name the traces of their calls. */
  isTraced?: boolean;
  /** For a browser without JavaScript. */
  needsScript: Record<Language, string>;
  /** Shown above every page where others can reach a demonstration. */
  warning?: Record<Language, SiteWarning> | undefined;
}

/** The plain texts of a warning: a name for assistive software, a heading and sentences. */
export interface SiteWarning {
  label: string;
  title: string;
  text: string;
}

/** What the person chose, from the cookie that `theme.ts` of the portal writes. */
export type Theme = 'light' | 'dark';

/** The address of the web app manifest; the query `ln` names its language. */
export const manifestPath = '/manifest.webmanifest';

/** The address of a page in a language. Arabic is the default and has no query (specification §1). */
export function addressIn(publicUrl: string, path: string, language: Language): string {
  return `${publicUrl}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;
}

/** Where a page is, in the terms of `window.location`. */
export interface PageOrigin {
  protocol: string;
  host: string;
  hostname: string;
}

/** What a browser asks for, and what is known for it. */
export interface PageRequest {
  path: string;
  /** With the question mark; empty when there is none. */
  search: string;
  language: Language;
  origin: PageOrigin;
  /** The content of `configuration.json`. */
  configuration: object;
  /** The marks of announcements that the page does not show. */
  dismissed: readonly string[];
  /** Replies of the API by address. */
  replies: ReadonlyMap<string, unknown>;
}

/** A first screen. */
export interface RenderedScreen {
  /** The content of `#root`. */
  html: string;
  /** The queries of the page with their replies, for hydration. */
  queries: readonly (readonly [key: readonly unknown[], reply: unknown])[];
  /** The addresses of replies that the page still needs. */
  missing: readonly string[];
}

/** Everything that a page of the portal is made of. */
export interface DocumentContent {
  head: PageHead;
  language: Language;
  site: Site;
  /** Without one the page follows the device. */
  theme: Theme | undefined;
  /** The browser has cached the fonts of the language. */
  hasFonts: boolean;
  /** The announcements that the page begins with. */
  announcements: readonly unknown[];
  /** Of the overridden texts, for the addresses of texts; empty where nothing is corrected. */
  textsVersion: string;
  /** Shown instead of the opening. */
  screen: RenderedScreen | undefined;
}

/** A page as text, and the inline styles and scripts that the content security policy must allow. */
export interface RenderedDocument {
  html: string;
  styles: readonly string[];
  scripts: readonly string[];
}

/** What the portal exports for the server: `web/src/entry-server.tsx` provides it, the API calls it. */
export interface PortalRenderer {
  /** Loads all texts of the pages, and again after an override, before the next page is rendered. */
  loadTexts: (read: (language: Language, namespace: string) => Promise<unknown>) => Promise<void>;
  /**
   * The part of a query that a page depends on, in one spelling; undefined for a page that only
   * browsers render.
   */
  queryOf: (path: string, search: string) => string | undefined;
  /** Renders a screen as far as the replies allow; undefined where only browsers can render it. */
  renderScreen: (request: PageRequest) => RenderedScreen | undefined;
  renderDocument: (content: DocumentContent) => RenderedDocument;
}
