import { hasRole, useSession, type Session } from '../api/session.ts';

let visitorHome = '/home';

/** For a page that the server renders before it knows who is signed in. */
export const setVisitorHome = (address: string): void => void (visitorHome = address);

/**
 * Where links to "home" lead. The home page ends the session (specification §2), so links lead
 * employees to the new requests, administrators and supervisors to what waits for them, and others
 * to what they have to do above the services for their account type. Decision 0038.
 */
export function homeAddressOf(session: Session | null): string {
  if (session === null) return visitorHome;
  if (hasRole(session, 'Admin')) return '/dashboard-Admin';
  if (hasRole(session, 'Employee')) return '/requests/new';
  if (hasRole(session, 'ServiceProvider')) return '/dashboard-supervisor';
  return `/home/services/${hasRole(session, 'CompanyUser') ? 'companies' : 'individuals'}`;
}

export const useHomeAddress = (): string => homeAddressOf(useSession());
