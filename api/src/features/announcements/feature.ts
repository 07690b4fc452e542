import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { Announcements } from './announcements.actions.ts';
import { serveAnnouncements } from './announcements.routes.ts';

/** Announcements, which every process keeps in memory. */
export function registerAnnouncements(
  context: AppContext,
  dependencies: { catalogue: Catalogue; announcements: Announcements },
): Feature {
  serveAnnouncements(context, dependencies);
  const { refresh } = dependencies.announcements;
  return { jobs: [{ everySeconds: 15, channel: 'diwan_announcements', run: refresh }] };
}
