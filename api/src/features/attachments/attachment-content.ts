import {
  openDocumentArrival,
  type DocumentArrival,
} from '../../platform/files/document-arrival.ts';
import { limitsOf, type AttachmentsContext } from './attachment-limits.ts';
import * as store from './attachments.store.ts';

/** How the content of attachments arrives. */
export function arrivalOf(context: AttachmentsContext): DocumentArrival<store.AttachmentRow> {
  const setScanned: typeof store.setScanned = async (database, id, state) => {
    if (state !== 'infected') return store.setScanned(database, id, state);
    await context.database.transaction().execute(async (transaction) => {
      const row = await store.setInfected(transaction, id);
      if (row && row.request_id !== null) await context.tellInfected(transaction, row.request_id);
    });
    return store.findAttachment(database, id);
  };
  return openDocumentArrival(context, { ...store, setScanned, find: store.findAttachment }, (row) =>
    limitsOf(context, { serviceId: row.service_id, requestId: row.announced_for, name: row.name }),
  );
}
