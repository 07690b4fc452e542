import type { ComponentType } from 'react';
import type { EntryPageName, ShownPageName } from '@diwan/contract/portal/page-list';
import type { PageLoader, RoutePage } from './lib/router/router.ts';

/** A page that follows a check of UAE PASS, or says that the check failed. */
async function afterCheck(
  page: Promise<ComponentType>,
  check: 'checkBeforeServices' | 'checkBeforeWizard' | 'checkBeforeLogin',
): Promise<RoutePage> {
  const [Page, checks, { afterIdentityCheck }] = await Promise.all([
    page,
    import('./features/users/identity/identity-check.ts'),
    import('./features/users/identity/after-identity-check.tsx'),
  ]);
  return { Component: afterIdentityCheck(Page), loader: checks[check] };
}

const homeServices: PageLoader = () =>
  afterCheck(
    import('./features/services/home-services-page.tsx').then((file) => file.HomeServicesPage),
    'checkBeforeServices',
  );
const identityWizard: PageLoader = () =>
  afterCheck(
    import('./features/users/identity/identity-wizard-page.tsx').then(
      (file) => file.IdentityWizardPage,
    ),
    'checkBeforeWizard',
  );
const identityReturn: PageLoader = async () => {
  const { IdentityReturnPage, identityReturnLoader } =
    await import('./features/users/identity/identity-return-page.tsx');
  return { Component: IdentityReturnPage, loader: identityReturnLoader };
};
const login: PageLoader = () =>
  afterCheck(
    import('./features/users/sign-in/login-page.tsx').then((file) => file.LoginPage),
    'checkBeforeLogin',
  );

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
