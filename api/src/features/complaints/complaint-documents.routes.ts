import type { Readable } from 'node:stream';
import { sendFile } from '#platform/files/send-file.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/complaint-documents';
import {
  announceDocument,
  findDocument,
  openComplaintUploads,
  type ComplaintFilesContext,
} from './complaint-documents.actions.ts';
import type { DocumentRow } from './complaints.store.ts';

const describeReceived = (row: DocumentRow) => ({
  documentId: row.id,
  fileName: row.file_name,
  mediaType: row.media_type,
  size: row.size,
  scanState: row.scan_state,
});

/** Files that are sent with complaints and answers. */
export function serveComplaintDocuments(context: AppContext, files: ComplaintFilesContext): void {
  const uploads = openComplaintUploads(files);
  const limit = { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE };
  const ofPerson = { ...limit, perPerson: true };
  serve(
    context,
    calls.createComplaintDocument,
    async ({ caller, body }) => {
      const { id, upload } = await announceDocument(files, caller, body);
      return {
        documentId: id,
        uploadUrl: calls.uploadComplaintDocument.path.replace('{documentId}', id),
        upload,
      };
    },
    ofPerson,
  );
  serve(
    context,
    calls.uploadComplaintDocument,
    async ({ caller, params, request, reply }) => {
      try {
        return describeReceived(
          await uploads.receive(caller, params.documentId, request.body as Readable),
        );
      } catch (error) {
        // The rest of the upload is not needed: send the reply, then close the connection.
        reply.header('connection', 'close');
        reply.raw.once('finish', () => request.raw.destroy());
        throw error;
      }
    },
    ofPerson,
  );
  serve(
    context,
    calls.completeComplaintDocument,
    async ({ caller, params }) =>
      describeReceived(await uploads.complete(caller, params.documentId)),
    { ...ofPerson, waitsElsewhere: true },
  );
  serve(
    context,
    calls.renewComplaintUpload,
    ({ caller, params }) => uploads.renewUploadAddress(caller, params.documentId),
    ofPerson,
  );
  serve(
    context,
    calls.downloadComplaintDocument,
    async ({ caller, body, request, reply }) => {
      const row = await findDocument(files, caller, body);
      return sendFile(request, reply, row, (range) => files.files.read(row.id, range));
    },
    { ...limit, failures: {} },
  );
}
