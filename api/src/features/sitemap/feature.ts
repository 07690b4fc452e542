import { isDemonstration, isExposed, type Config } from '#config.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { servePortal } from '#platform/portal/portal.ts';
import type { SiteWarning } from '@diwan/contract/portal/document';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { headOf, needsScript, portalName } from './page-heads.ts';
import { serveSitemap } from './sitemap.routes.ts';

const demo = createTranslator('demonstration');

// The warning of a demonstration that others can reach.
function demoWarning({
  SANDBOX,
  SEED,
}: Pick<Config, 'SANDBOX' | 'SEED'>): Record<Language, SiteWarning> {
  const warningIn = (language: Language): SiteWarning => ({
    label: demo('warning.label', language),
    title: demo('warning.title', language),
    text: [
      ...(SANDBOX === 'on' ? [demo('warning.sandbox', language)] : []),
      ...(SEED === 'demo' ? [demo('warning.accounts', language)] : []),
      demo('warning.data', language),
    ].join(' '),
  });
  return Object.fromEntries(languages.map((language) => [language, warningIn(language)])) as Record<
    Language,
    SiteWarning
  >;
}

/** The announcements that pages show. */
interface PortalAnnouncements {
  list(language: Language): readonly { mark: string; isDismissible: boolean }[];
  version(): number;
}

/** The site map, and the pages of the portal with their heads. Decision 0014. */
export async function registerSitemap(
  context: AppContext,
  { catalogue, announcements }: { catalogue: Catalogue; announcements: PortalAnnouncements },
): Promise<Feature> {
  const { server, config, publicUrl } = context;
  const mayBeIndexed = config.ROBOTS === 'index';
  serveSitemap(context, catalogue, mayBeIndexed);
  await servePortal(server, {
    folder: config.PORTAL_DIR,
    // The texts are read for each page, because they can be corrected meanwhile.
    site: {
      publicUrl,
      mayBeIndexed,
      get name() {
        return portalName();
      },
      get needsScript() {
        return needsScript();
      },
      get warning() {
        return isExposed(config) && isDemonstration(config) ? demoWarning(config) : undefined;
      },
    },
    headOf: (path, language) => headOf(catalogue, publicUrl, path, language),
    announcements: announcements.list,
    contentVersion: () => `${catalogue.version()} ${announcements.version()}`,
  });
  return {};
}
