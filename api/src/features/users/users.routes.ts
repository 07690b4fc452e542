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
import type { AppContext } from '../../platform/http/context.ts';
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
export async function serveUsers(
  context: AppContext,
): Promise<{ signIn: SignIn; limits: TryLimits }> {
  const limits = openTryLimits(
    context.database,
    await ownSecret(context.database, 'try-limits'),
    context.config.SIGN_IN_FREE_TRIES,
  );
  const factors = {
    ...context,
    limits,
    vault: secondFactorVault(await secondFactorKeys(context.database, context.config)),
  };
  const signIn = await openSignIn(factors);
  const isSecure = context.publicUrl.startsWith('https:');
  const originOf = (request: FastifyRequest) => ({
    address: request.ip,
    agent: request.headers['user-agent'],
    device: readCookie(request, deviceCookie, isSecure),
  });
  serveSecondFactors(factors, originOf);

  serve(
    context,
    login,
    async ({ body, request, reply }) => {
      const { token, device } = await signIn(body, originOf(request));
      reply.header('set-cookie', writeCookie(deviceCookie, device, isSecure));
      return { token };
    },
    { perMinute: context.config.LOGIN_ATTEMPTS_PER_MINUTE },
  );

  serve(
    context,
    refreshToken,
    ({ body, request }) => context.sessions.refresh(body.token, request.ip),
    { perMinute: refreshesPerMinute },
  );

  serve(context, logout, async ({ request }) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) return { ended: false };
    // An expired token ends its session too: whoever signs out late means it.
    await context.sessions.end(token, request.ip);
    return { ended: true };
  });

  serve(
    context,
    changeUserPassword,
    async ({ caller, body, language, request }) => {
      await changePassword(context, limits, caller, body, { address: request.ip, language });
      return { changed: true };
    },
    { perMinute: context.config.LOGIN_ATTEMPTS_PER_MINUTE },
  );

  serve(context, getProfile, ({ caller, language }) =>
    readProfile(context.database, caller, language),
  );

  serve(context, changeSupervisorLanguage, async ({ caller, body }) => {
    await keepLanguage(context, caller, body.SupervisorId, body.Language);
    return { changed: true };
  });
  return { signIn, limits };
}
