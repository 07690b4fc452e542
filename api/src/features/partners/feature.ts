import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import {
  isDocumentExpected,
  openPartnerDocumentUploads,
  pruneUnusedDocuments,
} from './partner-documents.actions.ts';
import { servePartnerRegistration } from './partner-registration.routes.ts';
import type { PartnersContext } from './partner-transitions.actions.ts';
import { servePartners } from './partners.routes.ts';

/** What service providers need from the catalogue and from requests. */
type PartnersDependencies = Pick<PartnersContext, 'catalogue' | 'openStatuses'>;

/** Service providers: their registration, their documents and their supervisors. */
export function registerPartners(
  context: AppContext,
  { catalogue, openStatuses }: PartnersDependencies,
): Feature {
  const { database, config, documents, references, publicUrl, outbox } = context;
  const partners: PartnersContext = {
    database,
    references,
    publicUrl,
    files: documents.files,
    intake: documents.intake,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
    wakeOutbox: outbox.wake,
    catalogue,
    openStatuses,
  };
  servePartners(context, catalogue);
  servePartnerRegistration(context, partners);
  return {
    jobs: [
      { everySeconds: 15, run: () => openPartnerDocumentUploads(partners).scanWaiting() },
      {
        everySeconds: 3600,
        run: () =>
          pruneUnusedDocuments(
            { ...partners, database: withoutTimeLimits(database) },
            config.UNUSED_ATTACHMENT_DAYS,
          ),
      },
    ],
    isUploadExpected: (id) => isDocumentExpected(database, id),
  };
}
