import type { Attachment } from '@diwan/contract/requests/attachments';
import { RequestDocument } from './request-document.tsx';

interface RequestDocumentsProps {
  attachments: readonly Attachment[];
  /** Reads the record again, for new references to the documents. */
  reload: () => Promise<unknown>;
  /** Staff leave a mark when they open a document. */
  onViewed?: (attachment: Attachment) => void;
}

export function RequestDocuments({ attachments, ...rest }: RequestDocumentsProps) {
  return (
    <ul className="divide-y divide-ink-100">
      {attachments.map((attachment) => (
        <RequestDocument key={attachment.attachmentId} attachment={attachment} {...rest} />
      ))}
    </ul>
  );
}
