import type { FastifyRequest } from 'fastify';

/**
 * A cookie of the browser that only the server reads. `path` is where it is sent; `seconds` is how
 * long the browser keeps it.
 */
export interface OwnCookie {
  name: string;
  path: string;
  seconds: number;
}

// A name with this prefix is taken by browsers from the host itself only, never from a neighbour
// below the same domain; it needs https and path=/.
const nameOf = (cookie: OwnCookie, isSecure: boolean): string =>
  isSecure && cookie.path === '/' ? `__Host-${cookie.name}` : cookie.name;

/** What a browser sent under this cookie's name, if anything. */
export function readCookie(
  request: FastifyRequest,
  cookie: OwnCookie,
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
 * The header `set-cookie`: out of reach of scripts, not sent by other sites' forms and fetches, on
 * https only where the portal is.
 */
export function writeCookie(cookie: OwnCookie, value: string, isSecure: boolean): string {
  return `${nameOf(cookie, isSecure)}=${value}; Path=${cookie.path}; Max-Age=${cookie.seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
