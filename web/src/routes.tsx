import { followRequestLink } from './features/requests/data/request-link.ts';
import { currentSession } from './lib/api/session.ts';
import { requireRole } from './lib/auth/guards.ts';
import { loadNamespaces } from './lib/i18n/translate.ts';
import { createBrowserHistory, type RouterHistory } from './lib/router/location.ts';
import { Outlet, RouterProvider, useLocation } from './lib/router/router-provider.tsx';
import {
  createRouter,
  redirect,
  type LoaderArguments,
  type Route,
  type Router,
} from './lib/router/router.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { isStaff } from './shell/navigation/navigation-items.ts';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';

const signedIn = requireRole();
const staff = requireRole('Admin', 'Employee', 'ServiceProvider');

const identityCheck = () => import('./features/users/identity/identity-check.ts');
const homeServices = async () => {
  const [{ HomeServicesPage }, { checkBeforeServices }] = await Promise.all([
    import('./features/services/home-services-page.tsx'),
    identityCheck(),
  ]);
  return { Component: HomeServicesPage, loader: checkBeforeServices };
};
const identityWizard = async () => {
  const [{ IdentityWizardPage }, { checkBeforeWizard }] = await Promise.all([
    import('./features/users/identity/identity-wizard-page.tsx'),
    identityCheck(),
  ]);
  return { Component: IdentityWizardPage, loader: checkBeforeWizard };
};
const identityReturn = async () => {
  const { IdentityReturnPage, identityReturnLoader } =
    await import('./features/users/identity/identity-return-page.tsx');
  return { Component: IdentityReturnPage, loader: identityReturnLoader };
};
const login = async () => {
  const [{ LoginPage }, { checkBeforeLogin }] = await Promise.all([
    import('./features/users/sign-in/login-page.tsx'),
    identityCheck(),
  ]);
  return { Component: LoginPage, loader: checkBeforeLogin };
};

const homeRoutes: Route[] = [
  { path: '', loader: ({ request }) => redirect(`/home${new URL(request.url).search}`) },
  {
    path: 'home',
    lazy: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }),
  },
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

const followLink = followRequestLink(signedIn);
/** Leads staff to the list that they work with. Specification §2 names the path as fallback. */
const requestsOfUser = async (args: LoaderArguments) =>
  (await followLink(args)) ?? (isStaff(currentSession()) ? redirect('/requests/new') : null);

const requestRoutes: Route[] = [
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
    path: 'requests/request-details',
    loader: followLink,
    lazy: async () => ({
      Component: (await import('./features/requests/pages/request-details-page.tsx'))
        .RequestDetailsPage,
    }),
  },
  { path: 'requests', loader: requestsOfUser, lazy: myRequests },
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

const otherRoutes: Route[] = [
  { path: 'account', loader: () => redirect('/account/login') },
  { path: 'account/login', lazy: login },
  {
    path: 'server-error',
    lazy: async () => ({
      Component: (await import('./features/static/error-pages.tsx')).ServerErrorPage,
    }),
  },
  {
    path: 'not-found',
    lazy: async () => ({
      Component: (await import('./features/static/error-pages.tsx')).NotFoundPage,
    }),
  },
  {
    path: '*',
    lazy: async () => ({
      Component: (await import('./features/static/error-pages.tsx')).NotFoundPage,
    }),
  },
];

/** For developers only: the production build does not contain it. Nothing links to it. */
const galleryRoutes: Route[] = import.meta.env.DEV
  ? [
      {
        path: 'gallery',
        lazy: async () => ({ Component: (await import('./gallery/gallery-page.tsx')).GalleryPage }),
      },
    ]
  : [];

/**
 * The paths of the portal with their guards and pages; those of staff, partners and companies are in
 * `work-routes.ts`, those that few visits need in `information-routes.ts`. Source: specification §2.
 */
export const portalRoutes: readonly Route[] = [...homeRoutes, ...requestRoutes, ...otherRoutes];

export function createPortalRouter(
  history: RouterHistory = createBrowserHistory(),
  isRendered = false,
) {
  return createRouter({
    history,
    isRendered,
    routes: [...galleryRoutes, ...portalRoutes],
    loadRoutes: async () => {
      const [{ workRoutes }, { informationRoutes }] = await Promise.all([
        import('./work-routes.ts'),
        import('./information-routes.ts'),
      ]);
      return [...workRoutes, ...informationRoutes];
    },
  });
}

/** Loads the dialog with its texts, so that it opens complete. */
const changePassword = async () => {
  const [{ ChangePasswordDialog }] = await Promise.all([
    import('./features/users/account/change-password-dialog.tsx'),
    loadNamespaces('users'),
  ]);
  return ChangePasswordDialog;
};

/** The gallery has no frame. */
function Frame() {
  const { pathname } = useLocation();
  if (import.meta.env.DEV && pathname === '/gallery') return <Outlet />;
  return <Shell changePassword={changePassword} />;
}

/** The page of the address, in the frame of every page. */
export function Pages({ router }: { router: Router }) {
  return (
    <RouterProvider router={router} ErrorPage={ErrorPage} Fallback={PageSkeleton}>
      <Frame />
    </RouterProvider>
  );
}
