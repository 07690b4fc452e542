import type { Session } from '../../lib/api/session.ts';
import type { NavigationItem } from './navigation-items.ts';
import { sees, type ShellElement } from './visibility.ts';

interface OwnItem extends NavigationItem {
  element: ShellElement;
}

const work: readonly OwnItem[] = [
  { name: 'dashboard', element: 'adminDashboard', to: '/dashboard-Admin' },
  { name: 'dashboard', element: 'supervisorDashboard', to: '/dashboard-supervisor' },
  { name: 'dashboard', element: 'companyDashboard', to: '/dash-board', isFullLoad: true },
  { name: 'newRequests', element: 'requestLists', to: '/requests/new', count: 'new' },
  {
    name: 'processingRequests',
    element: 'requestLists',
    to: '/requests/processing',
    count: 'processing',
  },
  { name: 'allRequests', element: 'requestLists', to: '/requests/all' },
  { name: 'counter', element: 'counter', to: '/requests/counter' },
  { name: 'companyRequests', element: 'companyRequests', to: '/companies/my-requests/new' },
  { name: 'companyUsers', element: 'companyUsers', to: '/companies/users' },
  { name: 'myRequests', element: 'clientRequests', to: '/requests' },
  { name: 'partnerProfile', element: 'partnerProfile', to: '/partner/profile' },
  { name: 'reports', element: 'reports', to: '/reports' },
];

const management: readonly OwnItem[] = [
  { name: 'users', element: 'users', to: '/dashboard/users' },
  { name: 'partners', element: 'partners', to: '/dashboard/partners' },
  { name: 'companies', element: 'companies', to: '/dashboard/companies' },
  { name: 'serviceProviders', element: 'serviceProviders', to: '/dashboard/service-providers' },
  { name: 'serviceCatalogue', element: 'services', to: '/dashboard/services' },
  { name: 'categories', element: 'categories', to: '/dashboard/serviceCategories' },
  { name: 'attachments', element: 'attachments', to: '/dashboard/attachments' },
  { name: 'rejectionReasons', element: 'rejectionReasons', to: '/dashboard/rejectionReasons' },
  { name: 'workflow', element: 'workflow', to: '/dashboard/workflow' },
  { name: 'security', element: 'security', to: '/dashboard/security' },
  { name: 'messages', element: 'messages', to: '/dashboard/messages' },
  { name: 'audit', element: 'audit', to: '/dashboard/audit' },
];

/**
 * The links of somebody who is signed in: what they do, and what they look after. Source:
 * specification §6.
 */
export function navigationFor(session: Session | null): {
  work: readonly NavigationItem[];
  management: readonly NavigationItem[];
} {
  const shown = (items: readonly OwnItem[]) =>
    items.filter(({ element }) => sees(session, element));
  return { work: shown(work), management: shown(management) };
}
