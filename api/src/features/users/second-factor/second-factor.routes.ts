import type { FastifyRequest } from 'fastify';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  beginSecondFactor,
  changeSecondFactorPolicy,
  confirmSecondFactor,
  getSecondFactor,
  getSecondFactorPolicy,
  newRecoveryCodes,
  removeSecondFactor,
  resetSecondFactor,
} from '@diwan/contract/people/second-factor';
import type { Origin } from '../sign-in/login-throttle.ts';
import { changePolicy, readPolicy, resetFactor } from './second-factor-policy.actions.ts';
import {
  beginFactor,
  confirmFactor,
  readSecondFactor,
  removeFactor,
  renewRecoveryCodes,
  type SecondFactorContext,
} from './second-factor.actions.ts';

/** Routes of the caller's second factor, and of the policy and resets for admins. */
export function serveSecondFactors(
  context: AppContext & SecondFactorContext,
  originOf: (request: FastifyRequest) => Origin,
): void {
  // The limit of the sign-in: these calls verify passwords and codes too, and parallel attempts
  // wait for each other.
  const limit = { perMinute: context.config.LOGIN_ATTEMPTS_PER_MINUTE, failures: {} };
  serve(context, getSecondFactor, ({ caller }) => readSecondFactor(context, caller));
  serve(
    context,
    beginSecondFactor,
    ({ caller, body, request }) => beginFactor(context, caller, body, originOf(request)),
    limit,
  );
  serve(
    context,
    confirmSecondFactor,
    async ({ caller, body, language, request }) => ({
      recoveryCodes: await confirmFactor(context, caller, body.code, {
        address: request.ip,
        language,
      }),
    }),
    limit,
  );
  serve(
    context,
    removeSecondFactor,
    async ({ caller, body, language, request }) => {
      await removeFactor(context, caller, body, { ...originOf(request), language });
      return { removed: true };
    },
    limit,
  );
  serve(
    context,
    newRecoveryCodes,
    async ({ caller, body, language, request }) => ({
      recoveryCodes: await renewRecoveryCodes(context, caller, body.code, {
        ...originOf(request),
        language,
      }),
    }),
    limit,
  );

  serve(context, getSecondFactorPolicy, () => readPolicy(context));
  serve(context, changeSecondFactorPolicy, ({ caller, body, request }) =>
    changePolicy(context, caller, body.roles, request.ip),
  );
  serve(context, resetSecondFactor, async ({ caller, body, request }) => {
    await resetFactor(context, caller, body.userId, request.ip);
    return { reset: true };
  });
}
