import { isDemonstration, isExposed, type Config } from '#config.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { portalDetails } from '#platform/portal/portal-details.ts';
import { servePortal } from '#platform/portal/portal.ts';
import type { Site, SiteWarning } from '@diwan/contract/portal/document';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { headOf, needsScript, portalName } from './page-heads.ts';
import { serveSitemap, type LegalDates } from './sitemap.routes.ts';

const demo = createTranslator('demonstration');
const shell = createTranslator('shell');

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

// The product's own pictures have every size that devices want.
const shippedPictures = {
  logo: '/favicon.svg',
  darkLogo: '/favicon.svg',
  isShippedLogo: true,
  phoneIcon: '/app-icon-180.png',
  shareImage: { path: '/og-image.png', width: 1200, height: 630 },
};

function picturesOfSite() {
  const { logo, darkLogo = logo } = portalDetails();
  if (logo === undefined || darkLogo === undefined) return shippedPictures;
  const isPng = logo.endsWith('.png');
  return {
    logo,
    darkLogo,
    isShippedLogo: false,
    ...(isPng ? { phoneIcon: logo, shareImage: { path: logo } } : {}),
  };
}

const readSite = ({ config, publicUrl }: Pick<AppContext, 'config' | 'publicUrl'>): Site => ({
  publicUrl,
  mayBeIndexed: config.ROBOTS === 'index',
  isTraced: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  name: portalName(),
  shortName: localizedText(shell, 'shortName'),
  ...picturesOfSite(),
  needsScript: needsScript(),
  warning: isExposed(config) && isDemonstration(config) ? demoWarning(config) : undefined,
});

/** The announcements that pages show. */
interface PortalAnnouncements {
  list(language: Language): readonly { mark: string; isDismissible: boolean }[];
  version(): number;
}

/** The site map, and the pages of the portal with their heads. Decision 0014. */
export async function registerSitemap(
  context: AppContext,
  {
    catalogue,
    announcements,
    legal,
    status,
  }: {
    catalogue: Catalogue;
    announcements: PortalAnnouncements;
    legal: LegalDates;
    status: { version(): number };
  },
): Promise<Feature> {
  const { server, config, configuration, publicUrl } = context;
  serveSitemap(context, { catalogue, legal }, config.ROBOTS === 'index');
  await servePortal(server, {
    folder: config.PORTAL_DIR,
    configuration,
    isDemonstration: isDemonstration(config),
    // Read for each page, because the texts and the details of the portal change meanwhile.
    site: () => readSite(context),
    headOf: (path, language) => headOf(catalogue, publicUrl, path, language),
    announcements: announcements.list,
    contentVersion: () =>
      [catalogue, announcements, legal, status].map((each) => each.version()).join(' '),
  });
  return {};
}
