import { keysChannel, renewKeys } from '#platform/auth/secrets.ts';
import { withoutTimeLimits } from '#platform/database/database.ts';
import { continueLongChanges } from '#platform/database/steps/long-changes.ts';
import { deleteOldAnswers } from '#platform/http/call-keys.store.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveMetrics, type PartStates } from '#platform/http/metrics.ts';
import { callAnswerHours } from '@diwan/contract/wire/call';
import { serveSystem } from './system.routes.ts';

/** What operators and other systems read, and the periodic jobs of the platform. */
export function registerSystem(context: AppContext, { status }: { status: PartStates }): Feature {
  serveMetrics(context, status);
  serveSystem(context);
  return {
    jobs: [
      { everySeconds: 5, run: context.outbox.wake },
      {
        everySeconds: 3600,
        run: () => deleteOldAnswers(withoutTimeLimits(context.database), callAnswerHours),
      },
      { everySeconds: 2, run: () => continueLongChanges(withoutTimeLimits(context.database)) },
      {
        everySeconds: 300,
        channel: keysChannel,
        async run() {
          await context.sessions.keys.renew();
          await renewKeys(context.database, context.config);
        },
      },
    ],
  };
}
