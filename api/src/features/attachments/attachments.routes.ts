import type { Readable } from 'node:stream';
import { localizePersonName } from '#platform/core/localize.ts';
import { sendFile } from '#platform/files/send-file.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  type AttachmentSummary,
  completeAttachment,
  createAttachment,
  deleteAttachment,
  downloadFile,
  getAllAttachments,
  markAttachmentViewed,
  readIdentityCard,
  renewUpload,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';
import type { EveryField } from '@diwan/contract/wire/call';
import { countAttachments, selectAttachments } from './attachment-lists.store.ts';
import {
  announceAttachment,
  openAttachmentUploads,
  discardAttachment,
  findingsOf,
  markViewed,
  openReferenced,
  readCard,
  type OpeningContext,
} from './attachments.actions.ts';
import type { AttachmentRow } from './attachments.store.ts';

function describeReceived(row: AttachmentRow) {
  return {
    attachmentId: row.id,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    scanState: row.scan_state,
    ...(row.findings.length > 0 ? { findings: findingsOf(row) } : {}),
  };
}

/**
 * Routes of documents: announce, upload, delete, download. Source: specification §7 File and
 * Attachment.
 */
export function serveAttachments(context: AppContext, attachments: OpeningContext): void {
  const uploads = openAttachmentUploads(attachments);
  const documentLimit = { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true };
  serve(
    context,
    createAttachment,
    async ({ caller, body }) => {
      const { id, upload } = await announceAttachment(attachments, caller, body);
      return {
        attachmentId: id,
        uploadUrl: uploadAttachment.path.replace('{attachmentId}', id),
        upload,
      };
    },
    documentLimit,
  );

  serve(
    context,
    uploadAttachment,
    async ({ caller, params, request, reply }) => {
      const length = Number(request.headers['content-length']);
      try {
        return describeReceived(
          await uploads.receive(
            caller,
            params.attachmentId,
            request.body as Readable,
            Number.isFinite(length) ? length : undefined,
          ),
        );
      } catch (error) {
        // The rest of the upload is not needed: send the reply, then close the connection.
        reply.header('connection', 'close');
        reply.raw.once('finish', () => request.raw.destroy());
        throw error;
      }
    },
    documentLimit,
  );

  serve(
    context,
    completeAttachment,
    async ({ caller, params }) => ({
      ...describeReceived(await uploads.complete(caller, params.attachmentId)),
      filePath: attachments.references.make(params.attachmentId, caller.userId),
    }),
    { ...documentLimit, waitsElsewhere: true },
  );
  serve(
    context,
    renewUpload,
    ({ caller, params }) => uploads.renewUploadAddress(caller, params.attachmentId),
    documentLimit,
  );

  serve(
    context,
    readIdentityCard,
    ({ caller, params }) => readCard(attachments, caller, params.attachmentId),
    { perMinute: 20, perPerson: true, waitsElsewhere: true },
  );

  serve(context, deleteAttachment, async ({ caller, params }) => {
    await discardAttachment(attachments, caller, params.attachmentId);
    return { attachmentId: params.attachmentId };
  });

  serve(context, markAttachmentViewed, async ({ caller, body, language }) => {
    return {
      requestAttachmentId: body.requestAttachmentId,
      ...(await markViewed(attachments, caller, body.requestAttachmentId, language)),
    };
  });

  serve(context, getAllAttachments, async ({ query, language }) => {
    const list = {
      keyword: query.SearchKeyword,
      state: query.State,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    const [rows, totalCount] = await Promise.all([
      selectAttachments(context.database, list),
      countAttachments(context.database, list),
    ]);
    const items = rows.map((row): EveryField<AttachmentSummary> => ({
      attachmentId: row.id,
      fileName: row.file_name,
      mediaType: row.media_type,
      size: row.size,
      state: row.state,
      scanState: row.scan_state,
      requestNumber: row.request_number ?? undefined,
      ownerName: localizePersonName(row, language),
      createdAt: row.created_at.toISOString(),
    }));
    return { items, pageNumber: list.pageNumber, totalCount };
  });

  serve(
    context,
    downloadFile,
    async ({ caller, query, request, reply }) => {
      const { file, open } = await openReferenced(attachments, caller, query.filePath);
      return sendFile(request, reply, file, open);
    },
    documentLimit,
  );
}
