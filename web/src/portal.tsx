import { QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { firstNouns } from './first-page.ts';
import { startTranslations } from './lib/i18n/i18n.ts';
import { configuration } from './lib/browser/configuration.ts';
import { setForget } from './lib/api/handle-error.ts';
import { isIdentityRefused } from './lib/auth/identity-return.ts';
import { localeOf } from './lib/i18n/format.ts';
import { currentLanguage } from './lib/i18n/language.ts';
import { setRouter } from './lib/browser/navigation.ts';
import { queryClient } from './lib/api/query-client.ts';
import { tellReactAria } from './lib/i18n/react-aria-locale.ts';
import { takeReload } from './lib/page/reload.ts';
import { forgetSession, signOut } from './lib/auth/sign-out.ts';
import { applyToDocument } from './lib/i18n/stored-language.ts';
import { showToast } from './lib/browser/toasts.ts';
import { createPortalRouter } from './routes.tsx';

// Opening the portal at its first screen starts afresh: the stored token is cleared (specification
// §2). Going there within the portal keeps it.
const isOpenedAtHome = ['/', '/home'].includes(
  window.location.pathname.replace(/(.)\/$/, '$1').toLowerCase(),
);

export async function showPortal(configured: Promise<void>): Promise<void> {
  await Promise.all([configured, startTranslations(firstNouns)]);
  const showLanguage = () => {
    applyToDocument(currentLanguage());
    tellReactAria(localeOf(currentLanguage()));
  };
  showLanguage();
  i18next.on('languageChanged', showLanguage);
  if (!configuration().isUsable) return (await import('./shell/not-usable.tsx')).showNotUsable();
  setForget(forgetSession);
  if (!takeReload() && isOpenedAtHome) signOut();

  // Specification §2.
  if (isIdentityRefused())
    setTimeout(
      () => showToast(i18next.t('UserCancelledTheLogin', { ns: 'errors' }), 'danger'),
      500,
    );

  const router = createPortalRouter();
  setRouter(router);

  // What the server wrote about the first page is right; it is kept in step with the next ones.
  const keepMeta = () =>
    void import('./lib/page/page-meta.ts').then(
      ({ keepPageMeta }) => keepPageMeta(),
      () => undefined,
    );
  let shown = isOpenedAtHome ? '/home' : window.location.pathname;
  router.subscribe(({ location: { pathname } }) => {
    if (pathname !== shown) keepMeta();
    shown = pathname;
  });
  i18next.on('languageChanged', keepMeta);

  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
