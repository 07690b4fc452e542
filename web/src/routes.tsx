import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { HomePage } from './features/home/home-page.tsx';
import { followRequestLink, requireRole } from './lib/guards.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';

const signedIn = requireRole();
const staff = requireRole('Admin', 'Employee', 'ServiceProvider');

const homeRoutes: RouteObject[] = [
  { index: true, loader: () => redirect('/home') },
  // Where most visits begin: it comes with the portal itself.
  { path: 'home', Component: HomePage },
  { path: 'home/services/:accountType?', lazy: async () => ({ Component: (await import('./features/services/home-services-page.tsx')).HomeServicesPage }) },
  { path: 'services', lazy: async () => ({ Component: (await import('./features/services/services-page.tsx')).ServicesPage }) },
];

const myRequests = async () => ({ Component: (await import('./features/requests/my-requests-page.tsx')).MyRequestsPage });
const staffRequests = async () => ({ Component: (await import('./features/requests/staff-requests-page.tsx')).StaffRequestsPage });

const requestRoutes: RouteObject[] = [
  { path: 'requests/Create/:serviceName', lazy: async () => ({ Component: (await import('./features/requests/create-request-page.tsx')).CreateRequestPage }) },
  { path: 'requests/inquiry', lazy: async () => ({ Component: (await import('./features/requests/inquiry-page.tsx')).InquiryPage }) },
  { path: 'requests/accepted-request', lazy: async () => ({ Component: (await import('./features/requests/accepted-request-page.tsx')).AcceptedRequestPage }) },
  { path: 'requests/request-details', loader: signedIn, lazy: async () => ({ Component: (await import('./features/requests/request-details-page.tsx')).RequestDetailsPage }) },
  { path: 'requests', loader: followRequestLink(signedIn), lazy: myRequests },
  { path: 'companies/my-requests/new', loader: requireRole('CompanyUser'), lazy: myRequests },
  { path: 'requests/new', loader: staff, lazy: staffRequests },
  { path: 'requests/processing', loader: staff, lazy: staffRequests },
  { path: 'requests/all', loader: staff, lazy: staffRequests },
  { path: 'payment-status', lazy: async () => ({ Component: (await import('./features/payments/payment-status-page.tsx')).PaymentStatusPage }) },
];

const otherRoutes: RouteObject[] = [
  { path: 'account', loader: () => redirect('/account/login') },
  { path: 'account/login', lazy: async () => ({ Component: (await import('./features/users/login-page.tsx')).LoginPage }) },
  { path: 'terms-and-conditions', lazy: async () => ({ Component: (await import('./features/static/terms-page.tsx')).TermsPage }) },
  { path: 'privacy-policy', lazy: async () => ({ Component: (await import('./features/static/privacy-page.tsx')).PrivacyPage }) },
  { path: 'accessibility', lazy: async () => ({ Component: (await import('./features/static/accessibility-page.tsx')).AccessibilityPage }) },
  { path: 'server-error', lazy: async () => ({ Component: (await import('./features/static/server-error-page.tsx')).ServerErrorPage }) },
  { path: 'not-found', lazy: async () => ({ Component: (await import('./features/static/not-found-page.tsx')).NotFoundPage }) },
  { path: '*', lazy: async () => ({ Component: (await import('./features/static/not-found-page.tsx')).NotFoundPage }) },
];

/** Every path of the portal, its guard and its page. Source: specification §2. */
export function createPortalRouter() {
  return createBrowserRouter([
    {
      Component: Shell,
      ErrorBoundary: ErrorPage,
      // An error in a page leaves the shell around it.
      children: [{ ErrorBoundary: ErrorPage, HydrateFallback: PageSkeleton, children: [...homeRoutes, ...requestRoutes, ...otherRoutes] }],
    },
  ]);
}
