import { readCookie, writeCookie } from '#platform/core/cookies.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import type { IdentityProvider } from '#platform/integrations/identity-provider.ts';
import {
  beginUAEPass,
  checkUAEPassEnabled,
  uaePassIntegration,
} from '@diwan/contract/people/users';
import { identityCookie } from './uae-pass.actions.ts';
import { beginUAEPassSignIn, completeUAEPassSignIn, newSecret } from './uae-pass.actions.ts';

// Only limits floods: states and codes cannot be guessed, and many users of a mobile network share
// one address.
const callsPerMinute = 600;

/** Routes of UAE PASS: availability, start and return of a sign-in. */
export function serveUAEPass(context: AppContext, provider: IdentityProvider | undefined): void {
  const isSecure = context.publicUrl.startsWith('https:');
  const identities = {
    ...context,
    provider,
    warn: (message: string) => context.server.log.warn(message),
  };

  serve(context, checkUAEPassEnabled, () => ({ isEnabled: provider !== undefined }));

  serve(
    context,
    beginUAEPass,
    async ({ query, request, reply }) => {
      // Two tabs of one browser can each complete their sign-in.
      const known = readCookie(request, identityCookie, isSecure);
      const browser = known && /^[\w-]{43}$/.test(known) ? known : newSecret();
      const address = await beginUAEPassSignIn(identities, browser, query.ui_locales);
      return reply
        .header('set-cookie', writeCookie(identityCookie, browser, isSecure))
        .redirect(address, 302);
    },
    { perMinute: callsPerMinute, perPerson: false },
  );

  serve(
    context,
    uaePassIntegration,
    async ({ query, request, reply }) => {
      const browser = readCookie(request, identityCookie, isSecure);
      // The time starts again for a caller who has to enter a password.
      if (browser && /^[\w-]{43}$/.test(browser))
        reply.header('set-cookie', writeCookie(identityCookie, browser, isSecure));
      return {
        token: await completeUAEPassSignIn(identities, {
          ...query,
          browser,
          address: request.ip,
          agent: request.headers['user-agent'],
        }),
      };
    },
    { perMinute: callsPerMinute, failures: {}, waitsElsewhere: true },
  );
}
