import type { EntryPageName, ShownPageName } from '@diwan/contract/portal/page-list';
import type { PageLoader } from './lib/router/router.ts';

const register: PageLoader = async () => {
  const [{ RegisterPage }, { checkBeforeLogin }, { afterIdentityCheck }] = await Promise.all([
    import('./features/users/register/register-page.tsx'),
    import('./features/users/identity/identity-check.ts'),
    import('./features/users/identity/after-identity-check.tsx'),
  ]);
  return { Component: afterIdentityCheck(RegisterPage), loader: checkBeforeLogin };
};
const myRequests: PageLoader = async () => ({
  Component: (await import('./features/requests/pages/my-requests-page.tsx')).MyRequestsPage,
});
const staffRequests: PageLoader = async () => ({
  Component: (await import('./features/requests/pages/staff-requests-page.tsx')).StaffRequestsPage,
});

/**
 * The other pages: a separate file, because the names of their files cost the first page: decision
 * 0008.
 */
export const morePages = {
  terms: async () => ({ Component: (await import('./features/static/text-pages.tsx')).TermsPage }),
  privacy: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).PrivacyPage,
  }),
  storage: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).StoragePage,
  }),
  providerTerms: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).ProviderTermsPage,
  }),
  dataSharing: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).DataSharingPage,
  }),
  sitemap: async () => ({
    Component: (await import('./features/static/sitemap-page.tsx')).SitemapPage,
  }),
  accessibility: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).AccessibilityPage,
  }),
  legalVersion: async () => ({
    Component: (await import('./features/static/text-pages.tsx')).LegalVersionPage,
  }),
  complaints: async () => ({
    Component: (await import('./features/complaints/complaints-page.tsx')).ComplaintsPage,
  }),
  announcements: async () => ({
    Component: (await import('./features/announcements/announcements-page.tsx')).AnnouncementsPage,
  }),
  status: async () => ({
    Component: (await import('./features/status/status-page.tsx')).StatusPage,
  }),
  forgotPassword: async () => ({
    Component: (await import('./features/users/sign-in/forgot-password-page.tsx'))
      .ForgotPasswordPage,
  }),
  linkAccount: async () => ({
    Component: (await import('./features/users/identity/link-account-page.tsx')).LinkAccountPage,
  }),
  staffInvitation: async () => ({
    Component: (await import('./features/users/register/staff-invitation-page.tsx'))
      .StaffInvitationPage,
  }),
  joinCompany: async () => ({
    Component: (await import('./features/companies/join-company-page.tsx')).JoinCompanyPage,
  }),
  partnerRegister: async () => ({
    Component: (await import('./features/partners/register-partner-page.tsx')).RegisterPartnerPage,
  }),
  setup: async () => ({
    Component: (await import('./features/users/setup/setup-page.tsx')).SetupPage,
  }),
  certificateCheck: async () => ({
    Component: (await import('./features/certificates/certificate-check-page.tsx'))
      .CertificateCheckPage,
  }),
  myCertificates: async () => ({
    Component: (await import('./features/certificates/issued-certificates-page.tsx'))
      .MyCertificatesPage,
  }),
  issuedCertificates: async () => ({
    Component: (await import('./features/certificates/issued-certificates-page.tsx'))
      .IssuedCertificatesPage,
  }),
  invoiceCheck: async () => ({
    Component: (await import('./features/payments/invoice-check-page.tsx')).InvoiceCheckPage,
  }),
  paymentStatus: async () => ({
    Component: (await import('./features/payments/payment-status-page.tsx')).PaymentStatusPage,
  }),
  acceptedRequest: async () => ({
    Component: (await import('./features/requests/pages/accepted-request-page.tsx'))
      .AcceptedRequestPage,
  }),
  serverError: async () => ({
    Component: (await import('./features/static/error-pages.tsx')).ServerErrorPage,
  }),
  notFound: async () => ({
    Component: (await import('./features/static/error-pages.tsx')).NotFoundPage,
  }),
  adminDashboard: async () => ({
    Component: (await import('./features/dashboards/admin-dashboard-page.tsx')).AdminDashboardPage,
  }),
  supervisorDashboard: async () => ({
    Component: (await import('./features/dashboards/supervisor-dashboard-page.tsx'))
      .SupervisorDashboardPage,
  }),
  companyDashboard: async () => ({
    Component: (await import('./features/dashboards/company-dashboard-page.tsx'))
      .CompanyDashboardPage,
  }),
  counter: async () => ({
    Component: (await import('./features/users/admin/counter-page.tsx')).CounterPage,
  }),
  urgentReading: async () => ({
    Component: (await import('./features/requests/pages/urgent-reading-page.tsx'))
      .UrgentReadingPage,
  }),
  companyUsers: async () => ({
    Component: (await import('./features/companies/company-users-page.tsx')).CompanyUsersPage,
  }),
  requestDetails: async () => ({
    Component: (await import('./features/requests/pages/request-details-page.tsx'))
      .RequestDetailsPage,
  }),
  partnerProfile: async () => ({
    Component: (await import('./features/partners/partner-profile-page.tsx')).PartnerProfilePage,
  }),
  reports: async () => ({
    Component: (await import('./features/reports/reports-page.tsx')).ReportsPage,
  }),
  profile: async () => ({
    Component: (await import('./features/users/account/profile-page.tsx')).ProfilePage,
  }),
  notifications: async () => ({
    Component: (await import('./features/messages/notifications-page.tsx')).NotificationsPage,
  }),
  savedTexts: async () => ({
    Component: (await import('./features/requests/pages/saved-texts-page.tsx')).SavedTextsPage,
  }),
  secondFactor: async () => ({
    Component: (await import('./features/users/second-factor/second-factor-page.tsx'))
      .SecondFactorPage,
  }),
  adminUsers: async () => ({
    Component: (await import('./features/users/admin/users-page.tsx')).UsersPage,
  }),
  adminUser: async () => ({
    Component: (await import('./features/users/admin/user-page.tsx')).UserPage,
  }),
  adminStaff: async () => ({
    Component: (await import('./features/users/admin/staff-page.tsx')).StaffPage,
  }),
  adminPartners: async () => ({
    Component: (await import('./features/partners/partners-page.tsx')).PartnersPage,
  }),
  adminCompanies: async () => ({
    Component: (await import('./features/companies/companies-page.tsx')).CompaniesPage,
  }),
  adminCompany: async () => ({
    Component: (await import('./features/companies/company-record-page.tsx')).CompanyRecordPage,
  }),
  adminServiceProviders: async () => ({
    Component: (await import('./features/partners/service-providers-page.tsx'))
      .ServiceProvidersPage,
  }),
  adminPartner: async () => ({
    Component: (await import('./features/partners/partner-record-page.tsx')).PartnerRecordPage,
  }),
  adminServices: async () => ({
    Component: (await import('./features/services/admin-services-page.tsx')).AdminServicesPage,
  }),
  adminServicesBulk: async () => ({
    Component: (await import('./features/catalogue/bulk-page.tsx')).BulkPage,
  }),
  adminServicesImport: async () => ({
    Component: (await import('./features/catalogue/import-page.tsx')).ImportPage,
  }),
  adminServiceDesign: async () => ({
    Component: (await import('./features/service-designs/service-designer-page.tsx'))
      .ServiceDesignerPage,
  }),
  adminAgencies: async () => ({
    Component: (await import('./features/catalogue/agencies-page.tsx')).AgenciesPage,
  }),
  adminCategories: async () => ({
    Component: (await import('./features/catalogue/categories-page.tsx')).CategoriesPage,
  }),
  adminAccountTypes: async () => ({
    Component: (await import('./features/catalogue/account-types-page.tsx')).AccountTypesPage,
  }),
  adminAttachments: async () => ({
    Component: (await import('./features/attachments/attachments-page.tsx')).AttachmentsPage,
  }),
  adminRejectionReasons: async () => ({
    Component: (await import('./features/requests/pages/rejection-reasons-page.tsx'))
      .RejectionReasonsPage,
  }),
  adminWorkflow: async () => ({
    Component: (await import('./features/workflow/workflow-page.tsx')).WorkflowPage,
  }),
  adminPortal: async () => ({
    Component: (await import('./features/portal-details/portal-details-page.tsx'))
      .PortalDetailsPage,
  }),
  adminTexts: async () => ({
    Component: (await import('./features/texts/texts-page.tsx')).TextsPage,
  }),
  adminAnnouncements: async () => ({
    Component: (await import('./features/announcements/admin-announcements-page.tsx'))
      .AdminAnnouncementsPage,
  }),
  adminTeams: async () => ({
    Component: (await import('./features/teams/teams-page.tsx')).TeamsPage,
  }),
  adminDays: async () => ({
    Component: (await import('./features/calendars/calendars-page.tsx')).CalendarsPage,
  }),
  adminCertificates: async () => ({
    Component: (await import('./features/certificates/certificates-page.tsx')).CertificatesPage,
  }),
  adminSearch: async () => ({
    Component: (await import('./features/searches/searches-page.tsx')).SearchesPage,
  }),
  adminPayments: async () => ({
    Component: (await import('./features/payments/admin-payments-page.tsx')).AdminPaymentsPage,
  }),
  adminSecurity: async () => ({
    Component: (await import('./features/users/second-factor/sign-in-security-page.tsx'))
      .SignInSecurityPage,
  }),
  adminMessages: async () => ({
    Component: (await import('./features/messages/messages-page.tsx')).MessagesPage,
  }),
  adminComplaints: async () => ({
    Component: (await import('./features/complaints/admin-complaints-page.tsx'))
      .AdminComplaintsPage,
  }),
  adminReading: async () => ({
    Component: (await import('./features/users/admin/reading-page.tsx')).ReadingPage,
  }),
  adminAudit: async () => ({
    Component: (await import('./features/users/admin/audit-page.tsx')).AuditPage,
  }),
  register,
  myRequests,
  companyRequests: myRequests,
  newRequests: staffRequests,
  processingRequests: staffRequests,
  allRequests: staffRequests,
} satisfies Record<Exclude<ShownPageName, EntryPageName>, PageLoader>;
