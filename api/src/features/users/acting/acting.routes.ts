import * as calls from '@diwan/contract/people/acting';
import type { House } from '../../../platform/http/house.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { serve } from '../../../platform/http/serve.ts';
import {
  beginActing,
  endActing,
  findPerson,
  sendActingCode,
  type ActingHouse,
} from './acting.actions.ts';

/** Helping a person at a counter. Decision 0028. */
export function serveActing(
  house: House,
  parts: Pick<ActingHouse, 'codes' | 'mail' | 'sms'>,
): void {
  const acting: ActingHouse = { ...house, ...parts };
  const perMinute = house.config.LOGIN_ATTEMPTS_PER_MINUTE;

  serve(house, calls.findPerson, ({ caller, body }) => findPerson(acting, caller, body.name), {
    perMinute,
  });

  serve(
    house,
    calls.sendActingCode,
    async ({ caller, body, language, request }) => {
      await parts.codes.countAsker(request.ip);
      if (!(await sendActingCode(acting, caller, body, { address: request.ip, language })))
        throw new Refusal('TooManyRequests', { retryAfter: 60 });
      return { sent: true };
    },
    { perMinute },
  );

  serve(
    house,
    calls.beginActing,
    async ({ caller, body, language, request }) => ({
      token: await beginActing(acting, caller, body, {
        address: request.ip,
        language,
        agent: request.headers['user-agent'],
      }),
    }),
    { perMinute },
  );

  serve(house, calls.endActing, async ({ caller, request }) => ({
    ended: await endActing(house, caller, request.ip),
  }));
}
