import { QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { firstNouns } from './first-page.ts';
import { startTranslations } from './lib/i18n.ts';
import { currentLanguage } from './lib/language.ts';
import { setRouter } from './lib/navigation.ts';
import { queryClient } from './lib/query-client.ts';
import { signOut } from './lib/sign-out.ts';
import { applyToDocument } from './lib/stored-language.ts';
import { createPortalRouter } from './routes.tsx';

// Opening the portal at its first screen starts afresh: the stored token is cleared (specification §2). Going there within the portal keeps it.
const isOpenedAtHome = ['/', '/home'].includes(window.location.pathname.replace(/(.)\/$/, '$1'));

export async function showPortal(configured: Promise<void>): Promise<void> {
  await Promise.all([configured, startTranslations(firstNouns)]);
  i18next.on('languageChanged', () => applyToDocument(currentLanguage()));
  if (isOpenedAtHome) signOut();

  const router = createPortalRouter();
  setRouter(router);

  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
