import i18next from 'i18next';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { HomePage } from './features/home/home-page.tsx';
import { requireRole } from './lib/auth/guards.ts';
import { followRequestLink } from './features/requests/data/request-link.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';

const signedIn = requireRole();
const staff = requireRole('Admin', 'Employee', 'ServiceProvider');

const identityCheck = () => import('./features/users/sign-in/identity-check.ts');
const homeServices = async () => {
  const [{ HomeServicesPage }, { checkBeforeServices }] = await Promise.all([
    import('./features/services/home-services-page.tsx'),
    identityCheck(),
  ]);
  return { Component: HomeServicesPage, loader: checkBeforeServices };
};
const identityWizard = async () => {
  const [{ IdentityWizardPage }, { checkBeforeWizard }] = await Promise.all([
    import('./features/users/sign-in/identity-wizard-page.tsx'),
    identityCheck(),
  ]);
  return { Component: IdentityWizardPage, loader: checkBeforeWizard };
};
const identityReturn = async () => {
  const { IdentityReturnPage, identityReturnLoader } =
    await import('./features/users/sign-in/identity-return-page.tsx');
  return { Component: IdentityReturnPage, loader: identityReturnLoader };
};
const login = async () => {
  const [{ LoginPage }, { checkBeforeLogin }] = await Promise.all([
    import('./features/users/sign-in/login-page.tsx'),
    identityCheck(),
  ]);
  return { Component: LoginPage, loader: checkBeforeLogin };
};

const homeRoutes: RouteObject[] = [
  { index: true, loader: ({ request }) => redirect(`/home${new URL(request.url).search}`) },
  // Where most visits begin: it comes with the portal itself.
  { path: 'home', Component: HomePage },
  { path: 'home/auth/:accountType', lazy: identityWizard },
  { path: 'home/identity', lazy: identityReturn },
  { path: 'home/services/:accountType?', lazy: homeServices },
  {
    path: 'services',
    lazy: async () => ({
      Component: (await import('./features/services/services-page.tsx')).ServicesPage,
    }),
  },
];

const myRequests = async () => ({
  Component: (await import('./features/requests/pages/my-requests-page.tsx')).MyRequestsPage,
});
const staffRequests = async () => ({
  Component: (await import('./features/requests/pages/staff-requests-page.tsx')).StaffRequestsPage,
});

const requestRoutes: RouteObject[] = [
  {
    path: 'requests/Create/:serviceName',
    lazy: async () => ({
      Component: (await import('./features/requests/pages/create-request-page.tsx'))
        .CreateRequestPage,
    }),
  },
  {
    path: 'requests/inquiry',
    lazy: async () => ({
      Component: (await import('./features/requests/pages/inquiry-page.tsx')).InquiryPage,
    }),
  },
  {
    path: 'requests/accepted-request',
    lazy: async () => ({
      Component: (await import('./features/requests/pages/accepted-request-page.tsx'))
        .AcceptedRequestPage,
    }),
  },
  {
    path: 'requests/request-details',
    loader: followRequestLink(signedIn),
    lazy: async () => ({
      Component: (await import('./features/requests/pages/request-details-page.tsx'))
        .RequestDetailsPage,
    }),
  },
  { path: 'requests', loader: followRequestLink(signedIn), lazy: myRequests },
  { path: 'companies/my-requests/new', loader: requireRole('CompanyUser'), lazy: myRequests },
  { path: 'requests/new', loader: staff, lazy: staffRequests },
  { path: 'requests/processing', loader: staff, lazy: staffRequests },
  { path: 'requests/all', loader: staff, lazy: staffRequests },
  {
    path: 'payment-status',
    lazy: async () => ({
      Component: (await import('./features/payments/payment-status-page.tsx')).PaymentStatusPage,
    }),
  },
];

const otherRoutes: RouteObject[] = [
  { path: 'account', loader: () => redirect('/account/login') },
  { path: 'account/login', lazy: login },
  {
    path: 'account/second-factor',
    loader: signedIn,
    lazy: async () => ({
      Component: (await import('./features/users/second-factor/second-factor-page.tsx'))
        .SecondFactorPage,
    }),
  },
  {
    path: 'account/profile',
    loader: signedIn,
    lazy: async () => ({
      Component: (await import('./features/users/account/profile-page.tsx')).ProfilePage,
    }),
  },
  {
    path: 'terms-and-conditions',
    lazy: async () => ({ Component: (await import('./features/static/terms-page.tsx')).TermsPage }),
  },
  {
    path: 'privacy-policy',
    lazy: async () => ({
      Component: (await import('./features/static/privacy-page.tsx')).PrivacyPage,
    }),
  },
  {
    path: 'service-provider-term-and-conditions',
    lazy: async () => ({
      Component: (await import('./features/static/provider-terms-page.tsx')).ProviderTermsPage,
    }),
  },
  {
    path: 'terms-and-conditions-data-sharing',
    lazy: async () => ({
      Component: (await import('./features/static/data-sharing-page.tsx')).DataSharingPage,
    }),
  },
  {
    path: 'sitemap.xml',
    lazy: async () => ({
      Component: (await import('./features/static/sitemap-page.tsx')).SitemapPage,
    }),
  },
  {
    path: 'accessibility',
    lazy: async () => ({
      Component: (await import('./features/static/accessibility-page.tsx')).AccessibilityPage,
    }),
  },
  {
    path: 'server-error',
    lazy: async () => ({
      Component: (await import('./features/static/server-error-page.tsx')).ServerErrorPage,
    }),
  },
  {
    path: 'not-found',
    lazy: async () => ({
      Component: (await import('./features/static/not-found-page.tsx')).NotFoundPage,
    }),
  },
  {
    path: '*',
    lazy: async () => ({
      Component: (await import('./features/static/not-found-page.tsx')).NotFoundPage,
    }),
  },
];

/** Where paths of `routes-of-work.ts` begin. */
const work =
  /^\/(dash-?board|reports|partner|companies|requests\/counter|account\/(register|forgot-password|link))/i;

/** With its texts, so that it opens whole. */
const changePassword = async () => {
  const [{ ChangePasswordDialog }] = await Promise.all([
    import('./features/users/account/change-password-dialog.tsx'),
    i18next.loadNamespaces('users'),
  ]);
  return ChangePasswordDialog;
};

/**
 * Every path of the portal, its guard and its page; those of people who work here are in
 * `routes-of-work.ts`. Source: specification §2.
 */
export const portalRoutes: RouteObject[] = [
  {
    element: <Shell changePassword={changePassword} />,
    ErrorBoundary: ErrorPage,
    // An error in a page leaves the shell around it.
    children: [
      {
        id: 'pages',
        ErrorBoundary: ErrorPage,
        HydrateFallback: PageSkeleton,
        children: [...homeRoutes, ...requestRoutes, ...otherRoutes],
      },
    ],
  },
];

export function createPortalRouter() {
  return createBrowserRouter(portalRoutes, {
    patchRoutesOnNavigation: async ({ path, patch }) => {
      if (work.test(path)) patch('pages', (await import('./routes-of-work.ts')).workRoutes);
    },
  });
}
