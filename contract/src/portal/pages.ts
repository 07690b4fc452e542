import { accountTypeIds, type AccountTypeSlug } from '../catalogue/account-types.ts';
import type { getAllAccountTypes } from '../catalogue/account-types.ts';
import type {
  getAllGovernmentAgenciesByAccountType,
  getAllGovernmentAgenciesWithServices,
} from '../catalogue/agencies.ts';
import type { getAllServiceCategoryByAccountType } from '../catalogue/categories.ts';
import type {
  getServiceIdByServiceName,
  getServices,
  serviceSearch,
} from '../catalogue/services.ts';
import type { getLegalPage, LegalPageName } from '../content/legal-pages.ts';
import {
  agencyAuditors as people,
  agencyContentReaders as agency,
  agencyEditors,
  auditReaders as admin,
  contentReaders as content,
  moneyReaders,
} from '../wire/call.ts';
import { definePages, firstCall } from './define-pages.ts';
import { signedInPages } from './signed-in-pages.ts';

/** The path of the request form of a service; the service's address segment follows. */
export const servicePath = '/requests/Create/';

const legalCalls = (Page: LegalPageName) => [
  firstCall<typeof getLegalPage>('/api/LegalPage/GetLegalPage', { Page }),
];

/**
 * Every page of the portal, by name. Routes and guards, the first calls and texts, rendered pages, the
 * site map, heads, menus, and what journeys and pictures visit follow from it; the components are in
 * `web/src/pages.ts` and `web/src/more-pages.ts`. The order is that of the site map and of the menus.
 * Source: specification §2, §6.
 */
export const pages = definePages({
  root: { path: '/', who: 'anyone', redirectTo: 'home' },
  home: {
    path: '/home',
    who: 'anyone',
    isEntry: true,
    texts: ['home', 'services'],
    calls: () => [
      firstCall<typeof getAllAccountTypes>('/api/AccountType/GetAllAccountTypes'),
      firstCall<typeof serviceSearch>('/api/Service/ServiceSearch', { Pobular: 'true' }),
    ],
    isRendered: true,
    heading: 'home:question',
    opening: { kind: 'home', lead: 'home:lead' },
    listed: { section: 'services' },
    menu: { in: 'public' },
  },
  services: {
    path: '/services',
    who: 'anyone',
    isEntry: true,
    texts: ['services'],
    // Filters change the calls.
    calls: ({ hasFilters }) =>
      hasFilters
        ? []
        : [
            firstCall<typeof getServices>('/api/Service/GetServices', {
              PageNumber: '1',
              PageSize: '5',
            }),
            firstCall<typeof getAllGovernmentAgenciesWithServices>(
              '/api/GovernmentAgency/GetAllGovernmentAgenciesWithServices',
            ),
          ],
    isRendered: true,
    heading: 'services:title',
    opening: { kind: 'page', lead: 'services:listing.lead' },
    listed: { section: 'services' },
    menu: { in: 'public' },
  },
  allServices: {
    path: '/home/services/:accountType?',
    who: 'anyone',
    isEntry: true,
    texts: ['services', 'pages'],
    calls: ({ params }) => {
      const { accountType = '' } = params;
      if (!Object.hasOwn(accountTypeIds, accountType)) return [];
      const query = { AccountTypeId: String(accountTypeIds[accountType as AccountTypeSlug]) };
      return [
        firstCall<typeof getAllServiceCategoryByAccountType>(
          '/api/ServiceCategory/GetAllServiceCategoryByAccountType',
          query,
        ),
        firstCall<typeof getAllGovernmentAgenciesByAccountType>(
          '/api/GovernmentAgency/GetAllGovernmentAgenciesByAccountType',
          query,
        ),
      ];
    },
    heading: 'services:allServices',
    listed: { section: 'services' },
  },
  // Anonymous visitors are redirected from these addresses to the sign-in (specification §4).
  individuals: {
    path: '/home/services/individuals',
    who: 'anyone',
    sameAs: 'allServices',
    heading: 'pages:titles.individuals',
    listed: { section: 'services', isForSearch: false },
  },
  companies: {
    path: '/home/services/companies',
    who: 'anyone',
    sameAs: 'allServices',
    heading: 'pages:titles.companies',
    listed: { section: 'services', isForSearch: false },
  },
  investors: {
    path: '/home/services/investors',
    who: 'anyone',
    sameAs: 'allServices',
    heading: 'pages:titles.investors',
    listed: { section: 'services', isForSearch: false },
  },
  createRequest: {
    path: `${servicePath}:serviceName`,
    who: 'anyone',
    isEntry: true,
    texts: ['forms', 'attachments'],
    calls: ({ params: { serviceName = '' } }) => [
      firstCall<typeof getServiceIdByServiceName>('/api/Service/GetServiceIdByServiceName', {
        serviceName: serviceName.slice(0, 300),
      }),
    ],
    isRendered: true,
  },
  inquiry: {
    path: '/requests/inquiry',
    who: 'anyone',
    isEntry: true,
    texts: ['requests'],
    heading: 'requests:inquiry.title',
    listed: { section: 'requests' },
    menu: { in: 'public' },
  },
  login: {
    path: '/account/login',
    who: 'anyone',
    isEntry: true,
    texts: ['users'],
    heading: 'users:login.title',
    opening: { kind: 'form', lead: 'users:login.lead' },
    listed: { section: 'requests' },
  },
  terms: {
    path: '/terms-and-conditions',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('terms'),
    isRendered: true,
    heading: 'static:terms.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  privacy: {
    path: '/privacy-policy',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('privacy'),
    isRendered: true,
    heading: 'static:privacy.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  // It is found from the privacy policy and the site map: the footer has two lines.
  storage: {
    path: '/storage-and-cookies',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('storage'),
    isRendered: true,
    heading: 'static:storage.title',
    listed: { section: 'about' },
  },
  providerTerms: {
    path: '/service-provider-term-and-conditions',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('providerTerms'),
    isRendered: true,
    heading: 'static:providerTerms.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  dataSharing: {
    path: '/terms-and-conditions-data-sharing',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('dataSharing'),
    isRendered: true,
    heading: 'static:dataSharing.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  sitemap: {
    path: '/sitemap.xml',
    who: 'anyone',
    heading: 'static:sitemap.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  accessibility: {
    path: '/accessibility',
    who: 'anyone',
    texts: ['static'],
    calls: () => legalCalls('accessibility'),
    isRendered: true,
    heading: 'static:accessibility.title',
    listed: { section: 'about' },
    isInFooter: true,
  },
  // The footer is that of the specification; the legal pages link here.
  complaints: {
    path: '/complaints',
    who: 'anyone',
    heading: 'complaints:title',
    listed: { section: 'about' },
  },
  announcements: {
    path: '/announcements',
    who: 'anyone',
    heading: 'pages:titles.announcements',
    listed: { section: 'about' },
  },
  // The pages of errors and of announcements link here too.
  status: {
    path: '/status',
    who: 'anyone',
    texts: ['status', 'announcements'],
    isRendered: true,
    heading: 'status:title',
    listed: { section: 'about' },
  },

  legalVersion: { path: '/legal/:versionId', who: 'anyone', ids: { versionId: 'number' } },

  // Around the sign-in and the payment: search engines must not index these.
  wizard: { path: '/home/auth/:accountType', who: 'anyone', isEntry: true, texts: ['users'] },
  identityReturn: { path: '/home/identity', who: 'anyone', isEntry: true, texts: ['users'] },
  account: { path: '/account', who: 'anyone', redirectTo: 'login' },
  register: {
    path: '/account/register',
    who: 'anyone',
    texts: ['users'],
    heading: 'accounts:register.title',
  },
  forgotPassword: {
    path: '/account/forgot-password',
    who: 'anyone',
    texts: ['users'],
    heading: 'accounts:forgotten.title',
  },
  linkAccount: { path: '/account/link', who: 'anyone', texts: ['users'] },
  staffInvitation: { path: '/account/invitation', who: 'anyone', texts: ['users'] },
  joinCompany: { path: '/companies/join', who: 'anyone' },
  partnerRegister: { path: '/partner/register', who: 'anyone' },
  setup: { path: '/setup', who: 'anyone' },
  certificateCheck: { path: '/certificate', who: 'anyone', heading: 'certificates:check.title' },
  invoiceCheck: { path: '/invoice', who: 'anyone', heading: 'invoices:check.title' },
  paymentStatus: { path: '/payment-status', who: 'anyone' },
  acceptedRequest: { path: '/requests/accepted-request', who: 'anyone' },
  serverError: { path: '/server-error', who: 'anyone', heading: 'static:serverError.title' },
  notFound: { path: '/not-found', who: 'anyone', heading: 'static:notFound.title' },

  // What people do, in the order of the menu.
  adminDashboard: {
    path: '/dashboard-Admin',
    who: people,
    menu: { in: 'work', text: 'dashboard' },
  },
  ...signedInPages,

  // What administrators and those with a part of their duties manage, in the order of the menu.
  dashboard: { path: '/dashboard', who: people, redirectTo: 'adminDashboard' },
  adminUsers: { path: '/dashboard/users', who: people, menu: { in: 'manage', text: 'users' } },
  adminUser: { path: '/dashboard/users/:userId', who: people, ids: { userId: 'uuid' } },
  adminStaff: { path: '/dashboard/staff', who: people },
  adminTeams: { path: '/dashboard/teams', who: people, menu: { in: 'manage', text: 'teams' } },
  adminPartners: {
    path: '/dashboard/partners',
    who: admin,
    menu: { in: 'manage', text: 'partners' },
  },
  adminCompanies: {
    path: '/dashboard/companies',
    who: admin,
    menu: { in: 'manage', text: 'companies' },
  },
  adminCompany: {
    path: '/dashboard/companies/:companyId',
    who: admin,
    ids: { companyId: 'number' },
  },
  adminServiceProviders: {
    path: '/dashboard/service-providers',
    who: admin,
    menu: { in: 'manage', text: 'serviceProviders' },
  },
  adminPartner: {
    path: '/dashboard/service-providers/:partnerId',
    who: admin,
    ids: { partnerId: 'number' },
  },
  adminServices: {
    path: '/dashboard/services',
    who: agency,
    menu: { in: 'manage', text: 'serviceCatalogue' },
  },
  adminServicesBulk: { path: '/dashboard/services/bulk', who: agencyEditors },
  adminServicesImport: { path: '/dashboard/services/import', who: agencyEditors },
  adminServiceDesign: { path: '/dashboard/services/:serviceId', who: agency },
  adminAgencies: {
    path: '/dashboard/agencies',
    who: people,
    menu: { in: 'manage', text: 'agencies' },
  },
  adminCategories: {
    path: '/dashboard/serviceCategories',
    who: content,
    menu: { in: 'manage', text: 'categories' },
  },
  adminAccountTypes: { path: '/dashboard/accountTypes', who: content, menu: { in: 'dashboard' } },
  adminAttachments: {
    path: '/dashboard/attachments',
    who: content,
    menu: { in: 'manage', text: 'attachments' },
  },
  adminRejectionReasons: {
    path: '/dashboard/rejectionReasons',
    who: agency,
    menu: { in: 'manage', text: 'rejectionReasons' },
  },
  adminWorkflow: {
    path: '/dashboard/workflow',
    who: admin,
    menu: { in: 'manage', text: 'workflow' },
  },
  adminPortal: { path: '/dashboard/portal', who: admin, menu: { in: 'manage', text: 'portal' } },
  adminTexts: { path: '/dashboard/texts', who: content, menu: { in: 'manage', text: 'texts' } },
  adminAnnouncements: {
    path: '/dashboard/announcements',
    who: agency,
    menu: { in: 'manage', text: 'announcements' },
  },
  adminDays: { path: '/dashboard/calendars', who: agency, menu: { in: 'manage', text: 'days' } },
  adminCertificates: {
    path: '/dashboard/certificates',
    who: agency,
    menu: { in: 'manage', text: 'certificates' },
  },
  adminSearch: { path: '/dashboard/search', who: agency, menu: { in: 'manage', text: 'search' } },
  adminPayments: {
    path: '/dashboard/payments',
    who: moneyReaders,
    menu: { in: 'manage', text: 'payments' },
  },
  adminSecurity: {
    path: '/dashboard/security',
    who: admin,
    menu: { in: 'manage', text: 'security' },
  },
  adminMessages: {
    path: '/dashboard/messages',
    who: admin,
    menu: { in: 'manage', text: 'messages' },
  },
  adminAudit: { path: '/dashboard/audit', who: people, menu: { in: 'manage', text: 'audit' } },
  adminComplaints: {
    path: '/dashboard/complaints',
    who: people,
    menu: { in: 'manage', text: 'complaints' },
  },
  adminReading: {
    path: '/dashboard/reading',
    who: people,
    menu: { in: 'manage', text: 'reading' },
  },
});
