import { login, logout, refreshToken } from '@diwan/contract/users';
import type { House } from '../../platform/house.ts';
import { serve } from '../../platform/serve.ts';
import { openSignIn } from './users.actions.ts';

// A token lives minutes and a whole office may share one address, so this is far above what people need and far below what guessing needs.
const refreshesPerMinute = 1200;

/** Sign-in, token refresh and sign-out. */
export function serveUsers(house: House): void {
  const signIn = openSignIn(house);

  serve(house, login, async ({ body }) => ({ token: await (await signIn)(body.username, body.password) }), { perMinute: house.config.LOGIN_ATTEMPTS_PER_MINUTE });

  serve(house, refreshToken, ({ body }) => house.sessions.refresh(body.token), { perMinute: refreshesPerMinute });

  serve(house, logout, async ({ request }) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) return { ended: false };
    // An expired token ends its session too: whoever signs out late means it.
    await house.sessions.end(token);
    return { ended: true };
  });
}
