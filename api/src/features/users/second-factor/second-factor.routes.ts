import type { FastifyRequest } from 'fastify';
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
import { serve } from '../../../platform/http/serve.ts';
import { changePolicy, readPolicy, resetFactor } from './second-factor-policy.actions.ts';
import {
  beginFactor,
  confirmFactor,
  readSecondFactor,
  removeFactor,
  renewRecoveryCodes,
  type SecondFactorHouse,
} from './second-factor.actions.ts';
import type { Origin } from '../sign-in/try-limits.ts';
import type { House } from '../../../platform/http/house.ts';

/** The second factor of the caller, and what an admin decides of those of others. */
export function serveSecondFactors(
  house: House & SecondFactorHouse,
  originOf: (request: FastifyRequest) => Origin,
): void {
  // As much as the sign-in: these judge passwords and codes too, and each of a thousand at once
  // would wait for all others.
  const limit = { perMinute: house.config.LOGIN_ATTEMPTS_PER_MINUTE };
  serve(house, getSecondFactor, ({ caller }) => readSecondFactor(house, caller));
  serve(
    house,
    beginSecondFactor,
    ({ caller, body, request }) => beginFactor(house, caller, body, originOf(request)),
    limit,
  );
  serve(
    house,
    confirmSecondFactor,
    async ({ caller, body, language, request }) => ({
      recoveryCodes: await confirmFactor(house, caller, body.code, request.ip, language),
    }),
    limit,
  );
  serve(
    house,
    removeSecondFactor,
    async ({ caller, body, language, request }) => {
      await removeFactor(house, caller, body, { ...originOf(request), language });
      return { removed: true };
    },
    limit,
  );
  serve(
    house,
    newRecoveryCodes,
    async ({ caller, body, language, request }) => ({
      recoveryCodes: await renewRecoveryCodes(house, caller, body.code, {
        ...originOf(request),
        language,
      }),
    }),
    limit,
  );

  serve(house, getSecondFactorPolicy, () => readPolicy(house));
  serve(house, changeSecondFactorPolicy, ({ caller, body, request }) =>
    changePolicy(house, caller, body.roles, request.ip),
  );
  serve(house, resetSecondFactor, async ({ caller, body, request }) => {
    await resetFactor(house, caller, body.userId, request.ip);
    return { reset: true };
  });
}
