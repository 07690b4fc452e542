import type { FastifyCorsOptions } from '@fastify/cors';
import { botCheckHeaders, tokenHeader } from './bot-check.ts';

/**
 * What a portal on one of these origins may do with the API; a page on any other origin may read
 * nothing.
 */
export function otherOrigins(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: (origin, done) =>
      done(null, origin !== undefined && origins.includes(origin) ? origin : false),
    methods: ['GET', 'HEAD', 'POST', 'PUT'],
    // What every call sends (specification §7), and what the check for programs asks and is given.
    allowedHeaders: [
      'Accept-Language',
      'Authorization',
      'Content-Type',
      'X-Content-Type-Options',
      tokenHeader,
    ],
    exposedHeaders: [
      'Content-Disposition',
      'ETag',
      'Retry-After',
      ...Object.values(botCheckHeaders),
    ],
    // The cookie that binds a sign-in by UAE PASS to the browser.
    credentials: true,
    // Chromium keeps an answer for two hours at most.
    maxAge: 7200,
  };
}
