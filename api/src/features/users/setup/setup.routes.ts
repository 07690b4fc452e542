import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/people/setup';
import { isSetupOpen, setUpPortal } from './setup.actions.ts';

// The code has 78 bits; a person types it once or twice.
const failedSetupsPerMinute = 100;

/** Routes of the first start: the first administrator of an empty portal. */
export function serveSetup(context: AppContext): void {
  const { database, sessions, config } = context;
  // Once closed, the setup stays closed.
  let isClosed = false;
  serve(context, calls.getSetupState, async () => {
    isClosed ||= !(await isSetupOpen(database));
    return { isOpen: !isClosed };
  });

  serve(
    context,
    calls.setUpPortal,
    async ({ body, request }) => {
      const userId = await setUpPortal(database, body);
      return {
        token: await sessions.create(userId, {
          address: request.ip,
          agent: request.headers['user-agent'],
        }),
      };
    },
    {
      perMinute: Math.min(failedSetupsPerMinute, config.LOGIN_ATTEMPTS_PER_MINUTE),
      failures: {},
    },
  );
}
