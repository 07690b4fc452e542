import { hasRole, type Session } from '../../lib/api/session.ts';

/** A link whose word is `navigation.<name>`. */
export interface NavigationItem {
  name: string;
  to: string;
  /**
   * The server answers this address, so going there loads the whole page. Source: specification §2.
   */
  isFullLoad?: boolean;
  count?: 'new' | 'processing';
}

export const forEveryone: readonly NavigationItem[] = [
  { name: 'home', to: '/home' },
  { name: 'services', to: '/services' },
  { name: 'inquiry', to: '/requests/inquiry' },
];

export function isStaff(session: Session | null): boolean {
  return hasRole(session, 'Admin', 'Employee', 'ServiceProvider');
}
