import { hasRole, type Session } from '../lib/session.ts';

export interface NavigationItem {
  /** Its word is `navigation.<name>`. */
  name: 'home' | 'services' | 'inquiry' | 'myRequests' | 'newRequests' | 'processingRequests' | 'allRequests';
  to: string;
  count?: 'new' | 'processing';
}

const forEveryone: NavigationItem[] = [
  { name: 'home', to: '/home' },
  { name: 'services', to: '/services' },
  { name: 'inquiry', to: '/requests/inquiry' },
];

const forStaff: NavigationItem[] = [
  { name: 'newRequests', to: '/requests/new', count: 'new' },
  { name: 'processingRequests', to: '/requests/processing', count: 'processing' },
  { name: 'allRequests', to: '/requests/all' },
];

export function isStaff(session: Session | null): boolean {
  return hasRole(session, 'Admin', 'Employee', 'ServiceProvider');
}

/** Who sees which link. Source: specification §6. */
export function navigationFor(session: Session | null): NavigationItem[] {
  if (isStaff(session)) return [...forEveryone, ...forStaff];
  if (hasRole(session, 'CompanyUser')) return [...forEveryone, { name: 'myRequests', to: '/companies/my-requests/new' }];
  if (session) return [...forEveryone, { name: 'myRequests', to: '/requests' }];
  return forEveryone;
}
