import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import type { Language } from '@diwan/contract/wire/languages';
import { firstNamespaces } from './first-page.ts';
import { goToLogin, setSessionCleanup } from './lib/api/handle-error.ts';
import { queryClient } from './lib/api/query-client.ts';
import { readToken } from './lib/api/session.ts';
import { loadTabs, refreshTokenOnce } from './lib/api/token-refresh.ts';
import { queryKeyOf } from './lib/api/use-call.ts';
import { watchUserActivity } from './lib/api/user-activity.ts';
import { isIdentityRefused } from './lib/auth/identity-return.ts';
import { loadSharedComputer } from './lib/auth/load-shared-computer.ts';
import { clearSession, signOutAtHome } from './lib/auth/sign-out.ts';
import { configuration } from './lib/browser/configuration.ts';
import { setRouter } from './lib/browser/navigation.ts';
import { isSharedComputer } from './lib/browser/storage.ts';
import { showToast } from './lib/browser/toasts.ts';
import { showFonts } from './lib/i18n/fonts.ts';
import { currentLanguage, localeOf } from './lib/i18n/language.ts';
import { loadTexts } from './lib/i18n/load-texts.ts';
import { setReactAriaLocale } from './lib/i18n/react-aria-locale.ts';
import { applyToDocument, storedLanguage } from './lib/i18n/stored-language.ts';
import { onLanguageChange, startTranslations, t } from './lib/i18n/translate.ts';
import { tolerateMovedNodes } from './lib/page/moved-nodes.ts';
import type { RenderedPage } from './lib/page/rendered-page.ts';
import { createBrowserHistory } from './lib/router/location.ts';
import { Pages, createPortalRouter } from './routes.tsx';
import { loadAnnouncementsCode } from './ui/feedback/announcement-slot.tsx';

const isOpenedAtHome = ['/', '/home'].includes(
  window.location.pathname.replace(/(.)\/$/, '$1').toLowerCase(),
);

/** The server wrote the announcements into the page, so that they are there immediately. */
async function seedAnnouncements(): Promise<void> {
  const { language, items = [] } = JSON.parse(
    document.getElementById('announcements')?.textContent ?? '{}',
  ) as { language?: string; items?: readonly unknown[] };
  if (language) queryClient.setQueryData(queryKeyOf(getAnnouncements, language, {}), items);
  if (items.length > 0) await loadAnnouncementsCode().catch(() => undefined);
}

function keepSessionAlive(): void {
  const token = readToken();
  if (token === null) return;
  refreshTokenOnce(token).then(
    (refreshed) => refreshed ?? goToLogin(),
    // Without a connection the next call refreshes the token.
    () => undefined,
  );
}

/**
 * Renders the portal, once configuration and texts are loaded; hydrates a page that the server has
 * rendered.
 */
export async function showPortal(
  configured: Promise<void>,
  rendered: RenderedPage | undefined,
): Promise<void> {
  await Promise.all([
    configured,
    startTranslations(storedLanguage(), {
      namespaces: firstNamespaces,
      load: (language, namespace) => loadTexts(language as Language, namespace),
    }),
  ]);
  const applyLanguage = () => {
    applyToDocument(currentLanguage());
    setReactAriaLocale(localeOf(currentLanguage()));
  };
  applyLanguage();
  onLanguageChange(applyLanguage);
  if (!configuration().isUsable) return (await import('./shell/not-usable.tsx')).showNotUsable();
  tolerateMovedNodes();
  setSessionCleanup(clearSession);
  watchUserActivity(keepSessionAlive);
  // It may end a session that the pages would show.
  if (isSharedComputer()) await loadSharedComputer();
  // The home page removes the stored token (specification §2): here before the header shows a user.
  if (isOpenedAtHome) signOutAtHome();

  // Specification §2.
  if (isIdentityRefused())
    setTimeout(() => showToast(t('UserCancelledTheLogin', { ns: 'errors' }), 'danger'), 500);

  // The header shows the user as soon as another tab answers.
  if (!isOpenedAtHome) void loadTabs().then((tabs) => tabs?.takeSessionOfOtherTab());

  const router = createPortalRouter(createBrowserHistory(), rendered !== undefined);
  setRouter(router);

  // The server wrote the metadata of the first page; that of other pages is updated.
  const updateMeta = () =>
    void import('./lib/page/page-meta.ts').then(
      ({ updatePageMeta }) => updatePageMeta(),
      () => undefined,
    );
  let shownPath = isOpenedAtHome ? '/home' : window.location.pathname;
  router.subscribe(({ location: { pathname } }) => {
    if (pathname === shownPath) return;
    shownPath = pathname;
    updateMeta();
    void showFonts(currentLanguage());
  });
  onLanguageChange(updateMeta);

  const root = document.getElementById('root') as HTMLElement;
  const portal = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Pages router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
  await seedAnnouncements();
  if (!rendered) return createRoot(root).render(portal);
  for (const [key, reply] of rendered.queries) queryClient.setQueryData(key, reply);
  await router.ready;
  // A transition leaves the main thread to the user between its parts.
  startTransition(() => void hydrateRoot(root, portal));
  rendered.replay();
}
