import {
  routedPages,
  type Page,
  type PageName,
  type ShownPageName,
} from '@diwan/contract/portal/page-list';
import { pages } from '@diwan/contract/portal/pages';
import { followRequestLink } from './features/requests/data/request-link.ts';
import { currentSession, hasRole, type Session } from './lib/api/session.ts';
import { requireRole, type Guard } from './lib/auth/guards.ts';
import { homeAddressOf } from './lib/auth/home-address.ts';
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
import { loadPage } from './pages.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { isStaff } from './shell/navigation/navigation-items.ts';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { Shell } from './shell/shell.tsx';

/** An id that no record can have. */
const idPatterns = {
  number: /^[1-9]\d{0,8}$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};
const isKnown = ({ ids = {} }: Page, params: LoaderArguments['params']) =>
  Object.entries(ids).every(([name, kind]) => idPatterns[kind].test(params[name] ?? ''));

const ownListOf = (session: Session | null): string =>
  hasRole(session, ...pages.newRequests.who) ? pages.newRequests.path : homeAddressOf(session);

/** Leads staff to the list that they work with. Specification §2 names the path as fallback. */
const toOwnList = (guard: Guard): Guard => {
  const followLink = followRequestLink(guard);
  return async (args) =>
    (await followLink(args)) ??
    (isStaff(currentSession()) ? redirect(ownListOf(currentSession())) : null);
};

/** What pages add to the guard of who may open them. */
const guards: Partial<Record<PageName, (guard: Guard) => Guard>> = {
  myRequests: toOwnList,
  requestDetails: followRequestLink,
};

const open: Guard = () => Promise.resolve(null);

/** Lets users pass who may open the page, and leads them on where the page is elsewhere. */
function guardOf(page: Page): Guard {
  const byRole = page.who === 'anyone' ? open : requireRole(...page.who);
  const guard = guards[page.name]?.(byRole) ?? byRole;
  const to = page.redirectTo && pages[page.redirectTo].path;
  return async (args) => {
    const answer = await guard(args);
    if (answer !== null) return answer;
    // The address of UAE PASS and shared links keep their query on the way to the home page.
    if (page.name === 'root') return redirect(`${to}${new URL(args.request.url).search}`);
    if (to !== undefined) return redirect(to);
    return isKnown(page, args.params) ? null : redirect(pages.notFound.path);
  };
}

/** The paths of the portal with their guards and pages. */
export const portalRoutes: readonly Route[] = [
  ...routedPages.map((page): Route => ({
    path: page.path.slice(1),
    loader: guardOf(page),
    ...(page.redirectTo === undefined ? { lazy: () => loadPage(page.name as ShownPageName) } : {}),
  })),
  { path: '*', lazy: () => loadPage('notFound') },
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

export function createPortalRouter(
  history: RouterHistory = createBrowserHistory(),
  isRendered = false,
) {
  return createRouter({ history, isRendered, routes: [...galleryRoutes, ...portalRoutes] });
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
