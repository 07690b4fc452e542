import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { markAttachmentViewed, type Attachment } from '@diwan/contract/requests/attachments';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests/requests';
import { download } from '../../../lib/api/download.ts';
import { useAction } from '../../../lib/api/use-call.ts';

export function isScanRefusal(error: Error): boolean {
  return error.name === 'AttachmentBeingScanned' || error.name === 'AttachmentInfected';
}

/**
 * The content of a document. The reference to it is short-lived, so the id names it in the cache.
 */
export function useDocument(attachment: Attachment) {
  const { attachmentId, filePath, mediaType } = attachment;
  const client = useQueryClient();
  const read = async () => {
    try {
      return new Blob([await download(filePath)], { type: mediaType });
    } catch (error) {
      // The record is older than what the scan has said.
      if (error instanceof Error && isScanRefusal(error))
        void client.invalidateQueries({ queryKey: [getRequestById.name] });
      throw error;
    }
  };
  return useQuery({
    queryKey: ['document', attachmentId],
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: read,
  });
}

/** Points an image at content of this page, for as long as it is shown. */
export function usePointedAt(content: Blob | undefined) {
  return useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !content) return;
      const address = URL.createObjectURL(content);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [content],
  );
}

/** Shows content in a tab of its own; the tab reads the address after this turn. */
export function openInNewTab(content: Blob): void {
  const address = URL.createObjectURL(content);
  window.open(address, '_blank');
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Remembers that staff have opened a document. It happens beside their work, so a failure does not
 * disturb them: the mark just does not appear.
 */
export function useMarkViewed() {
  const client = useQueryClient();
  const mark = useAction(markAttachmentViewed, {
    skipErrorHandling: true,
    onSuccess: ({ requestAttachmentId, ...viewer }) => {
      client.setQueriesData<RequestRecord>(
        { queryKey: [getRequestById.name] },
        (record) =>
          record && {
            ...record,
            attachments: record.attachments.map((each) =>
              each.attachmentId === requestAttachmentId
                ? { ...each, isViewed: true, ...viewer }
                : each,
            ),
          },
      );
    },
  });
  const { mutate } = mark;
  return useCallback(
    (attachment: Attachment) => {
      if (!attachment.isViewed) mutate({ body: { requestAttachmentId: attachment.attachmentId } });
    },
    [mutate],
  );
}
