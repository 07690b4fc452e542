import { openDocumentArrival, type DocumentArrival } from '../../platform/document-arrival.ts';
import { limitsOf, type AttachmentsHouse } from './attachment-limits.ts';
import * as store from './attachments.store.ts';

/** How the content of attachments arrives. */
export function arrivalOf(house: AttachmentsHouse): DocumentArrival<store.AttachmentRow> {
  return openDocumentArrival(house, { ...store, find: store.findAttachment }, (row) => limitsOf(house, { serviceId: row.service_id, requestId: row.announced_for, name: row.name }));
}
