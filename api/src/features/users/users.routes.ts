import type { FastifyRequest } from 'fastify';
import { openKey, secondFactorKeys } from '#platform/auth/secrets.ts';
import { readCookie } from '#platform/core/cookies.ts';
import type { AppContext } from '#platform/http/context.ts';
import { isUse, serve } from '#platform/http/serve.ts';
import {
  changeSupervisorLanguage,
  changeUserPassword,
  getProfile,
  login,
  logout,
  refreshToken,
} from '@diwan/contract/people/users';
import { changePassword } from './account/change-password.actions.ts';
import { secondFactorVault } from './second-factor/second-factor-codes.ts';
import { serveSecondFactors } from './second-factor/second-factor.routes.ts';
import {
  deviceCookie,
  knownDevice,
  openLoginThrottle,
  writeDeviceCookie,
  type LoginThrottle,
} from './sign-in/login-throttle.ts';
import * as actions from './users.actions.ts';

// Tokens expire after minutes and a whole office may share one address. The limit is far above
// normal use and far below what guessing needs.
const refreshesPerMinute = 1200;

/**
 * Routes of sign-in, token refresh, sign-out and the caller's own account. Returns the sign-in and
 * its throttle for other routes that verify a password.
 */
export async function serveUsers(
  context: AppContext,
): Promise<{ signIn: actions.SignIn; throttle: LoginThrottle }> {
  const throttle = openLoginThrottle(
    context.database,
    await openKey(context.database, 'try-limits'),
    context.config.SIGN_IN_FREE_TRIES,
  );
  const factors = {
    ...context,
    throttle,
    vault: secondFactorVault(await secondFactorKeys(context.database, context.config)),
  };
  const signIn = await actions.openSignIn(factors);
  const isSecure = context.publicUrl.startsWith('https:');
  const limit = {
    perMinute: context.config.LOGIN_ATTEMPTS_PER_MINUTE,
    failures: { knownDevice: knownDevice(throttle, isSecure) },
  };
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
      reply.header('set-cookie', writeDeviceCookie(device, body, isSecure));
      return { token };
    },
    limit,
  );

  serve(
    context,
    refreshToken,
    ({ body, request }) => context.sessions.refresh(body.token, request.ip, isUse(request)),
    { perMinute: refreshesPerMinute, perPerson: false },
  );

  serve(context, logout, async ({ request }) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) return { ended: false };
    // An expired token also ends its session.
    await context.sessions.end(token, request.ip);
    return { ended: true };
  });

  serve(
    context,
    changeUserPassword,
    async ({ caller, body, language, request }) => {
      await changePassword(factors, caller, body, { address: request.ip, language });
      return { changed: true };
    },
    { ...limit, failures: {} },
  );

  serve(context, getProfile, ({ caller, language }) =>
    actions.readProfile(context.database, caller, language),
  );

  serve(context, changeSupervisorLanguage, async ({ caller, body }) => {
    await actions.changeSupervisorLanguage(context, caller, body.SupervisorId, body.Language);
    return { changed: true };
  });
  return { signIn, throttle };
}
