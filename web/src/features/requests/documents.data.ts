import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { markAttachmentViewed, type Attachment } from '@diwan/contract/attachments';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests';
import { download } from '../../lib/download.ts';
import { useAction } from '../../lib/use-call.ts';

/** The content of a document as an address for this page. The reference to it is short-lived, so the id names it in the cache. */
export function useDocument(attachment: Attachment) {
  const content = useQuery({ queryKey: ['document', attachment.attachmentId], queryFn: () => download(attachment.filePath), staleTime: Infinity, refetchOnWindowFocus: false });
  const [address, setAddress] = useState<string>();
  const { data } = content;
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(new Blob([data], { type: attachment.mediaType }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data, attachment.mediaType]);
  return { address, error: content.error, isFetching: content.isFetching, retry: content.refetch };
}

/** Remembers that staff have opened a document. It happens beside their work, so a failure does not disturb them: the mark just does not appear. */
export function useMarkViewed() {
  const client = useQueryClient();
  const mark = useAction(markAttachmentViewed, {
    skipErrorHandling: true,
    onSuccess: ({ requestAttachmentId }) => {
      client.setQueriesData<RequestRecord>({ queryKey: [getRequestById.name] }, (record) => record && {
        ...record, attachments: record.attachments.map((each) => (each.attachmentId === requestAttachmentId ? { ...each, isViewed: true } : each)),
      });
    },
  });
  return (attachment: Attachment) => {
    if (!attachment.isViewed) mark.mutate({ body: { requestAttachmentId: attachment.attachmentId } });
  };
}
