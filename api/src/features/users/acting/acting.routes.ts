import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/people/acting';
import {
  beginActing,
  endActing,
  findPerson,
  sendActingCode,
  type ActingContext,
} from './acting.actions.ts';

/** Routes for employees who act for a person at a counter. Decision 0028. */
export function serveActing(
  context: AppContext,
  parts: Pick<ActingContext, 'codes' | 'mail' | 'sms'>,
): void {
  const acting: ActingContext = { ...context, ...parts };
  const limit = { perMinute: context.config.LOGIN_ATTEMPTS_PER_MINUTE, failures: {} };

  serve(
    context,
    calls.findPerson,
    ({ caller, body, language }) => findPerson(acting, caller, body.name, language),
    limit,
  );

  serve(
    context,
    calls.sendActingCode,
    async ({ caller, body, language, request }) => {
      await parts.codes.countRequest(request.ip);
      if (!(await sendActingCode(acting, caller, body, { address: request.ip, language })))
        throw new Refusal('TooManyRequests', { retryAfter: 60 });
      return { sent: true };
    },
    limit,
  );

  serve(
    context,
    calls.beginActing,
    async ({ caller, body, language, request }) => ({
      token: await beginActing(acting, caller, body, {
        address: request.ip,
        language,
        agent: request.headers['user-agent'],
      }),
    }),
    limit,
  );

  serve(context, calls.endActing, async ({ caller, request }) => ({
    ended: await endActing(context, caller, request.ip),
  }));
}
