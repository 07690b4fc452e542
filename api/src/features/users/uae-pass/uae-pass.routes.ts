import {
  beginUAEPass,
  checkUAEPassEnabled,
  uaePassIntegration,
} from '@diwan/contract/people/users';
import { readCookie, writeCookie } from '../../../platform/core/cookies.ts';
import type { House } from '../../../platform/http/house.ts';
import type { IdentityProvider } from '../../../platform/integrations/identity-provider.ts';
import { serve } from '../../../platform/http/serve.ts';
import { browserCookie } from './identity-cookie.ts';
import { beginAtProvider, completeAtProvider, newSecret } from './uae-pass.actions.ts';

// States and codes cannot be guessed, so these only keep floods away; a whole town may come from
// one address of a mobile network.
const callsPerMinute = 600;

/** UAE PASS: whether it is there, the way out, and the way back. */
export function serveUAEPass(house: House, provider: IdentityProvider | undefined): void {
  const isSecure = house.publicUrl.startsWith('https:');
  const identities = {
    ...house,
    provider,
    warn: (message: string) => house.server.log.warn(message),
  };

  serve(house, checkUAEPassEnabled, () => ({ isEnabled: provider !== undefined }));

  serve(
    house,
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
    house,
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
