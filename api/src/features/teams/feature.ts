import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveTeams } from './teams.routes.ts';

/** Teams within agencies. */
export function registerTeams(context: AppContext): Feature {
  serveTeams(context);
  return {};
}
