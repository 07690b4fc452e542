import {
  beginUAEPass,
  checkUAEPassEnabled,
  uaePassIntegration,
} from '@diwan/contract/people/users';
import { readCookie, writeCookie } from '../../../platform/core/cookies.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import type { IdentityProvider } from '../../../platform/integrations/identity-provider.ts';
import { serve } from '../../../platform/http/serve.ts';
import { browserCookie } from './identity-cookie.ts';
import { beginAtProvider, completeAtProvider, newSecret } from './uae-pass.actions.ts';

// States and codes cannot be guessed, so these only keep floods away; a whole town may come from
// one address of a mobile network.
const callsPerMinute = 600;

/** UAE PASS: whether it is there, the way out, and the way back. */
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
      // Two tabs of one browser begin two sign-ins; each of them may end.
      const known = readCookie(request, browserCookie, isSecure);
      const browser = known && /^[\w-]{43}$/.test(known) ? known : newSecret();
      const address = await beginAtProvider(identities, browser, query.ui_locales);
      return reply
        .header('set-cookie', writeCookie(browserCookie, browser, isSecure))
        .redirect(address, 302);
    },
    { perMinute: callsPerMinute },
  );

  serve(
    context,
    uaePassIntegration,
    async ({ query, request, reply }) => {
      const browser = readCookie(request, browserCookie, isSecure);
      // Whoever is asked for a password now has as long again.
      if (browser && /^[\w-]{43}$/.test(browser))
        reply.header('set-cookie', writeCookie(browserCookie, browser, isSecure));
      return {
        token: await completeAtProvider(identities, {
          ...query,
          browser,
          address: request.ip,
          agent: request.headers['user-agent'],
        }),
      };
    },
    { perMinute: callsPerMinute },
  );
}
