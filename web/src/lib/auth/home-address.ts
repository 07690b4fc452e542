import { hasRole, useSession, type Session } from '../api/session.ts';

/**
 * Where links to "home" lead. The home page ends the session (specification §2), so links lead
 * signed-in users to their requests or to the services. Decision 0038.
 */
export function homeAddressOf(session: Session | null): string {
  if (session === null) return '/home';
  return hasRole(session, 'Admin', 'Employee', 'ServiceProvider')
    ? '/requests/new'
    : '/home/services';
}

export const useHomeAddress = (): string => homeAddressOf(useSession());
