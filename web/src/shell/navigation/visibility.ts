import type { Session } from '#lib/api/session.ts';
import type { Role } from '@diwan/contract/wire/call';
import type { NavigationItem } from './navigation-items.ts';

type Kind = Role | 'Anonymous' | 'UAEPass';

interface Audience {
  /** Users of any of these kinds see the element … */
  for: readonly Kind[];
  /** … unless they are of one of these kinds too. */
  butNot?: readonly Kind[];
}

const everyRole: readonly Kind[] = [
  'Admin',
  'Employee',
  'ServiceProvider',
  'CompanyUser',
  'Client',
];

/**
 * Which users see which elements of the shell. Source: specification §6; elements marked `ours` are
 * not in its list.
 */
export const visibility = {
  login: { for: ['Anonymous'] },
  bell: { for: ['Employee', 'ServiceProvider'], butNot: ['Admin'] },
  /** Ours. */
  palette: { for: ['Admin', 'Employee', 'ServiceProvider'] },
  adminDashboard: { for: ['Admin'] },
  supervisorDashboard: { for: ['ServiceProvider'], butNot: ['Admin'] },
  companyDashboard: { for: ['CompanyUser'], butNot: ['Admin', 'ServiceProvider'] },
  requestLists: { for: ['Employee', 'Admin'] },
  /** Ours. */
  providerRequests: { for: ['ServiceProvider'], butNot: ['Employee', 'Admin'] },
  /** Ours. */
  savedTexts: { for: ['Employee', 'ServiceProvider', 'Admin'] },
  /** Ours. */
  counter: { for: ['Employee'] },
  partnerProfile: { for: ['ServiceProvider'] },
  users: { for: ['Admin'] },
  partners: { for: ['Admin'] },
  companies: { for: ['Admin'] },
  services: { for: ['Admin'] },
  attachments: { for: ['Admin'] },
  serviceProviders: { for: ['Admin'] },
  agencies: { for: ['Admin'] },
  categories: { for: ['Admin'] },
  rejectionReasons: { for: ['Admin'] },
  reports: { for: ['Admin', 'ServiceProvider'] },
  companyRequests: { for: ['CompanyUser'] },
  /** Ours. */
  companyUsers: { for: ['CompanyUser'] },
  changePassword: { for: ['Employee', 'CompanyUser'], butNot: ['UAEPass'] },
  /** Ours. */
  workflow: { for: ['Admin'] },
  /** Ours. */
  texts: { for: ['Admin'] },
  /** Ours. */
  announcements: { for: ['Admin'] },
  payments: { for: ['Admin'] },
  /** Ours. */
  certificates: { for: ['Admin'] },
  /** Ours. */
  search: { for: ['Admin'] },
  security: { for: ['Admin'] },
  /** Ours. */
  messages: { for: ['Admin'] },
  /** Ours. */
  audit: { for: ['Admin'] },
  changes: { for: ['Admin'] },
  /** Ours. */
  clientRequests: { for: ['Client'] },
  /** Ours. Users without `changePassword` change their password there. */
  profile: { for: everyRole },
  /** Ours: for those without the bell. */
  notifications: { for: ['Client', 'CompanyUser', 'Admin'] },
  /** Ours. */
  logout: { for: everyRole },
} as const satisfies Record<string, Audience>;
export type ShellElement = keyof typeof visibility;

// Other links would only redirect to the page that explains the restriction. Specification §4.
const openToRestricted: readonly ShellElement[] = ['partnerProfile', 'logout'];

// Elements that an employee does not see while they act for an applicant. Decision 0028.
const closedWhileActing: readonly ShellElement[] = [
  'palette',
  'notifications',
  'profile',
  'savedTexts',
  'changePassword',
  'companyDashboard',
  'companyUsers',
];

function kindsOf(session: Session | null): readonly Kind[] {
  if (session === null) return ['Anonymous'];
  return session.isUAEPass ? [...session.roles, 'UAEPass'] : session.roles;
}

/** Whether the user of this session sees an element. */
export function canSee(session: Session | null, element: ShellElement): boolean {
  const kinds = kindsOf(session);
  const audience: Audience = visibility[element];
  if (session?.restriction && !openToRestricted.includes(element)) return false;
  if (session?.act && closedWhileActing.includes(element)) return false;
  return (
    audience.for.some((kind) => kinds.includes(kind)) &&
    !audience.butNot?.some((kind) => kinds.includes(kind))
  );
}

interface RestrictedItem extends NavigationItem {
  element: ShellElement;
}

const work: readonly RestrictedItem[] = [
  { name: 'dashboard', element: 'adminDashboard', to: '/dashboard-Admin' },
  { name: 'dashboard', element: 'supervisorDashboard', to: '/dashboard-supervisor' },
  { name: 'dashboard', element: 'companyDashboard', to: '/dash-board', isFullLoad: true },
  { name: 'newRequests', element: 'providerRequests', to: '/requests/new', count: 'new' },
  {
    name: 'processingRequests',
    element: 'providerRequests',
    to: '/requests/processing',
    count: 'processing',
  },
  { name: 'allRequests', element: 'providerRequests', to: '/requests/all' },
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

const management: readonly RestrictedItem[] = [
  { name: 'users', element: 'users', to: '/dashboard/users' },
  { name: 'partners', element: 'partners', to: '/dashboard/partners' },
  { name: 'companies', element: 'companies', to: '/dashboard/companies' },
  { name: 'serviceProviders', element: 'serviceProviders', to: '/dashboard/service-providers' },
  { name: 'serviceCatalogue', element: 'services', to: '/dashboard/services' },
  { name: 'agencies', element: 'agencies', to: '/dashboard/agencies' },
  { name: 'categories', element: 'categories', to: '/dashboard/serviceCategories' },
  { name: 'attachments', element: 'attachments', to: '/dashboard/attachments' },
  { name: 'rejectionReasons', element: 'rejectionReasons', to: '/dashboard/rejectionReasons' },
  { name: 'workflow', element: 'workflow', to: '/dashboard/workflow' },
  { name: 'texts', element: 'texts', to: '/dashboard/texts' },
  { name: 'announcements', element: 'announcements', to: '/dashboard/announcements' },
  { name: 'certificates', element: 'certificates', to: '/dashboard/certificates' },
  { name: 'search', element: 'search', to: '/dashboard/search' },
  { name: 'payments', element: 'payments', to: '/dashboard/payments' },
  { name: 'security', element: 'security', to: '/dashboard/security' },
  { name: 'messages', element: 'messages', to: '/dashboard/messages' },
  { name: 'audit', element: 'audit', to: '/dashboard/audit' },
  { name: 'changes', element: 'changes', to: '/dashboard/changes' },
];

/** The links of a signed-in user: their work, and what they manage. Source: specification §6. */
export function navigationFor(session: Session | null): {
  work: readonly NavigationItem[];
  management: readonly NavigationItem[];
} {
  const shown = (items: readonly RestrictedItem[]) =>
    items.filter(({ element }) => canSee(session, element));
  return { work: shown(work), management: shown(management) };
}
