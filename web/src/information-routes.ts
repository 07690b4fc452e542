import type { Route } from './lib/router/router.ts';

/**
 * The paths of legal and other texts, which load on demand: decision 0008. Source: specification §2.
 */
export const informationRoutes: Route[] = [
  {
    path: 'invoice',
    lazy: async () => ({
      Component: (await import('./features/payments/invoice-check-page.tsx')).InvoiceCheckPage,
    }),
  },
  {
    path: 'terms-and-conditions',
    lazy: async () => ({ Component: (await import('./features/static/text-pages.tsx')).TermsPage }),
  },
  {
    path: 'privacy-policy',
    lazy: async () => ({
      Component: (await import('./features/static/text-pages.tsx')).PrivacyPage,
    }),
  },
  {
    path: 'service-provider-term-and-conditions',
    lazy: async () => ({
      Component: (await import('./features/static/text-pages.tsx')).ProviderTermsPage,
    }),
  },
  {
    path: 'terms-and-conditions-data-sharing',
    lazy: async () => ({
      Component: (await import('./features/static/text-pages.tsx')).DataSharingPage,
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
      Component: (await import('./features/static/text-pages.tsx')).AccessibilityPage,
    }),
  },
  {
    path: 'announcements',
    lazy: async () => ({
      Component: (await import('./features/announcements/announcements-page.tsx'))
        .AnnouncementsPage,
    }),
  },
];
