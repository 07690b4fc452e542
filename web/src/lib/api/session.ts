import type { SessionClaims } from '@diwan/contract/people/users';
import { restrictions, roles, type Call, type Role } from '@diwan/contract/wire/call';
import { createStore, useStore } from '../browser/create-store.ts';
import { isOwnAddress } from '../browser/navigation.ts';
import { noteServerTime, serverNow } from '../browser/server-time.ts';
import { removeItem, loadItem, storeCookie, storeItem } from '../browser/storage.ts';

export interface Session extends Omit<SessionClaims, 'role'> {
  token: string;
  roles: readonly Role[];
}

export const tokenKey = 'token';
/** Set by a sign-in with UAE PASS, removed with the token. Source: specification §3, §4. */
export const identityFlagKey = 'isUAEPass';
const returnUrlKey = 'returnUrl';
const selectedServiceKey = 'selectedServiceId';
/** Calls the components after each change. The storage of the browser is the source. */
const tokenStore = createStore<string | null>(null);
let cached: { token: string | null; session: Session | null } = { token: null, session: null };

export function readToken(): string | null {
  return loadItem('session', tokenKey);
}

/**
 * Checks the claims that the portal uses; the server verifies every token. No schema runs in the
 * browser: decision 0032.
 */
function isSessionClaims(value: unknown): value is SessionClaims {
  if (typeof value !== 'object' || value === null) return false;
  const {
    ssid,
    displayName,
    fullName,
    fullNameAr = '',
    isServiceProvider,
    exp,
    role,
    phoneNumber = '',
    email = '',
    partnerId = 0,
    companyId = 0,
    restriction,
  } = value as Record<string, unknown>;
  const isRole = (one: unknown) => roles.some((known) => known === one);
  return (
    [ssid, displayName, fullName, fullNameAr, phoneNumber, email].every(
      (text) => typeof text === 'string',
    ) &&
    typeof isServiceProvider === 'boolean' &&
    [exp, partnerId, companyId].every(Number.isInteger) &&
    (role === undefined || (Array.isArray(role) ? role.every(isRole) : isRole(role))) &&
    (restriction === undefined || restrictions.some((known) => known === restriction))
  );
}

function claimsOf(token: string): SessionClaims | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isSessionClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

/** The session of a token; null for a malformed token. */
export function decodeToken(token: string): Session | null {
  const claims = claimsOf(token);
  if (!claims) return null;
  const { role, ...rest } = claims;
  const roles = role === undefined ? [] : Array.isArray(role) ? role : [role];
  return { ...rest, token, roles: roles.length > 0 ? roles : ['Client'] };
}

/** The user's name in the script of a direction; in Latin letters where no Arabic name is known. */
export const nameOf = (
  { fullName, fullNameAr }: Pick<Session, 'fullName' | 'fullNameAr'>,
  direction: 'ltr' | 'rtl',
): string => (direction === 'rtl' && fullNameAr ? fullNameAr : fullName);

/** The stored session, even when its token has expired. */
export function currentSession(): Session | null {
  const token = readToken();
  if (token !== cached.token)
    cached = { token, session: token === null ? null : decodeToken(token) };
  return cached.session;
}

/** True a few seconds early, so that a token does not expire during a call. */
export function isExpired(session: Session): boolean {
  return session.exp * 1000 <= serverNow() + 5000;
}

/** For calls that cannot wait for a new token. */
export function unexpiredToken(): string | null {
  const session = currentSession();
  return session && !isExpired(session) ? session.token : null;
}

// The server sends the first screen of visitors to everybody else: decision 0048. Another tab of this
// browser may be signed in on its own, so the cookie is only a hint.
function storeSignedInCookie(isSignedIn: boolean): void {
  storeCookie('signed-in', '1', isSignedIn ? 'browser' : 0);
}

/**
 * Stores the token of this tab. `isNew`: it has just come from the server, so that it says what the
 * clock of the server shows.
 */
export function storeToken(token: string | null, { isNew = true } = {}): void {
  storeSignedInCookie(token !== null);
  if (token === null) for (const key of [tokenKey, identityFlagKey]) removeItem('session', key);
  else {
    storeItem('session', tokenKey, token);
    const { iat } = (isNew && (decodeToken(token) as { iat?: unknown } | null)) || {};
    if (typeof iat === 'number') noteServerTime(iat);
  }
  tokenStore.set(token);
}

/** The key of an employee's own token while they act for an applicant. */
export const ownTokenKey = 'ownToken';

/** Starts to act for an applicant and stores the employee's own token. Decision 0028. */
export function actAs(token: string): void {
  storeItem('session', ownTokenKey, readToken() ?? '');
  storeToken(token);
}

/** Whether the user acts for an applicant and has an own session. */
export const hasStoredOwnToken = (): boolean => Boolean(loadItem('session', ownTokenKey));

/** Removes and returns the token of the own session; null without one. */
export function takeOwnToken(): string | null {
  const token = loadItem('session', ownTokenKey);
  removeItem('session', ownTokenKey);
  return token || null;
}

/** Calls a listener after the user of this tab signs in or out, or the token is exchanged. */
export const onTokenChange = tokenStore.subscribe;

export function useSession(): Session | null {
  return useStore({ subscribe: tokenStore.subscribe, get: currentSession });
}

export function hasRole(session: Session | null, ...roles: Role[]): boolean {
  return session !== null && roles.some((role) => session.roles.includes(role));
}

/** Whether the user of a session may make a call. The server decides; this only says what is shown. */
export function mayCall(session: Session | null, { who }: Pick<Call, 'who'>): boolean {
  return who === 'anyone' || hasRole(session, ...who);
}

/** Whether the user may make a call, for what leads to it; what names no call is for everybody. */
export function useMayCall(call: Pick<Call, 'who'> | undefined): boolean {
  const session = useSession();
  return call === undefined || mayCall(session, call);
}

/**
 * Stores where to go after signing in, instead of a selected service; ignores addresses of other
 * sites.
 */
export function storeReturnUrl(url: string): void {
  if (!isOwnAddress(url)) return;
  storeItem('session', returnUrlKey, url);
  removeItem('session', selectedServiceKey);
}

/** Stores the service that a visitor selects before signing in. Source: specification §4. */
export function storeSelectedService(serviceId: number): void {
  storeItem('session', selectedServiceKey, String(serviceId));
}

/** The id; null when no service is selected. */
export function findSelectedService(): number | null {
  const id = Number(loadItem('session', selectedServiceKey) ?? undefined);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Removes and returns the id; null when no service is selected. */
export function takeSelectedService(): number | null {
  const id = findSelectedService();
  removeItem('session', selectedServiceKey);
  return id;
}

/** Removes and returns the address; null for another site, which other code may have stored. */
export function takeReturnUrl(): string | null {
  const url = loadItem('session', returnUrlKey);
  removeItem('session', returnUrlKey);
  return url !== null && isOwnAddress(url) ? url : null;
}
