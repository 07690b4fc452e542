import type { Role } from '../wire/call.ts';
import type { PageName } from './page-list.ts';

/** The page on which a role begins; of several roles of a user the first of `roles` decides. */
export const homes = {
  Admin: 'adminDashboard',
  Employee: 'newRequests',
  Finance: 'adminPayments',
  Content: 'adminServices',
  Auditor: 'adminDashboard',
  AgencyAdmin: 'adminDashboard',
  ServiceProvider: 'supervisorDashboard',
  CompanyUser: 'companies',
  Client: 'individuals',
} as const satisfies Record<Role, PageName>;
