import { useSyncExternalStore } from 'react';
import { roles, type Role } from '@diwan/contract/call';
import type { SessionClaims } from '@diwan/contract/users';

export interface Session extends Omit<SessionClaims, 'role'> {
  token: string;
  roles: readonly Role[];
}

const tokenKey = 'token';
const returnUrlKey = 'returnUrl';
const listeners = new Set<() => void>();
let cached: { token: string | null; session: Session | null } = { token: null, session: null };

export function readToken(): string | null {
  return window.sessionStorage.getItem(tokenKey);
}

/** What the product itself relies on; the server judges every token anyway. Schemas do not run here: decision 0008. */
function areClaims(value: unknown): value is SessionClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { ssid, displayName, fullName, isServiceProvider, exp, role } = value as Record<string, unknown>;
  const isRole = (one: unknown) => roles.some((known) => known === one);
  return [ssid, displayName, fullName].every((text) => typeof text === 'string') && typeof isServiceProvider === 'boolean' && Number.isInteger(exp)
    && (role === undefined || (Array.isArray(role) ? role.every(isRole) : isRole(role)));
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
  if (token !== cached.token) cached = { token, session: token === null ? null : decodeToken(token) };
  return cached.session;
}

/** A few seconds early, so that a token does not expire on its way. */
export function isExpired(session: Session): boolean {
  return session.exp * 1000 <= Date.now() + 5000;
}

export function storeToken(token: string | null): void {
  if (token === null) window.sessionStorage.removeItem(tokenKey);
  else window.sessionStorage.setItem(tokenKey, token);
  for (const listener of listeners) listener();
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
  if (url.startsWith('/') && !url.startsWith('//')) window.sessionStorage.setItem(returnUrlKey, url);
}

export function takeReturnUrl(): string | null {
  const url = window.sessionStorage.getItem(returnUrlKey);
  window.sessionStorage.removeItem(returnUrlKey);
  return url;
}
