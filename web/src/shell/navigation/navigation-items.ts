import { hasRole, type Session } from '#lib/api/session.ts';

/** A link; its text is `navigation.<name>`. */
export interface NavigationItem {
  name: string;
  to: string;
  /** The server renders this page, so the link loads the whole page. Source: specification §2. */
  isFullLoad?: boolean;
  /** The list whose number of requests the link shows. */
  count?: 'new' | 'processing';
}

const publicItems: readonly NavigationItem[] = [
  { name: 'home', to: '/home' },
  { name: 'services', to: '/services' },
  { name: 'inquiry', to: '/requests/inquiry' },
];

/** The links for everybody. The home page ends the session, so signed-in users get no link to it. */
export const publicItemsFor = (session: Session | null): readonly NavigationItem[] =>
  session === null ? publicItems : publicItems.filter(({ name }) => name !== 'home');

export function isStaff(session: Session | null): boolean {
  return hasRole(session, 'Admin', 'Employee', 'ServiceProvider');
}
