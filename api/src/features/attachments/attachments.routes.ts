import type { Readable } from 'node:stream';
import {
  completeAttachment,
  createAttachment,
  deleteAttachment,
  downloadFile,
  getAllAttachments,
  markAttachmentViewed,
  renewUpload,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';
import type { AppContext } from '../../platform/http/context.ts';
import { serve } from '../../platform/http/serve.ts';
import { countAttachments, selectAttachments } from './attachment-lists.store.ts';
import {
  announce,
  arrivalOf,
  discard,
  findFile,
  findingsOf,
  markViewed,
  openContent,
  sendFile,
  type AttachmentRow,
  type OpeningContext,
} from './attachments.actions.ts';

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

/** Documents: announce, send, throw away, open. Source: specification §7 File and Attachment. */
export function serveAttachments(context: AppContext, attachments: OpeningContext): void {
  const arrival = arrivalOf(attachments);
  const often = { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true };
  serve(
    context,
    createAttachment,
    async ({ caller, body }) => {
      const { id, upload } = await announce(attachments, caller, body);
      return {
        attachmentId: id,
        uploadUrl: uploadAttachment.path.replace('{attachmentId}', id),
        upload,
      };
    },
    often,
  );

  serve(
    context,
    uploadAttachment,
    async ({ caller, params, request, reply }) => {
      const length = Number(request.headers['content-length']);
      try {
        return describeReceived(
          await arrival.receive(
            caller,
            params.attachmentId,
            request.body as Readable,
            Number.isFinite(length) ? length : undefined,
          ),
        );
      } catch (error) {
        // What is still on its way is not wanted any more: answer, then hang up.
        reply.header('connection', 'close');
        reply.raw.once('finish', () => request.raw.destroy());
        throw error;
      }
    },
    often,
  );

  serve(
    context,
    completeAttachment,
    async ({ caller, params }) =>
      describeReceived(await arrival.complete(caller, params.attachmentId)),
    often,
  );
  serve(
    context,
    renewUpload,
    ({ caller, params }) => arrival.renew(caller, params.attachmentId),
    often,
  );

  serve(context, deleteAttachment, async ({ caller, params }) => {
    await discard(attachments, caller, params.attachmentId);
    return { attachmentId: params.attachmentId };
  });

  serve(context, markAttachmentViewed, async ({ caller, body }) => {
    return {
      requestAttachmentId: body.requestAttachmentId,
      ...(await markViewed(attachments, caller, body.requestAttachmentId)),
    };
  });

  serve(context, getAllAttachments, async ({ query }) => {
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
    const items = rows.map((row) => ({
      attachmentId: row.id,
      fileName: row.file_name,
      mediaType: row.media_type,
      size: row.size,
      state: row.state,
      scanState: row.scan_state,
      requestNumber: row.request_number ?? undefined,
      ownerName: row.owner_name,
      createdAt: row.created_at.toISOString(),
    }));
    return { items, pageNumber: list.pageNumber, totalCount };
  });

  serve(
    context,
    downloadFile,
    async ({ caller, query, request, reply }) => {
      const row = await findFile(attachments, caller, query.filePath);
      return sendFile(request, reply, row, (range) => openContent(attachments, row, range));
    },
    often,
  );
}
