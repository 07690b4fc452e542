import type { AppContext, Feature } from '../../platform/http/context.ts';
import { servePortal } from '../../platform/portal/portal.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { headOf, portalName } from './page-heads.ts';
import { serveSitemap } from './sitemap.routes.ts';

/** The site map, and the pages of the portal with their heads. Decision 0014. */
export async function registerSitemap(
  context: AppContext,
  { catalogue }: { catalogue: Catalogue },
): Promise<Feature> {
  const { server, config, publicUrl } = context;
  const mayBeIndexed = config.ROBOTS === 'index';
  serveSitemap(context, catalogue, mayBeIndexed);
  await servePortal(server, {
    folder: config.PORTAL_DIR,
    site: { publicUrl, name: portalName, mayBeIndexed },
    headOf: (path, language) => headOf(catalogue, publicUrl, path, language),
  });
  return {};
}
