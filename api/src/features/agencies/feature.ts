import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { serveAgencies } from './agencies.routes.ts';

/** The government agencies of the catalogue. */
export function registerAgencies(
  context: AppContext,
  { catalogue }: { catalogue: Catalogue },
): Feature {
  serveAgencies(context, catalogue);
  return {};
}
