import { homes } from '@diwan/contract/portal/homes';
import { pages } from '@diwan/contract/portal/pages';
import { roles } from '@diwan/contract/wire/call';
import { hasRole, useSession, type Session } from '../api/session.ts';

/**
 * Where links to "home" lead. The home page ends the session (specification §2), so links lead
 * staff to what waits for them, by the first of their roles, and others to what they have to do above
 * the services for their account type. Decision 0038.
 */
export function homeAddressOf(session: Session | null): string {
  if (session === null) return pages.home.path;
  const role = roles.find((one) => hasRole(session, one)) ?? 'Client';
  return pages[homes[role]].path;
}

export const useHomeAddress = (): string => homeAddressOf(useSession());
