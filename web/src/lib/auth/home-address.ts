import { hasRole, useSession, type Session } from '../api/session.ts';

/**
 * Where links to "home" lead. The home page ends the session (specification §2), so links lead
 * employees to the new requests, administrators and supervisors to what waits for them, and others
 * to what they have to do above the services for their account type. Decision 0038.
 */
export function homeAddressOf(session: Session | null): string {
  if (session === null) return '/home';
  if (hasRole(session, 'Admin')) return '/dashboard-Admin';
  if (hasRole(session, 'Employee')) return '/requests/new';
  if (hasRole(session, 'ServiceProvider')) return '/dashboard-supervisor';
  return `/home/services/${hasRole(session, 'CompanyUser') ? 'companies' : 'individuals'}`;
}

export const useHomeAddress = (): string => homeAddressOf(useSession());
