import { useSyncExternalStore } from 'react';
import { restrictions, roles, type Role } from '@diwan/contract/wire/call';
import type { SessionClaims } from '@diwan/contract/people/users';
import { forget, recall, remember } from '../browser/browser-memory.ts';
import { isInside } from '../browser/navigation.ts';

export interface Session extends Omit<SessionClaims, 'role'> {
  token: string;
  roles: readonly Role[];
}

const tokenKey = 'token';
/** Set by a sign-in with UAE PASS; leaves with the token. Source: specification §3, §4. */
export const identityFlagKey = 'isUAEPass';
const returnUrlKey = 'returnUrl';
const listeners = new Set<() => void>();
let cached: { token: string | null; session: Session | null } = { token: null, session: null };

export function readToken(): string | null {
  return recall('session', tokenKey);
}

/**
 * What the product itself relies on; the server judges every token anyway. Schemas do not run here:
 * decision 0008.
 */
function areClaims(value: unknown): value is SessionClaims {
  if (typeof value !== 'object' || value === null) return false;
  const {
    ssid,
    displayName,
    fullName,
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
    [ssid, displayName, fullName, phoneNumber, email].every((text) => typeof text === 'string') &&
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
    return areClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

/** A malformed token is no session. */
export function decodeToken(token: string): Session | null {
  const claims = claimsOf(token);
  if (!claims) return null;
  const { role, ...rest } = claims;
  const roles = role === undefined ? [] : Array.isArray(role) ? role : [role];
  return { ...rest, token, roles: roles.length > 0 ? roles : ['Client'] };
}

/** The session in force, its token expired or not. */
export function currentSession(): Session | null {
  const token = readToken();
  if (token !== cached.token)
    cached = { token, session: token === null ? null : decodeToken(token) };
  return cached.session;
}

/** A few seconds early, so that a token does not expire on its way. */
export function isExpired(session: Session): boolean {
  return session.exp * 1000 <= Date.now() + 5000;
}

export function storeToken(token: string | null): void {
  if (token === null) for (const key of [tokenKey, identityFlagKey]) forget('session', key);
  else remember('session', tokenKey, token);
  for (const listener of listeners) listener();
}

/** Where the token of an employee waits who acts for somebody. */
const ownTokenKey = 'ownToken';

/** Goes on in the name of somebody else; the own session waits. Decision 0028. */
export function actAs(token: string): void {
  remember('session', ownTokenKey, readToken() ?? '');
  storeToken(token);
}

/** Whether an own session waits behind that of somebody else. */
export const hasOwnWaiting = (): boolean => Boolean(recall('session', ownTokenKey));

/** Takes the token of the own session that waits; null without one. */
export function takeOwnToken(): string | null {
  const token = recall('session', ownTokenKey);
  forget('session', ownTokenKey);
  return token || null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession);
}

export function hasRole(session: Session | null, ...roles: Role[]): boolean {
  return session !== null && roles.some((role) => session.roles.includes(role));
}

/** Where to go after signing in; only addresses of this site are kept. */
export function keepReturnUrl(url: string): void {
  if (isInside(url)) remember('session', returnUrlKey, url);
}

/** Judged again: whatever else wrote it there must not lead out of this site. */
export function takeReturnUrl(): string | null {
  const url = recall('session', returnUrlKey);
  forget('session', returnUrlKey);
  return url !== null && isInside(url) ? url : null;
}
