import {
  openDocumentArrival,
  type DocumentArrival,
} from '../../platform/files/document-arrival.ts';
import { limitsOf, type AttachmentsHouse } from './attachment-limits.ts';
import * as store from './attachments.store.ts';

/** How the content of attachments arrives. */
export function arrivalOf(house: AttachmentsHouse): DocumentArrival<store.AttachmentRow> {
  const setScanned: typeof store.setScanned = async (database, id, state) => {
    if (state !== 'infected') return store.setScanned(database, id, state);
    await house.database.transaction().execute(async (transaction) => {
      const row = await store.setInfected(transaction, id);
      if (row && row.request_id !== null) await house.tellInfected(transaction, row.request_id);
    });
    return store.findAttachment(database, id);
  };
  return openDocumentArrival(house, { ...store, setScanned, find: store.findAttachment }, (row) =>
    limitsOf(house, { serviceId: row.service_id, requestId: row.announced_for, name: row.name }),
  );
}
