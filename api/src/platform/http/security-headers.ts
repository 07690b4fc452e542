import type { IncomingMessage } from 'node:http';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { PortalConfiguration } from '../portal/portal-configuration.ts';

// Safari before 16 does not take 'self' for the websockets of the same host. A host that could end
// the directive is not written.
function ownSockets(host: string): string[] {
  return /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
}

const socketOf = (origin: string): string => origin.replace(/^http/, 'ws');

/**
 * Strict headers for the portal and the API: nothing from elsewhere, nothing inline. Where the
 * portal's configuration puts the API on another
 * origin, that origin alone is added, with its websockets; `botCheckOrigins` are those that the bot
 * check's script needs, `storageOrigins` those that take documents from browsers. `publicHost` is
 * the host that people see, for a proxy that does not pass it on.
 */
export function securityHeaders(
  configuration: PortalConfiguration,
  publicHost: string,
  botCheckOrigins: readonly string[] = [],
  storageOrigins: readonly string[] = [],
): FastifyHelmetOptions {
  const others = ({ headers: { host = '' } }: IncomingMessage) => [
    ...new Set([host, publicHost].flatMap((each) => configuration.originsFor(each))),
  ];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...botCheckOrigins],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:', (request) => others(request).join(' ')],
        'font-src': ["'self'"],
        'media-src': ["'self'", (request) => others(request).join(' ')],
        'connect-src': [
          "'self'",
          ...botCheckOrigins,
          ...storageOrigins,
          (request) =>
            [
              ...ownSockets(request.headers.host ?? ''),
              ...others(request).flatMap((origin) => [origin, socketOf(origin)]),
            ].join(' '),
        ],
        ...(botCheckOrigins.length > 0 ? { 'frame-src': [...botCheckOrigins] } : {}),
        'manifest-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    },
    // As frame-ancestors, for what does not read it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  };
}
