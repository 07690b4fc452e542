import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveMetrics } from '#platform/http/metrics.ts';
import { serveSystem } from './system.routes.ts';

/** What operators and other systems read, and the periodic jobs of the platform. */
export function registerSystem(context: AppContext): Feature {
  serveMetrics(context);
  serveSystem(context);
  return {
    jobs: [
      { everySeconds: 5, run: context.outbox.wake },
      { everySeconds: 300, run: () => context.sessions.keys.renew() },
    ],
  };
}
