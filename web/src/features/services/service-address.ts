import { currentSession, storeReturnUrl } from '../../lib/api/session.ts';

const individuals = 1;

function serviceAddress(replacedName: string): string {
  return `/requests/Create/${encodeURIComponent(replacedName)}`;
}

/**
 * Anonymous visitors with an account type other than individuals sign in first and return to the
 * service. Source: specification §4.
 */
export function addressToChoose(
  replacedName: string,
  accountTypeId: number | undefined,
): { to: string; remember: () => void } {
  const to = serviceAddress(replacedName);
  const mustSignIn =
    currentSession() === null && accountTypeId !== undefined && accountTypeId !== individuals;
  return mustSignIn
    ? { to: '/account/login', remember: () => storeReturnUrl(to) }
    : { to, remember: () => undefined };
}
