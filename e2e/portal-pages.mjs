// The pages of the portal that need no record: the one list for journeys and screenshots.
// scripts/portal-pages.test.ts compares it with the paths of the site map.

export const publicPortalPages = [
  { name: 'home', path: '/home', heading: 'home:question' },
  { name: 'all-services', path: '/home/services', heading: 'services:allServices' },
  { name: 'wizard-choose', path: '/home/auth/9', heading: 'users:wizard.chooseTitle' },
  { name: 'wizard-identity', path: '/home/auth/1', heading: 'users:wizard.title' },
  { name: 'services', path: '/services', heading: 'services:title' },
  {
    name: 'service-missing',
    path: '/requests/Create/no-such-service',
    heading: 'forms:missing.title',
  },
  { name: 'login', path: '/account/login', heading: 'users:login.title' },
  { name: 'register', path: '/account/register', heading: 'accounts:register.title' },
  {
    name: 'forgot-password',
    path: '/account/forgot-password',
    heading: 'accounts:forgotten.title',
  },
  { name: 'link-account', path: '/account/link' },
  { name: 'join-company-gone', path: '/companies/join' },
  { name: 'partner-register', path: '/partner/register' },
  { name: 'inquiry', path: '/requests/inquiry', heading: 'requests:inquiry.title' },
  {
    name: 'accepted-request-none',
    path: '/requests/accepted-request',
    heading: 'payments:accepted.noneTitle',
  },
  { name: 'terms', path: '/terms-and-conditions', heading: 'static:terms.title' },
  { name: 'privacy', path: '/privacy-policy', heading: 'static:privacy.title' },
  {
    name: 'provider-terms',
    path: '/service-provider-term-and-conditions',
    heading: 'static:providerTerms.title',
  },
  {
    name: 'data-sharing',
    path: '/terms-and-conditions-data-sharing',
    heading: 'static:dataSharing.title',
  },
  { name: 'sitemap', path: '/sitemap.xml', heading: 'static:sitemap.title' },
  { name: 'accessibility', path: '/accessibility', heading: 'static:accessibility.title' },
  { name: 'not-found', path: '/not-found', heading: 'static:notFound.title' },
  { name: 'server-error', path: '/server-error', heading: 'static:serverError.title' },
];

const dashboardLists = [
  'users',
  'partners',
  'companies',
  'services',
  'attachments',
  'service-providers',
  'serviceCategories',
  'rejectionReasons',
  'audit',
  'security',
  'messages',
  'workflow',
];

export const personalPortalPages = [
  {
    name: 'home-services',
    path: '/home/services/individuals#all',
    as: 'individual',
    heading: 'pages:titles.individuals',
  },
  {
    name: 'home-services-agencies',
    path: '/home/services/companies#category',
    as: 'company',
    heading: 'pages:titles.companies',
  },
  { name: 'my-requests', path: '/requests', as: 'individual', heading: 'requests:mine.title' },
  {
    name: 'company-requests',
    path: '/companies/my-requests/new',
    as: 'company2',
    heading: 'requests:mine.companyTitle',
  },
  { name: 'profile', path: '/account/profile', as: 'company2', heading: 'users:profile.title' },
  { name: 'company-users', path: '/companies/users', as: 'company2', heading: 'companies:title' },
  {
    name: 'company-dashboard',
    path: '/dash-board',
    as: 'company2',
    heading: 'dashboards:company.title',
  },
  { name: 'staff-new', path: '/requests/new', as: 'employee', heading: 'requests:staff.newTitle' },
  {
    name: 'staff-processing',
    path: '/requests/processing',
    as: 'employee',
    heading: 'requests:staff.processingTitle',
  },
  { name: 'staff-all', path: '/requests/all', as: 'employee', heading: 'requests:staff.allTitle' },
  { name: 'counter', path: '/requests/counter', as: 'employee' },
  { name: 'supervisor-dashboard', path: '/dashboard-supervisor', as: 'supervisor2' },
  { name: 'partner-profile', path: '/partner/profile', as: 'supervisor2' },
  { name: 'provider-new', path: '/partner/profile', as: 'provider-new', isFresh: true },
  { name: 'provider-suspended', path: '/partner/profile', as: 'provider-suspended', isFresh: true },
  { name: 'partner-register-form', path: '/partner/register', as: 'individual' },
  { name: 'reports', path: '/reports', as: 'admin' },
  { name: 'admin-dashboard', path: '/dashboard-Admin', as: 'admin' },
  { name: 'second-factor', path: '/account/second-factor', as: 'admin' },
  ...dashboardLists.map((list) => ({
    name: `admin-${list}`,
    path: `/dashboard/${list}`,
    as: 'admin',
  })),
];
