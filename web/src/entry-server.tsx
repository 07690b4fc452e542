import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ComponentType } from 'react';
import { files, styleParts } from 'virtual:portal-files';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import {
  getAllGovernmentAgenciesWithServices,
  governmentAgencyCollectionByServiceCategory,
} from '@diwan/contract/catalogue/agencies';
import { getAllServicesCategoriesWithServices } from '@diwan/contract/catalogue/categories';
import {
  getServiceIdByServiceName,
  getServices,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import { getLegalPage } from '@diwan/contract/content/legal-pages';
import { getStatus } from '@diwan/contract/content/status';
import type { PageRequest, PortalRenderer, RenderedScreen } from '@diwan/contract/portal/document';
import { pageList, type Page, type RenderedPageName } from '@diwan/contract/portal/page-list';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { HomePage } from './features/home/home-page.tsx';
import { CreateRequestPage } from './features/requests/pages/create-request-page.tsx';
import {
  listingOf,
  maximumSharedLength,
  readServiceFilters,
} from './features/services/service-filters.ts';
import { ServicesPage } from './features/services/services-page.tsx';
import {
  AccessibilityPage,
  DataSharingPage,
  PrivacyPage,
  ProviderTermsPage,
  StoragePage,
  TermsPage,
} from './features/static/text-pages.tsx';
import { StatusPage } from './features/status/status-page.tsx';
import { addressOf, type UntypedInput } from './lib/api/fetch-call.ts';
import { readIdentityReturn } from './lib/auth/identity-return.ts';
import {
  configuration,
  setConfiguration,
  type ConfigurationFile,
} from './lib/browser/configuration.ts';
import { fontFaces } from './lib/i18n/fonts.ts';
import { selectLanguage, setTexts, type Texts } from './lib/i18n/translate.ts';
import type { QueryState } from './lib/page/rendered-page.ts';
import { matchRoute } from './lib/router/match-route.ts';
import type { Router } from './lib/router/router.ts';
import { Pages } from './routes.tsx';
import { renderDocument } from './server/document.tsx';
import { renderOnServer } from './server/render-on-server.ts';
import { setAnnouncementsCode } from './ui/feedback/announcement-slot.tsx';
import { setDismissed, showAnnouncements } from './ui/feedback/announcements.tsx';

// The API loads the build of this file and renders pages for visitors: decision 0048. A page is
// rendered synchronously, so the language, texts and configuration of the modules are its own.

const components: Record<RenderedPageName, ComponentType> = {
  home: HomePage,
  services: ServicesPage,
  createRequest: CreateRequestPage,
  terms: TermsPage,
  privacy: PrivacyPage,
  storage: StoragePage,
  providerTerms: ProviderTermsPage,
  dataSharing: DataSharingPage,
  accessibility: AccessibilityPage,
  status: StatusPage,
};
const renderedPages = pageList.filter(
  (page): page is Page & { name: RenderedPageName } => page.isRendered === true,
);

setAnnouncementsCode(showAnnouncements);

/** What a page may contain: replies that are the same for everybody. */
const publicCalls = new Map(
  [
    getAllAccountTypes,
    getAnnouncements,
    getAllGovernmentAgenciesWithServices,
    getAllServicesCategoriesWithServices,
    getLegalPage,
    getServiceIdByServiceName,
    getServices,
    getStatus,
    governmentAgencyCollectionByServiceCategory,
    serviceSearch,
  ].map((call) => [call.name as string, call]),
);

/**
 * Loads all texts of the pages, and again after an override. Must end before the next page is
 * rendered.
 */
async function loadTexts(
  read: (language: Language, namespace: string) => Promise<unknown>,
): Promise<void> {
  const namespaces = new Set(['shell', ...renderedPages.flatMap(({ texts }) => texts ?? [])]);
  for (const language of languages)
    for (const namespace of namespaces)
      setTexts(language, namespace, (await read(language, namespace)) as Texts);
}

/** A cache that answers the queries of components, and notes which replies are missing. */
function createServerCache(replies: PageRequest['replies']) {
  const cache = new QueryCache();
  const queries: QueryState[] = [];
  const missing = new Set<string>();
  const build = cache.build.bind(cache);
  cache.build = (client, options, state) => {
    const query = build(client, options, state);
    const isEnabled = (options as { enabled?: unknown }).enabled !== false;
    if (!isEnabled || query.state.data !== undefined) return query;
    const [name, , params, search] = query.queryKey;
    const call = publicCalls.get(String(name));
    if (!call) throw new Error(`${String(name)} is not public: a page cannot contain its reply`);
    const address = addressOf(call.path, { params, query: search } as UntypedInput);
    const reply = replies.get(address);
    if (reply === undefined) missing.add(address);
    else {
      query.setData(reply as never);
      queries.push([query.queryKey, reply]);
    }
    return query;
  };
  return { cache, queries, missing };
}

function createServerRouter(
  { path, search }: Pick<PageRequest, 'path' | 'search'>,
  found: NonNullable<ReturnType<typeof matchRoute<(typeof renderedPages)[number]>>>,
): Router {
  return {
    state: {
      location: { pathname: path, search, hash: '', state: null, key: 'default' },
      navigationType: 'POP',
      params: found.params,
      data: undefined,
      Component: components[found.route.name],
      failure: undefined,
      isLoading: false,
      initialized: true,
      scroll: undefined,
      keepsScroll: true,
    },
    ready: Promise.resolve(),
    navigate: () => Promise.reject(new Error('The server shows one page')),
    subscribe: () => () => undefined,
  };
}

/**
 * The part of a query that a page depends on, in one spelling; undefined for a page that only browsers
 * render.
 */
function queryOf(path: string, search: string): string | undefined {
  const { route } = matchRoute(renderedPages, path) ?? {};
  // The browser shows another page where UAE PASS returns to.
  if (!route || readIdentityReturn(path, search) !== null) return undefined;
  if (route.name !== 'services') return '';
  const filters = readServiceFilters(null, search);
  // The list would be that of another search.
  if ((filters.serviceSerach?.length ?? 0) > maximumSharedLength) return undefined;
  // All services on one page are not a first screen.
  if (filters.isWhole) return undefined;
  return listingOf(filters).to.slice(route.path.length);
}

/** One whose API is on another origin is a page that only browsers render. */
function renderScreen(request: PageRequest): RenderedScreen | undefined {
  const { language, origin, configuration: file, dismissed, replies, path } = request;
  const found = matchRoute(renderedPages, path);
  if (!found) return undefined;
  setConfiguration(file as ConfigurationFile, origin);
  if (configuration().apiBaseUrl !== '') return undefined;
  selectLanguage(language);
  setDismissed(dismissed);
  const router = createServerRouter({ path, search: request.search }, found);
  const { cache, queries, missing } = createServerCache(replies);
  const html = renderOnServer(
    <StrictMode>
      <QueryClientProvider client={new QueryClient({ queryCache: cache })}>
        <Pages router={router} />
      </QueryClientProvider>
    </StrictMode>,
    path,
  );
  return { html, queries, missing: [...missing] };
}

export const portalRenderer: PortalRenderer = {
  loadTexts,
  queryOf,
  renderScreen,
  renderDocument: (content) => renderDocument(content, files, { parts: styleParts, fontFaces }),
};
