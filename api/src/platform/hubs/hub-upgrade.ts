import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The token of an upgrade: browsers can only put it into the address, others send the header. It is
 * never logged.
 */
export function tokenOf(request: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme === 'Bearer' && token) return token;
  return (
    new URL(request.url ?? '/', 'http://localhost').searchParams.get('access_token') ?? undefined
  );
}

/** The path of an address; `undefined` for one that cannot be read. */
export function pathOf(url: string | undefined): string | undefined {
  return URL.canParse(url ?? '', 'http://localhost')
    ? new URL(url ?? '', 'http://localhost').pathname
    : undefined;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Browsers say which site a page is of. Sites that this product does not know are refused; programs
 * say nothing and have no cookies that could be misused.
 */
export function isOriginAllowed(
  { origin, host }: IncomingMessage['headers'],
  allowed: readonly string[],
): boolean {
  return (
    origin === undefined ||
    allowed.includes(origin) ||
    (host !== undefined && hostOf(origin) === host)
  );
}

/** Answers an upgrade that does not come about. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  socket.once('finish', () => socket.destroy());
}

/**
 * Some HTTP clients offer another protocol (`h2c`) with an ordinary request, and a server that
 * knows upgrades is then given the bare connection:
 * it goes back to HTTP with what was read so far, without the offer.
 */
export function declineUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { rawHeaders, method, url } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!/^(upgrade|connection|http2-settings)$/i.test(rawHeaders[at] ?? ''))
      lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
