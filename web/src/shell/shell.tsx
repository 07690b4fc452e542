import { CircleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { useSession } from '../lib/api/session.ts';
import { classNames } from '../lib/browser/class-names.ts';
import { endToastsOfPage, showToast } from '../lib/browser/toasts.ts';
import { useTranslation } from '../lib/i18n/translate.ts';
import { Outlet, useLocation, useIsLoading } from '../lib/router/router-provider.tsx';
import { ScrollRestoration } from '../lib/router/scroll-restoration.ts';
import { AnnouncementSlot } from '../ui/feedback/announcement-slot.tsx';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { Footer } from './footer.tsx';
import { ChangePasswordContext, type LoadDialog } from './header/change-password-context.ts';
import { Header } from './header/header.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * Focuses the heading of a new page, so that screen readers announce the page. Waits for a heading
 * that is not rendered yet.
 */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    endToastsOfPage();
    const found = document.querySelector<HTMLElement>('main h1');
    if (found) return focusHeading(found);
    const before = document.activeElement;
    const observer = new MutationObserver(() => {
      const heading = document.querySelector<HTMLElement>('main h1');
      if (!heading) return;
      observer.disconnect();
      // A user who has started to type keeps the focus.
      if (document.activeElement === before || document.activeElement === document.body)
        focusHeading(heading);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pathname]);
}

function SkipLink() {
  const { t } = useTranslation('shell');
  return (
    <a
      href="#main"
      onClick={(event) => {
        // The fragment belongs to the pages (tabs, steps), so only the focus moves.
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
      className={classNames(
        'sr-only z-60 rounded-md bg-ink-900 px-5 py-3 font-semibold text-white',
        'focus:not-sr-only focus:fixed focus:start-4 focus:top-4',
      )}
    >
      {t('skipToContent')}
    </a>
  );
}

/** A thin line at the top while the next page loads; the animation has a delay for fast pages. */
function RouteProgress() {
  if (!useIsLoading()) return null;
  return (
    <div
      aria-hidden
      className="fixed inset-x-0 top-0 z-60 h-1 origin-left animate-progress bg-primary rtl:origin-right"
    />
  );
}

// Only employees who act for an applicant need it: decision 0008.
const ActingBar = lazy(() =>
  import('./header/acting-bar.tsx').then((file) => ({ default: file.ActingBar })),
);

/** Shown while an employee acts for an applicant. */
function ActingBarLoader() {
  const session = useSession();
  return session?.act ? (
    <Suspense fallback={null}>
      <ActingBar key={session.ssid} session={session} />
    </Suspense>
  ) : null;
}

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

function OfflineAlert() {
  const { t } = useTranslation('shell');
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current) showToast(t('backOnline'), 'success');
    wasOnline.current = isOnline;
  }, [isOnline, t]);
  return (
    <div role="status">
      {isOnline ? null : (
        <div className="bg-amber-100 text-amber-800">
          <p className="page flex items-center gap-3 py-2 font-medium">
            <CircleAlert aria-hidden size={20} className="shrink-0" />
            {t('offline')}
          </p>
        </div>
      )}
    </div>
  );
}

/** The frame of every page. */
export function Shell({ changePassword }: { changePassword: LoadDialog }) {
  useFocusOnNavigation();
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <RouteProgress />
        <ChangePasswordContext value={changePassword}>
          <Header />
        </ChangePasswordContext>
        <ActingBarLoader />
        <OfflineAlert />
        <div className="page py-4 empty:hidden">
          <AnnouncementSlot />
        </div>
        {/* The footer is hidden while the page shows a skeleton, so that it does not jump. */}
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
