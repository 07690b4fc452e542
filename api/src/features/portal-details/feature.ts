import type { AppContext, Feature } from '#platform/http/context.ts';
import { refreshPortalDetails } from './portal-details.actions.ts';
import { servePortalDetails } from './portal-details.routes.ts';

/** The name of the portal and its other details, which every process keeps in memory. */
export async function registerPortalDetails(context: AppContext): Promise<Feature> {
  const refresh = () => refreshPortalDetails(context.database, context.configuration.content());
  await refresh();
  servePortalDetails(context);
  return { jobs: [{ everySeconds: 15, channel: 'diwan_portal', run: refresh }] };
}
