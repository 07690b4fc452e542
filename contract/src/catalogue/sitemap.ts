import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { governmentAgency } from './agencies.ts';

/**
 * A page that is open to everybody. `name` is the key of its texts in `pages.json`, `changed` the
 * day of the last change of its text. Search engines index it unless `isForSearch` is false (they
 * would be redirected).
 */
export interface PublicPage {
  name: string;
  path: string;
  section: 'services' | 'requests' | 'about';
  changed?: string;
  isForSearch?: false;
}

/**
 * The public pages, without those of services, in the order of the site map. Source: specification
 * §2.
 */
export const publicPages: readonly PublicPage[] = [
  { name: 'home', path: '/home', section: 'services' },
  { name: 'services', path: '/services', section: 'services' },
  { name: 'allServices', path: '/home/services', section: 'services' },
  // Anonymous visitors are redirected from these pages to the sign-in (specification §4).
  {
    name: 'individuals',
    path: '/home/services/individuals',
    section: 'services',
    isForSearch: false,
  },
  { name: 'companies', path: '/home/services/companies', section: 'services', isForSearch: false },
  { name: 'investors', path: '/home/services/investors', section: 'services', isForSearch: false },
  { name: 'inquiry', path: '/requests/inquiry', section: 'requests' },
  { name: 'login', path: '/account/login', section: 'requests' },
  { name: 'terms', path: '/terms-and-conditions', section: 'about', changed: '2026-11-21' },
  { name: 'privacy', path: '/privacy-policy', section: 'about', changed: '2026-11-21' },
  {
    name: 'providerTerms',
    path: '/service-provider-term-and-conditions',
    section: 'about',
    changed: '2026-11-21',
  },
  {
    name: 'dataSharing',
    path: '/terms-and-conditions-data-sharing',
    section: 'about',
    changed: '2026-11-21',
  },
  { name: 'accessibility', path: '/accessibility', section: 'about', changed: '2026-11-21' },
  { name: 'announcements', path: '/announcements', section: 'about' },
  { name: 'sitemap', path: '/sitemap.xml', section: 'about' },
];

/**
 * The other paths of the portal: pages for one user, and pages that search engines must not index.
 * Parameters begin with a colon.
 */
export const unlistedPaths: readonly string[] = [
  '/requests',
  '/requests/request-details',
  '/requests/accepted-request',
  '/requests/new',
  '/requests/processing',
  '/requests/all',
  '/requests/counter',
  '/requests/saved-texts',
  '/payment-status',
  '/invoice',
  '/home/auth/:accountType',
  '/home/identity',
  '/account',
  '/account/notifications',
  '/account/profile',
  '/account/register',
  '/account/forgot-password',
  '/account/link',
  '/account/invitation',
  '/account/second-factor',
  '/companies',
  '/companies/users',
  '/companies/join',
  '/companies/my-requests',
  '/companies/my-requests/new',
  '/partner',
  '/partner/profile',
  '/partner/register',
  '/reports',
  '/dash-board',
  '/dashboard-Admin',
  '/dashboard-supervisor',
  '/dashboard',
  '/dashboard/users',
  '/dashboard/users/:userId',
  '/dashboard/staff',
  '/dashboard/partners',
  '/dashboard/companies',
  '/dashboard/companies/:companyId',
  '/dashboard/services',
  '/dashboard/attachments',
  '/dashboard/service-providers',
  '/dashboard/service-providers/:partnerId',
  '/dashboard/workflow',
  '/dashboard/security',
  '/dashboard/serviceCategories',
  '/dashboard/agencies',
  '/dashboard/services/import',
  '/dashboard/services/bulk',
  '/dashboard/services/:serviceId',
  '/dashboard/accountTypes',
  '/dashboard/rejectionReasons',
  '/dashboard/search',
  '/dashboard/payments',
  '/dashboard/announcements',
  '/dashboard/certificates',
  '/dashboard/texts',
  '/dashboard/messages',
  '/dashboard/audit',
  '/dashboard/changes',
  '/setup',
  '/server-error',
];

/** The path of the request form of a service; the service's address segment follows. */
export const servicePath = '/requests/Create/';

const listedService = z.object({ name: z.string(), replacedName: z.string() });
const listedAgency = governmentAgency.extend({ services: z.array(listedService) });
export type ListedAgency = z.infer<typeof listedAgency>;

/**
 * The content of the page at /sitemap.xml; `fileName` is the site map for search engines, made from
 * the same catalogue. The shape of the reply is ours.
 */
export const generateDynamicSitemapFile = defineCall({
  name: 'generateDynamicSitemapFile',
  method: 'GET',
  path: '/api/SiteMap/GenerateDynamicSitemapFile',
  who: 'anyone',
  summary:
    'All services by agency, in the caller’s language, and the address of the site map for search engines',
  reply: z.object({ fileName: z.string(), agencies: z.array(listedAgency) }),
  refusals: [],
});
