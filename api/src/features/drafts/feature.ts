import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { pruneDrafts, type DraftsContext } from './drafts.actions.ts';
import { serveDrafts } from './drafts.routes.ts';

/** What drafts need from the catalogue and from requests. */
type DraftsDependencies = Pick<DraftsContext, 'catalogue' | 'lockForCorrection'>;

/** Drafts of requests, and answers that are suggested for them. */
export function registerDrafts(
  context: AppContext,
  { catalogue, lockForCorrection }: DraftsDependencies,
): Feature {
  serveDrafts(context, catalogue, lockForCorrection);
  return {
    jobs: [
      {
        everySeconds: 3600,
        run: () => pruneDrafts({ ...context, database: withoutTimeLimits(context.database) }),
      },
    ],
  };
}
