import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { openCardReaders } from '#platform/identity-cards/read-card.ts';
import {
  openAttachmentUploads,
  isContentExpected,
  pruneUnused,
  type OpeningContext,
} from './attachments.actions.ts';
import { serveAttachments } from './attachments.routes.ts';
import { serveAttachmentTypes } from './document-types/attachment-types.routes.ts';

/** What attachments need from the catalogue and from requests. */
type AttachmentsDependencies = Pick<
  OpeningContext,
  'catalogue' | 'mayView' | 'recordAccess' | 'notifyInfected' | 'makeFile'
>;

/** Documents that applicants and staff upload. */
export function registerAttachments(
  context: AppContext,
  { catalogue, mayView, recordAccess, notifyInfected, makeFile }: AttachmentsDependencies,
): Feature {
  const { database, config, documents, references } = context;
  const attachments: OpeningContext = {
    database,
    references,
    files: documents.files,
    intake: documents.intake,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
    unsentInHour: config.DOCUMENTS_UNSENT_PER_HOUR,
    cards: openCardReaders(),
    catalogue,
    mayView,
    recordAccess,
    notifyInfected,
    makeFile,
  };
  serveAttachments(context, attachments);
  serveAttachmentTypes(context);
  return {
    jobs: [
      { everySeconds: 15, run: () => openAttachmentUploads(attachments).scanWaiting() },
      {
        everySeconds: 3600,
        run: () =>
          pruneUnused(
            { ...attachments, database: withoutTimeLimits(context.database) },
            config.UNUSED_ATTACHMENT_DAYS,
          ),
      },
    ],
    isUploadExpected: (id) => isContentExpected(database, id),
  };
}
