import type { PageDefinition } from './define-pages.ts';
import { pages } from './pages.ts';

type Pages = typeof pages;
export type PageName = keyof Pages;

/** The names of the pages that have a property. */
export type PageNameWith<Property extends keyof PageDefinition> = {
  [Name in PageName]: Property extends keyof Pages[Name] ? Name : never;
}[PageName];

/** The pages at many addresses. */
export type PageNameWithParameter = {
  [Name in PageName]: Pages[Name]['path'] extends `${string}:${string}` ? Name : never;
}[PageName];

/** The pages that signed-in people find in menus. */
export type MenuPageName = {
  [Name in PageNameWith<'menu'>]: Pages[Name]['menu']['in'] extends 'public' ? never : Name;
}[PageNameWith<'menu'>];

/** The pages that administrators manage lists on. */
export type ManagedPageName = {
  [Name in PageNameWith<'menu'>]: Pages[Name]['menu']['in'] extends 'manage' | 'dashboard'
    ? Name
    : never;
}[PageNameWith<'menu'>];

/** The pages that have a component. */
export type ShownPageName = Exclude<PageName, PageNameWith<'redirectTo' | 'sameAs'>>;
/** Of these, the pages whose code the first script names. */
export type EntryPageName = PageNameWith<'isEntry'>;
/** The pages that the server renders. */
export type RenderedPageName = PageNameWith<'isRendered'>;

/** A page with its name, for lists. `address` is the path without an optional parameter. */
export type Page = PageDefinition<PageName> & { name: PageName; address: string };

/** All pages in their order. */
export const pageList: readonly Page[] = (
  Object.entries(pages) as [PageName, PageDefinition<PageName>][]
).map(([name, page]) => ({ ...page, name, address: page.path.replace(/\/:\w+\?$/, '') }));

/** The pages that match addresses: the others are known addresses of these. */
export const routedPages = pageList.filter(({ sameAs }) => sameAs === undefined);

/** A page that everybody can find. */
export type ListedPage = Page & Required<Pick<Page, 'listed'>>;

/** The listed pages, without those of services, in the order of the site map. */
export const listedPages = pageList.filter((page): page is ListedPage => page.listed !== undefined);
