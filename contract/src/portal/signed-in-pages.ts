import {
  applicants,
  moneyReaders,
  requestReaders,
  requestReadersAndProviders,
  signedIn,
  staff,
  staffAndProviders,
  type Role,
} from '../wire/call.ts';
import { definePages } from './define-pages.ts';

const provider: readonly Role[] = ['ServiceProvider'];
const companyUser: readonly Role[] = ['CompanyUser'];
/** Finance looks requests up, and works through no list. */
const listReaders: readonly Role[] = [...staff, 'Auditor'];

/** The pages of people who are signed in; a part of `pages`. */
export const signedInPages = definePages({
  supervisorDashboard: {
    path: '/dashboard-supervisor',
    who: provider,
    menu: { in: 'work', text: 'dashboard', butNot: ['Admin'] },
  },
  companyDashboard: {
    path: '/dash-board',
    who: companyUser,
    isFullLoad: true,
    heading: 'dashboards:company.title',
    menu: {
      in: 'work',
      text: 'dashboard',
      butNot: ['Admin', 'ServiceProvider'],
      isHiddenWhileActing: true,
    },
  },
  // Supervisors reach the lists by the bell and their dashboard (specification §6).
  newRequests: {
    path: '/requests/new',
    who: requestReadersAndProviders,
    heading: 'requests:staff.newTitle',
    menu: { in: 'work', for: listReaders, count: 'new' },
  },
  processingRequests: {
    path: '/requests/processing',
    who: requestReadersAndProviders,
    heading: 'requests:staff.processingTitle',
    menu: { in: 'work', for: listReaders, count: 'processing' },
  },
  allRequests: {
    path: '/requests/all',
    who: requestReadersAndProviders,
    heading: 'requests:staff.allTitle',
    menu: { in: 'work', for: requestReaders },
  },
  counter: { path: '/requests/counter', who: staff, menu: { in: 'work', for: ['Employee'] } },
  // Its list of requests leads there, for those who have the right.
  urgentReading: { path: '/requests/urgent', who: ['Employee'] },
  companiesRoot: { path: '/companies', who: companyUser, redirectTo: 'companyRequests' },
  companyRequests: {
    path: '/companies/my-requests/new',
    who: companyUser,
    heading: 'requests:mine.companyTitle',
    menu: { in: 'work' },
  },
  companyUsers: {
    path: '/companies/users',
    who: companyUser,
    heading: 'companies:title',
    menu: { in: 'work', isHiddenWhileActing: true },
  },
  myRequests: {
    path: '/requests',
    who: signedIn,
    heading: 'requests:mine.title',
    menu: { in: 'work', for: ['Client'] },
  },
  myCertificates: { path: '/certificates', who: applicants, menu: { in: 'account' } },
  issuedCertificates: { path: '/requests/certificates', who: listReaders, menu: { in: 'account' } },
  requestDetails: { path: '/requests/request-details', who: signedIn },
  partner: { path: '/partner', who: provider, redirectTo: 'partnerProfile' },
  partnerProfile: {
    path: '/partner/profile',
    who: provider,
    explains: ['inactive', 'suspended'],
    menu: { in: 'work' },
  },
  reports: {
    path: '/reports',
    who: [...moneyReaders, 'AgencyAdmin', 'ServiceProvider'],
    menu: { in: 'work' },
  },

  profile: {
    path: '/account/profile',
    who: signedIn,
    heading: 'users:profile.title',
    menu: { in: 'account', isHiddenWhileActing: true },
  },
  // For those without the bell.
  notifications: {
    path: '/account/notifications',
    who: signedIn,
    heading: 'notifications:title',
    menu: { in: 'account', for: [...applicants, 'Admin'], isHiddenWhileActing: true },
  },
  savedTexts: {
    path: '/requests/saved-texts',
    who: staffAndProviders,
    heading: 'snippets:title',
    menu: { in: 'account', isHiddenWhileActing: true },
  },
  secondFactor: { path: '/account/second-factor', who: signedIn, explains: ['secondFactor'] },
});
