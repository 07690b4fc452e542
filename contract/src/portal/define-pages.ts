import type { Call, QueryInputOf, Restriction, Role } from '../wire/call.ts';

/** A call that the first screen of a page makes. `path` and `query` are those of the page's own call. */
export interface FirstCall {
  path: string;
  query: Readonly<Record<string, string>>;
}

/** What a page knows of its address before its code is loaded. */
export interface OpenedAddress {
  /** Decoded, by the names of the path. */
  params: Readonly<Record<string, string | undefined>>;
  /** The query or the history entry holds filters. */
  hasFilters: boolean;
}

/** A link to a page in the menus. Its text is `navigation.<text>` of `shell.json`, by default the page's name. */
export interface MenuEntry {
  /**
   * `public` is for everybody. `work` and `manage` are in the header and in the side menu, `manage` is
   * on the dashboard of administrators too, and `dashboard` only there. `account` is the user's menu.
   */
  in: 'public' | 'work' | 'manage' | 'dashboard' | 'account';
  text?: string;
  /** Who sees the link; by default everybody who may open the page. */
  for?: readonly Role[];
  /** … unless they have one of these roles too. */
  butNot?: readonly Role[];
  /** The list whose number of requests the link shows. */
  count?: 'new' | 'processing';
  /** An employee who acts for an applicant does not see it: decision 0028. */
  isHiddenWhileActing?: true;
}

/**
 * An address that everybody can find. Its texts are `titles` and `descriptions` of `pages.json`, by the
 * page's name.
 */
export interface Listing {
  /** The section of the site map. */
  section: 'services' | 'requests' | 'about';
  /** Search engines would be redirected. */
  isForSearch?: false;
}

/** One page of the portal. Other names of pages are checked by `definePages`. */
export interface PageDefinition<Name extends string = string> {
  /** With parameters (`:name`), at its end an optional one (`:name?`), as `match-route.ts` reads it. */
  path: `/${string}`;
  /** Who may open it. Checks of the account type or of UAE PASS are no guards. */
  who: 'anyone' | readonly Role[];
  /** The parameters that are the id of a record. Another text in their place is an unknown address. */
  ids?: Readonly<Record<string, 'number' | 'uuid'>>;
  /** Leads to this page and has no component. */
  redirectTo?: Name;
  /** A known address of another page, whose path matches it. */
  sameAs?: Name;
  /** The restrictions that the page explains: restricted users can open no other guarded page. */
  explains?: readonly Restriction[];
  /** The server handles the path, so links load the whole page. Source: specification §2. */
  isFullLoad?: true;
  /** Visitors come from other sites: the first script names the code of the page. */
  isEntry?: true;
  /** The nouns of the texts that load with the first script. */
  texts?: readonly string[];
  /** The calls that are sent with the first script, while the code loads. Nobody is signed in. */
  calls?: (address: OpenedAddress) => readonly FirstCall[];
  /** The server renders the page for visitors: decision 0048. */
  isRendered?: true;
  /** The key of the main heading (`noun:key`), where it is fixed. */
  heading?: string;
  /** What the server shows until the code is loaded: heading and `lead` (`noun:key`) in the shape `kind`. */
  opening?: { kind: 'home' | 'page' | 'form'; lead: string };
  /** For the site map and search engines. */
  listed?: Listing;
  menu?: MenuEntry;
  isInFooter?: true;
}

/** Preserves the exact types, so that names and paths of pages are known to the compiler. */
export function definePages<
  const Pages extends { [Name in keyof Pages]: PageDefinition<keyof Pages & string> },
>(pages: Pages): Pages {
  return pages;
}

/** A call with its own query parameters. The type of the call is enough: its module need not load. */
export function firstCall<C extends Call>(
  path: C['path'],
  query: { readonly [Name in keyof QueryInputOf<C>]?: string } = {},
): FirstCall {
  return { path, query: query as FirstCall['query'] };
}
