import { recall } from '../../../lib/browser/browser-memory.ts';
import { explanationOf } from '../../../lib/api/restriction.ts';
import { currentSession, hasRole, takeReturnUrl } from '../../../lib/api/session.ts';
import { accountTypeOf } from './identity-check.ts';

/** After a sign-in: back to where the person wanted to go, or on with what they are here for. */
export function nextAddress(otherwise: string): string {
  const restriction = currentSession()?.restriction;
  if (restriction) return explanationOf[restriction];
  const kept = takeReturnUrl();
  if (kept !== null) return kept;
  if (hasRole(currentSession(), 'Admin', 'Employee', 'ServiceProvider')) return '/requests/new';
  const slug = accountTypeOf(recall('session', 'accountType') ?? undefined);
  return slug ? `/home/services/${slug}` : otherwise;
}
