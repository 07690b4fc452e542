import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { sendDigests, type DigestContext } from './digest.actions.ts';
import { foldAllFigures } from './fold-figures.actions.ts';
import { serveReports } from './reports.routes.ts';
import { condenseFigures } from './reports.store.ts';

/** What reports need from other features. */
type ReportsDependencies = Pick<DigestContext, 'workflow' | 'calendars'>;

/** Figures of requests for dashboards and reports. */
export function registerReports(
  context: AppContext,
  { workflow, calendars }: ReportsDependencies,
): Feature {
  const { database, config, publicUrl, outbox } = context;
  const digests = { database, workflow, calendars, config, publicUrl };
  serveReports(context, { database, workflow });
  return {
    jobs: [
      { everySeconds: 2, run: () => foldAllFigures(withoutTimeLimits(database)) },
      { everySeconds: 3600, run: () => condenseFigures(withoutTimeLimits(database)) },
      {
        everySeconds: 60,
        run: async () => {
          if (await sendDigests(digests, new Date())) outbox.wake();
        },
      },
    ],
  };
}
