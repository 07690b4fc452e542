import { hasRole, useSession, type Session } from '../api/session.ts';

/**
 * Where links to "home" lead. The home page ends the session (specification §2), so links lead
 * signed-in users to their requests, or to what they have to do above the services for their account
 * type. Decision 0038.
 */
export function homeAddressOf(session: Session | null): string {
  if (session === null) return '/home';
  if (hasRole(session, 'Admin', 'Employee', 'ServiceProvider')) return '/requests/new';
  return `/home/services/${hasRole(session, 'CompanyUser') ? 'companies' : 'individuals'}`;
}

export const useHomeAddress = (): string => homeAddressOf(useSession());
