import { Suspense } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { useFocusOnNavigation } from '../lib/page/focus-on-navigation.ts';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { ActingPlace } from './header/acting-place.tsx';
import { ChangePassword, type LoadDialog } from './header/change-password.ts';
import { Footer } from './footer.tsx';
import { Header } from './header/header.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { RouteProgress } from './route-progress.tsx';
import { SkipLink } from './skip-link.tsx';

/** What is around every page. */
export function Shell({ changePassword }: { changePassword: LoadDialog }) {
  useFocusOnNavigation();
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <RouteProgress />
        <ChangePassword value={changePassword}>
          <Header />
        </ChangePassword>
        <ActingPlace />
        <OfflineNotice />
        {/* While something is still to come there is no footer, so that it comes once and does not jump. */}
        <main id="main" tabIndex={-1} className="grow outline-none has-data-skeleton:min-h-dvh">
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
        <div className="[main:has([data-skeleton])~&]:hidden">
          <Footer />
        </div>
      </div>
      <Toasts />
      <ScrollRestoration />
    </>
  );
}
