import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveClosures } from './closures.routes.ts';
import { serveLogos } from './logos/logos.routes.ts';
import type { Catalogue } from './services.actions.ts';
import { serveServices, type OwnerActions } from './services.routes.ts';
import type { CountedFees, KeepVersions } from './transfer/jobs.actions.ts';
import { serveTransfer } from './transfer/transfer.routes.ts';

/** The services of the catalogue, which every process keeps in memory. */
export function registerServices(
  context: AppContext,
  {
    catalogue,
    keepVersions,
    countedFees,
    ownerActions,
  }: {
    catalogue: Catalogue;
    keepVersions: KeepVersions;
    countedFees: CountedFees;
    ownerActions: OwnerActions;
  },
): Feature {
  serveServices(context, catalogue, ownerActions);
  serveLogos(context);
  serveClosures(context, catalogue);
  serveTransfer(context, { catalogue, keepVersions, countedFees });
  return {
    jobs: [{ everySeconds: 5, channel: 'diwan_catalogue', run: () => catalogue.refresh() }],
  };
}
