import { CircleAlert, Download, Eye, EyeOff, FileText, Image } from 'lucide-react';
import { useId, useState } from 'react';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FileName } from '../../../ui/files/file-name.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { isHeldForScan, ScanStatus } from './scan-status.tsx';
import { useSaveDocument } from './use-save-document.ts';
import { ViewedStatus } from './viewed-status.tsx';
import { DocumentView } from './document-view.tsx';

interface RequestDocumentsProps {
  attachments: readonly Attachment[];
  /** Loads the record again, for new references to the documents. */
  reload: () => Promise<unknown>;
  /** Set for staff: records that they have opened a document. */
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

interface RequestDocumentProps {
  attachment: Attachment;
  reload: () => Promise<unknown>;
  onViewed?: (attachment: Attachment) => void;
}

/** One document, with buttons to open it in place and to download it. */
export function RequestDocument({ attachment, reload, onViewed }: RequestDocumentProps) {
  const { t } = useTranslation('requests');
  const { fileSize } = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { hasFailed, save } = useSaveDocument(attachment, { reload, onSaved: onViewed });
  const panel = useId();
  const { title, fileName, mediaType, size } = attachment;
  const Icon = mediaType.startsWith('image/') ? Image : FileText;

  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon aria-hidden size={24} className="shrink-0 text-ink-500" />
        <div className="min-w-0 grow basis-48">
          <p className="font-semibold wrap-anywhere">
            <bdi>{title}</bdi>
          </p>
          <p className="text-sm break-all text-ink-500">
            {fileName === title ? null : (
              <>
                <FileName name={fileName} /> ·{' '}
              </>
            )}
            <bdi>{fileSize(size)}</bdi>
          </p>
          {onViewed ? <ViewedStatus attachment={attachment} /> : null}
          <ScanStatus attachment={{ scanState: attachment.scanState }} />
        </div>
        <div
          data-no-print
          className={isHeldForScan(attachment) ? 'hidden' : 'flex items-center gap-1'}
        >
          <Button
            variant="secondary"
            size="sm"
            icon={isOpen ? <EyeOff aria-hidden size={18} /> : <Eye aria-hidden size={18} />}
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            aria-label={
              isOpen ? `${t('documents.close')}: ${title}` : t('documents.openName', { title })
            }
            onPress={() => setIsOpen(!isOpen)}
          >
            {t(isOpen ? 'documents.close' : 'documents.open')}
          </Button>
          <IconButton label={t('documents.saveName', { title })} onPress={() => void save()}>
            <Download aria-hidden size={20} />
          </IconButton>
        </div>
      </div>
      <div aria-live="polite">
        {hasFailed ? (
          <p className="mt-2 flex items-center gap-2 text-sm font-medium text-red-700">
            <CircleAlert aria-hidden size={18} className="shrink-0" />
            {t('documents.failed')}
          </p>
        ) : null}
      </div>
      {isOpen ? (
        <div id={panel} className="mt-3">
          <DocumentPreview attachment={attachment} reload={reload} onViewed={onViewed} />
        </div>
      ) : null}
    </li>
  );
}

interface DocumentPreviewProps {
  attachment: Attachment;
  reload: () => Promise<unknown>;
  onViewed?: (attachment: Attachment) => void;
}

/** The viewer of a document inside a page, limited to the height of a phone. */
function DocumentPreview({ attachment, reload, onViewed }: DocumentPreviewProps) {
  return (
    <div className="flex max-h-[85dvh] flex-col [&_[data-pages]]:h-[70dvh]">
      <DocumentView attachment={attachment} reload={reload} onShown={onViewed} />
    </div>
  );
}
