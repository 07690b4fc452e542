import type { Attachment } from '@diwan/contract/requests/attachments';
import { DocumentView } from './document-view.tsx';

interface DocumentPreviewProps {
  attachment: Attachment;
  reload: () => Promise<unknown>;
  onViewed?: (attachment: Attachment) => void;
}

/** A document within the page that it belongs to; as high as a phone allows. */
export function DocumentPreview({ attachment, reload, onViewed }: DocumentPreviewProps) {
  return (
    <div className="flex max-h-[85dvh] flex-col [&_[data-pages]]:h-[70dvh]">
      <DocumentView attachment={attachment} reload={reload} onShown={onViewed} />
    </div>
  );
}
