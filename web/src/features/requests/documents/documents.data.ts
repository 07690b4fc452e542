import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { download } from '#lib/api/download.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { markAttachmentViewed, type Attachment } from '@diwan/contract/requests/attachments';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests/requests';

export function isScanRefusal(error: Error): boolean {
  return error.name === 'AttachmentBeingScanned' || error.name === 'AttachmentInfected';
}

/** The content of a document. Its reference is short-lived, so the cache key is the id. */
export function useDocument(attachment: Attachment) {
  const { attachmentId, filePath, mediaType } = attachment;
  const client = useQueryClient();
  const read = async () => {
    try {
      return new Blob([await download(filePath)], { type: mediaType });
    } catch (error) {
      // The record is older than the result of the scan.
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

/** A `ref` callback that shows content in an image while the image is mounted. */
export function useImageContent(content: Blob | undefined) {
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

/** Opens content in a new tab. The tab reads the address later, so it is revoked after a minute. */
export function openInNewTab(content: Blob): void {
  const address = URL.createObjectURL(content);
  window.open(address, '_blank');
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Records that staff have opened a document. An error is not shown. */
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
  const mayMark = useMayCall(markAttachmentViewed);
  return useCallback(
    (attachment: Attachment) => {
      if (mayMark && !attachment.isViewed)
        mutate({ body: { requestAttachmentId: attachment.attachmentId } });
    },
    [mayMark, mutate],
  );
}
