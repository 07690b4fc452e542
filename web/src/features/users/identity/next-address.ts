import { loadItem } from '../../../lib/browser/storage.ts';
import { restrictionPages } from '../../../lib/api/handle-error.ts';
import { currentSession, hasRole, takeReturnUrl } from '../../../lib/api/session.ts';
import { accountTypeOf } from './identity-check.ts';

/** The address after a sign-in: the requested page, or the start page of the user's role. */
export function nextAddress(otherwise: string): string {
  const restriction = currentSession()?.restriction;
  if (restriction) return restrictionPages[restriction];
  const returnUrl = takeReturnUrl();
  if (returnUrl !== null) return returnUrl;
  if (hasRole(currentSession(), 'Admin', 'Employee', 'ServiceProvider')) return '/requests/new';
  const slug = accountTypeOf(loadItem('session', 'accountType') ?? undefined);
  return slug ? `/home/services/${slug}` : otherwise;
}
