import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { serveCategories } from './categories.routes.ts';

/** The service categories of the catalogue. */
export function registerCategories(
  context: AppContext,
  { catalogue }: { catalogue: Catalogue },
): Feature {
  serveCategories(context, catalogue);
  return {};
}
