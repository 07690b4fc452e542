import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { serveAccountTypes } from './account-types.routes.ts';

/** The account types of the catalogue. */
export function registerAccountTypes(
  context: AppContext,
  { catalogue }: { catalogue: Catalogue },
): Feature {
  serveAccountTypes(context, catalogue);
  return {};
}
