import type { Readable } from 'node:stream';
import { createAttachment, deleteAttachment, downloadFile, getAllAttachments, markAttachmentViewed, uploadAttachment } from '@diwan/contract/attachments';
import type { House } from '../../platform/house.ts';
import { serve } from '../../platform/serve.ts';
import { countAttachments, selectAttachments } from './attachment-lists.store.ts';
import { announce, discard, markViewed, openFile, receive, type OpeningHouse } from './attachments.actions.ts';
import { headerFileName } from './file-name.ts';

/** Documents: announce, send, throw away, open. Source: specification §7 File and Attachment. */
export function serveAttachments(house: House, attachments: OpeningHouse): void {
  serve(house, createAttachment, async ({ caller, body }) => {
    const attachmentId = await announce(attachments, caller, body);
    return { attachmentId, uploadUrl: uploadAttachment.path.replace('{attachmentId}', attachmentId) };
  });

  serve(house, uploadAttachment, async ({ caller, params, request, reply }) => {
    const length = Number(request.headers['content-length']);
    try {
      const row = await receive(attachments, caller, params.attachmentId, request.body as Readable, Number.isFinite(length) ? length : undefined);
      return { attachmentId: row.id, fileName: row.file_name, mediaType: row.media_type, size: row.size };
    } catch (error) {
      // What is still on its way is not wanted any more: answer, then hang up.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.destroy());
      throw error;
    }
  });

  serve(house, deleteAttachment, async ({ caller, params }) => {
    await discard(attachments, caller, params.attachmentId);
    return { attachmentId: params.attachmentId };
  });

  serve(house, markAttachmentViewed, async ({ caller, body }) => {
    await markViewed(attachments, caller, body.requestAttachmentId);
    return { requestAttachmentId: body.requestAttachmentId };
  });

  serve(house, getAllAttachments, async ({ query }) => {
    const list = { keyword: query.SearchKeyword, state: query.State, pageNumber: query.PageNumber, take: query.Take };
    const [rows, totalCount] = await Promise.all([selectAttachments(house.database, list), countAttachments(house.database, list)]);
    const items = rows.map((row) => ({
      attachmentId: row.id, fileName: row.file_name, mediaType: row.media_type, size: row.size, state: row.state, requestNumber: row.request_number ?? undefined,
      ownerName: row.owner_name, createdAt: row.created_at.toISOString(),
    }));
    return { items, pageNumber: list.pageNumber, totalCount };
  });

  serve(house, downloadFile, async ({ caller, query, reply }) => {
    const { row, content } = await openFile(attachments, caller, query.filePath);
    return reply
      .type(row.media_type)
      .header('content-length', row.size)
      .header('content-disposition', `attachment; filename*=UTF-8''${headerFileName(row.file_name)}`)
      .header('cache-control', 'private, no-store')
      .send(content);
  });
}
