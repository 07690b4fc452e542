import { requireRole } from './lib/auth/guards.ts';
import { redirect, type LoaderArguments, type Route } from './lib/router/router.ts';

const signedIn = requireRole();
const admin = requireRole('Admin');
const supervisor = requireRole('ServiceProvider');
const companyUser = requireRole('CompanyUser');

/** Redirects users whom the guard lets pass; others go where the guard sends them. */
const redirectAfter = (guard: typeof admin, to: string) => async (args: LoaderArguments) =>
  (await guard(args)) ?? redirect(to);

/** An id that no record can have opens the page for unknown addresses. */
const numbered = (name: string) => async (args: LoaderArguments) =>
  (await admin(args)) ??
  (/^[1-9]\d{0,8}$/.test(args.params[name] ?? '') ? null : redirect('/not-found'));

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const userRecord = async (args: LoaderArguments) =>
  (await admin(args)) ?? (uuid.test(args.params.userId ?? '') ? null : redirect('/not-found'));

const register = async () => {
  const [{ RegisterPage }, { checkBeforeLogin }] = await Promise.all([
    import('./features/users/register/register-page.tsx'),
    import('./features/users/identity/identity-check.ts'),
  ]);
  return { Component: RegisterPage, loader: checkBeforeLogin };
};

/**
 * The paths of staff, partners and companies, those of an own account, and what follows a sent request. Few
 * visits need them, so they load on demand: decision 0008. Source: specification §2 Dashboards, §6.
 */
export const workRoutes: Route[] = [
  { path: 'dashboard', loader: redirectAfter(admin, '/dashboard-Admin') },
  {
    path: 'dashboard-Admin',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/dashboards/admin-dashboard-page.tsx'))
        .AdminDashboardPage,
    }),
  },
  {
    path: 'dashboard-supervisor',
    loader: supervisor,
    lazy: async () => ({
      Component: (await import('./features/dashboards/supervisor-dashboard-page.tsx'))
        .SupervisorDashboardPage,
    }),
  },
  {
    path: 'dash-board',
    loader: companyUser,
    lazy: async () => ({
      Component: (await import('./features/dashboards/company-dashboard-page.tsx'))
        .CompanyDashboardPage,
    }),
  },
  {
    path: 'dashboard/users',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/users/admin/users-page.tsx')).UsersPage,
    }),
  },
  {
    path: 'dashboard/staff',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/users/admin/staff-page.tsx')).StaffPage,
    }),
  },
  {
    path: 'dashboard/users/:userId',
    loader: userRecord,
    lazy: async () => ({
      Component: (await import('./features/users/admin/user-page.tsx')).UserPage,
    }),
  },
  {
    path: 'dashboard/partners',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/partners/partners-page.tsx')).PartnersPage,
    }),
  },
  {
    path: 'dashboard/companies',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/companies/companies-page.tsx')).CompaniesPage,
    }),
  },
  {
    path: 'dashboard/companies/:companyId',
    loader: numbered('companyId'),
    lazy: async () => ({
      Component: (await import('./features/companies/company-record-page.tsx')).CompanyRecordPage,
    }),
  },
  {
    path: 'dashboard/services',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/services/admin-services-page.tsx')).AdminServicesPage,
    }),
  },
  {
    path: 'dashboard/services/bulk',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/catalogue/bulk-page.tsx')).BulkPage,
    }),
  },
  {
    path: 'dashboard/services/import',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/catalogue/import-page.tsx')).ImportPage,
    }),
  },
  {
    path: 'dashboard/services/:serviceId',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/service-designs/service-designer-page.tsx'))
        .ServiceDesignerPage,
    }),
  },
  {
    path: 'dashboard/attachments',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/attachments/attachments-page.tsx')).AttachmentsPage,
    }),
  },
  {
    path: 'dashboard/service-providers',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/partners/service-providers-page.tsx'))
        .ServiceProvidersPage,
    }),
  },
  {
    path: 'dashboard/service-providers/:partnerId',
    loader: numbered('partnerId'),
    lazy: async () => ({
      Component: (await import('./features/partners/partner-record-page.tsx')).PartnerRecordPage,
    }),
  },
  {
    path: 'dashboard/serviceCategories',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/catalogue/categories-page.tsx')).CategoriesPage,
    }),
  },
  {
    path: 'dashboard/agencies',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/catalogue/agencies-page.tsx')).AgenciesPage,
    }),
  },
  {
    path: 'dashboard/accountTypes',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/catalogue/account-types-page.tsx')).AccountTypesPage,
    }),
  },
  {
    path: 'dashboard/rejectionReasons',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/requests/pages/rejection-reasons-page.tsx'))
        .RejectionReasonsPage,
    }),
  },
  {
    path: 'dashboard/workflow',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/workflow/workflow-page.tsx')).WorkflowPage,
    }),
  },
  {
    path: 'dashboard/texts',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/texts/texts-page.tsx')).TextsPage,
    }),
  },
  {
    path: 'dashboard/announcements',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/announcements/admin-announcements-page.tsx'))
        .AdminAnnouncementsPage,
    }),
  },
  {
    path: 'dashboard/certificates',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/certificates/certificates-page.tsx')).CertificatesPage,
    }),
  },
  {
    path: 'dashboard/search',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/searches/search-desk-page.tsx')).SearchDeskPage,
    }),
  },
  {
    path: 'dashboard/payments',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/payments/admin-payments-page.tsx')).AdminPaymentsPage,
    }),
  },
  {
    path: 'dashboard/security',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/users/second-factor/sign-in-security-page.tsx'))
        .SignInSecurityPage,
    }),
  },
  {
    path: 'dashboard/messages',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/messages/messages-page.tsx')).MessagesPage,
    }),
  },
  {
    path: 'dashboard/audit',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/users/admin/audit-page.tsx')).AuditPage,
    }),
  },
  {
    path: 'dashboard/changes',
    loader: admin,
    lazy: async () => ({
      Component: (await import('./features/users/admin/changes-page.tsx')).ChangesPage,
    }),
  },
  {
    path: 'requests/saved-texts',
    loader: requireRole('Admin', 'Employee', 'ServiceProvider'),
    lazy: async () => ({
      Component: (await import('./features/requests/pages/saved-texts-page.tsx')).SavedTextsPage,
    }),
  },
  {
    path: 'requests/counter',
    loader: requireRole('Admin', 'Employee'),
    lazy: async () => ({
      Component: (await import('./features/users/admin/counter-page.tsx')).CounterPage,
    }),
  },
  {
    path: 'reports',
    loader: requireRole('Admin', 'ServiceProvider'),
    lazy: async () => ({
      Component: (await import('./features/reports/reports-page.tsx')).ReportsPage,
    }),
  },
  { path: 'partner', loader: redirectAfter(supervisor, '/partner/profile') },
  {
    path: 'partner/profile',
    loader: supervisor,
    lazy: async () => ({
      Component: (await import('./features/partners/partner-profile-page.tsx')).PartnerProfilePage,
    }),
  },
  {
    path: 'partner/register',
    lazy: async () => ({
      Component: (await import('./features/partners/register-partner-page.tsx'))
        .RegisterPartnerPage,
    }),
  },
  {
    path: 'companies/users',
    loader: companyUser,
    lazy: async () => ({
      Component: (await import('./features/companies/company-users-page.tsx')).CompanyUsersPage,
    }),
  },
  {
    path: 'account/invitation',
    lazy: async () => ({
      Component: (await import('./features/users/register/staff-invitation-page.tsx'))
        .StaffInvitationPage,
    }),
  },
  {
    path: 'companies/join',
    lazy: async () => ({
      Component: (await import('./features/companies/join-company-page.tsx')).JoinCompanyPage,
    }),
  },
  {
    path: 'setup',
    lazy: async () => ({
      Component: (await import('./features/users/setup/setup-page.tsx')).SetupPage,
    }),
  },
  { path: 'account/register', lazy: register },
  {
    path: 'account/forgot-password',
    lazy: async () => ({
      Component: (await import('./features/users/sign-in/forgot-password-page.tsx'))
        .ForgotPasswordPage,
    }),
  },
  {
    path: 'account/link',
    lazy: async () => ({
      Component: (await import('./features/users/identity/link-account-page.tsx')).LinkAccountPage,
    }),
  },
  { path: 'companies', loader: redirectAfter(companyUser, '/companies/my-requests/new') },
  {
    path: 'account/second-factor',
    loader: signedIn,
    lazy: async () => ({
      Component: (await import('./features/users/second-factor/second-factor-page.tsx'))
        .SecondFactorPage,
    }),
  },
  {
    path: 'account/notifications',
    loader: signedIn,
    lazy: async () => ({
      Component: (await import('./features/messages/notifications-page.tsx')).NotificationsPage,
    }),
  },
  {
    path: 'account/profile',
    loader: signedIn,
    lazy: async () => ({
      Component: (await import('./features/users/account/profile-page.tsx')).ProfilePage,
    }),
  },
  {
    path: 'requests/accepted-request',
    lazy: async () => ({
      Component: (await import('./features/requests/pages/accepted-request-page.tsx'))
        .AcceptedRequestPage,
    }),
  },
];
