import type { EntryPageName, ShownPageName } from '@diwan/contract/portal/page-list';
import type { PageLoader, RoutePage } from './lib/router/router.ts';

/** The check before a page and what the page shows when it fails. */
const identityCheck = async () => {
  const [check, { afterIdentityCheck }] = await Promise.all([
    import('./features/users/identity/identity-check.ts'),
    import('./features/users/identity/after-identity-check.tsx'),
  ]);
  return { ...check, afterIdentityCheck };
};

const homeServices: PageLoader = async () => {
  const [{ HomeServicesPage }, { checkBeforeServices, afterIdentityCheck }] = await Promise.all([
    import('./features/services/home-services-page.tsx'),
    identityCheck(),
  ]);
  return { Component: afterIdentityCheck(HomeServicesPage), loader: checkBeforeServices };
};
const identityWizard: PageLoader = async () => {
  const [{ IdentityWizardPage }, { checkBeforeWizard, afterIdentityCheck }] = await Promise.all([
    import('./features/users/identity/identity-wizard-page.tsx'),
    identityCheck(),
  ]);
  return { Component: afterIdentityCheck(IdentityWizardPage), loader: checkBeforeWizard };
};
const identityReturn: PageLoader = async () => {
  const { IdentityReturnPage, identityReturnLoader } =
    await import('./features/users/identity/identity-return-page.tsx');
  return { Component: IdentityReturnPage, loader: identityReturnLoader };
};
const login: PageLoader = async () => {
  const [{ LoginPage }, { checkBeforeLogin, afterIdentityCheck }] = await Promise.all([
    import('./features/users/sign-in/login-page.tsx'),
    identityCheck(),
  ]);
  return { Component: afterIdentityCheck(LoginPage), loader: checkBeforeLogin };
};

/** The pages whose code the first script names, because visitors come from other sites: decision 0008. */
const entryPages = {
  home: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }),
  services: async () => ({
    Component: (await import('./features/services/services-page.tsx')).ServicesPage,
  }),
  createRequest: async () => ({
    Component: (await import('./features/requests/pages/create-request-page.tsx'))
      .CreateRequestPage,
  }),
  inquiry: async () => ({
    Component: (await import('./features/requests/pages/inquiry-page.tsx')).InquiryPage,
  }),
  allServices: homeServices,
  wizard: identityWizard,
  identityReturn,
  login,
} satisfies Record<EntryPageName, PageLoader>;

const isEntry = (name: ShownPageName): name is EntryPageName => Object.hasOwn(entryPages, name);

/** Loads a page of the table in `contract/src/portal/pages.ts`. */
export async function loadPage(name: ShownPageName): Promise<RoutePage> {
  if (isEntry(name)) return entryPages[name]();
  const { morePages } = await import('./more-pages.ts');
  return morePages[name]();
}
