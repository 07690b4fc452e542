import type { FastifyRequest } from 'fastify';
import type { StoredName } from '@diwan/contract/portal/browser-storage';

/**
 * A cookie that only the server reads. The browser sends it for addresses below `path` and deletes
 * it after `seconds`.
 */
export interface HttpOnlyCookie {
  name: StoredName<'cookie'>;
  path: string;
  seconds: number;
}

// Browsers accept a cookie with this prefix only from the host itself, not from another host of the
// same domain. It requires https and path=/.
const nameOf = (cookie: HttpOnlyCookie, isSecure: boolean): string =>
  isSecure && cookie.path === '/' ? `__Host-${cookie.name}` : cookie.name;

/** The value that the browser sent for this cookie, if any. `isSecure`: the portal is on https. */
export function readCookie(
  request: FastifyRequest,
  cookie: HttpOnlyCookie,
  isSecure: boolean,
): string | undefined {
  const start = `${nameOf(cookie, isSecure)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
    ?.slice(start.length);
}

/**
 * The value of the header `set-cookie`. Scripts cannot read the cookie, and other sites' forms and
 * fetches do not send it. `isSecure`: the portal is on https, and the browser sends it there only.
 */
export function writeCookie(cookie: HttpOnlyCookie, value: string, isSecure: boolean): string {
  return [
    `${nameOf(cookie, isSecure)}=${value}`,
    `Path=${cookie.path}`,
    `Max-Age=${cookie.seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
