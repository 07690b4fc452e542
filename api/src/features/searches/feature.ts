import type { AppContext, Feature } from '#platform/http/context.ts';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Catalogue } from '../services/services.actions.ts';
import { openSearchLog } from './search-log.ts';
import { serveSearches } from './searches.routes.ts';
import { deleteBefore } from './searches.store.ts';

/** Counts searches and looks after synonyms. */
export function registerSearches(
  context: AppContext,
  { catalogue }: { catalogue: Catalogue },
): Feature {
  const { database, config, server } = context;
  const log = openSearchLog(database, catalogue);
  serveSearches(context, catalogue, log);
  server.addHook('onClose', () => log.flush());
  return {
    jobs: [
      { everySeconds: 10, run: () => log.flush() },
      {
        everySeconds: 3600,
        run: () => deleteBefore(database, dayAfter(todayInDubai(), -config.SEARCH_LOG_DAYS)),
      },
    ],
  };
}
