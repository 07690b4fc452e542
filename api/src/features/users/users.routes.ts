import type { FastifyRequest } from 'fastify';
import {
  changeSupervisorLanguage,
  changeUserPassword,
  getProfile,
  login,
  logout,
  refreshToken,
} from '@diwan/contract/people/users';
import { readCookie, writeCookie } from '../../platform/core/cookies.ts';
import type { House } from '../../platform/http/house.ts';
import { ownSecret, secondFactorKeys } from '../../platform/auth/secrets.ts';
import { serve } from '../../platform/http/serve.ts';
import { changeSupervisorLanguage as keepLanguage } from './account/supervisor-language.actions.ts';
import { changePassword } from './account/change-password.actions.ts';
import { deviceCookie } from './sign-in/device-cookie.ts';
import { secondFactorVault } from './second-factor/second-factor-codes.ts';
import { serveSecondFactors } from './second-factor/second-factor.routes.ts';
import { openTryLimits, type TryLimits } from './sign-in/try-limits.ts';
import { openSignIn, readProfile, type SignIn } from './users.actions.ts';

// A token lives minutes and a whole office may share one address, so this is far above what people
// need and far below what guessing needs.
const refreshesPerMinute = 1200;

/**
 * Sign-in, token refresh, sign-out, and what people do with their own account. The reply is the
 * sign-in and its limits, for other ways that need a password.
 */
export async function serveUsers(house: House): Promise<{ signIn: SignIn; limits: TryLimits }> {
  const limits = openTryLimits(
    house.database,
    await ownSecret(house.database, 'try-limits'),
    house.config.SIGN_IN_FREE_TRIES,
  );
  const factors = {
    ...house,
    limits,
    vault: secondFactorVault(await secondFactorKeys(house.database, house.config)),
  };
  const signIn = await openSignIn(factors);
  const isSecure = house.publicUrl.startsWith('https:');
  const originOf = (request: FastifyRequest) => ({
    address: request.ip,
    agent: request.headers['user-agent'],
    device: readCookie(request, deviceCookie, isSecure),
  });
  serveSecondFactors(factors, originOf);

  serve(
    house,
    login,
    async ({ body, request, reply }) => {
      const { token, device } = await signIn(body, originOf(request));
      reply.header('set-cookie', writeCookie(deviceCookie, device, isSecure));
      return { token };
    },
    { perMinute: house.config.LOGIN_ATTEMPTS_PER_MINUTE },
  );

  serve(
    house,
    refreshToken,
    ({ body, request }) => house.sessions.refresh(body.token, request.ip),
    { perMinute: refreshesPerMinute },
  );

  serve(house, logout, async ({ request }) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) return { ended: false };
    // An expired token ends its session too: whoever signs out late means it.
    await house.sessions.end(token, request.ip);
    return { ended: true };
  });

  serve(
    house,
    changeUserPassword,
    async ({ caller, body, language, request }) => {
      await changePassword(house, limits, caller, body, { address: request.ip, language });
      return { changed: true };
    },
    { perMinute: house.config.LOGIN_ATTEMPTS_PER_MINUTE },
  );

  serve(house, getProfile, ({ caller, language }) => readProfile(house.database, caller, language));

  serve(house, changeSupervisorLanguage, async ({ caller, body }) => {
    await keepLanguage(house, caller, body.SupervisorId, body.Language);
    return { changed: true };
  });
  return { signIn, limits };
}
