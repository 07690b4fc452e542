import { CircleAlert, Download, Eye, FileText, Image } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { classNames } from '../../../lib/browser/class-names.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { FileName } from '../../../ui/files/file-name.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { useMarkFlag } from '../mending/mark-flag.tsx';
import { ScanMark, isHeldBack } from './scan-mark.tsx';
import { useSaveDocument } from './use-save-document.ts';
import { ViewedMark } from './viewed-mark.tsx';

interface DocumentDeskRowProps {
  attachment: Attachment;
  isOpen: boolean;
  onOpen: () => void;
  onViewed?: (attachment: Attachment) => void;
  reload: () => Promise<unknown>;
}

/** One document in the list beside the viewer. What a scan has not passed cannot be opened. */
export function DocumentDeskRow({
  attachment,
  isOpen,
  onOpen,
  onViewed,
  reload,
}: DocumentDeskRowProps) {
  const { t } = useTranslation('requests');
  const { fileSize } = useFormat();
  const flagOf = useMarkFlag();
  const { hasFailed, save } = useSaveDocument(attachment, { reload, onSaved: onViewed });
  const { title, fileName, mediaType, size } = attachment;
  const Icon = mediaType.startsWith('image/') ? Image : FileText;
  const isHeld = isHeldBack(attachment);
  return (
    <li
      className={classNames(
        'flex items-center gap-1 rounded-md border',
        isOpen ? 'border-gold-600 bg-gold-50' : 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-pressed={isOpen}
        disabled={isHeld}
        onClick={onOpen}
        className="flex min-h-12 min-w-0 grow items-center gap-3 rounded-md px-3 py-2 text-start enabled:hover:bg-gold-50 print:min-h-0 print:px-0 print:py-1"
      >
        <Icon aria-hidden size={22} className="shrink-0 text-ink-500" />
        <span className="min-w-0 grow">
          <span className="sr-only">{t('documents.open')}: </span>
          <bdi className="block font-semibold wrap-anywhere">{title}</bdi>
          <span className="flex flex-wrap gap-x-3">
            <span className="text-sm wrap-anywhere text-ink-500">
              {fileName === title ? null : (
                <>
                  <FileName name={fileName} /> ·{' '}
                </>
              )}
              <bdi className="whitespace-nowrap">{fileSize(size)}</bdi>
            </span>
            {onViewed && !isHeld ? <ViewedMark attachment={attachment} /> : null}
          </span>
          <ScanMark attachment={attachment} />
        </span>
        {isHeld ? null : (
          <Eye aria-hidden size={18} className="shrink-0 text-ink-500 max-md:hidden print:hidden" />
        )}
      </button>
      {attachment.isResult
        ? null
        : flagOf?.(
            { field: `attachments.${attachment.name}`, attachmentId: attachment.attachmentId },
            `${title} (${fileName})`,
          )}
      {isHeld ? null : (
        <span data-no-print>
          <IconButton label={t('documents.saveName', { title })} onPress={() => void save()}>
            <Download aria-hidden size={18} />
          </IconButton>
        </span>
      )}
      {hasFailed ? (
        <span role="alert" className="flex items-center gap-1 text-sm font-medium text-red-700">
          <CircleAlert aria-hidden size={16} className="shrink-0" />
          {t('documents.failed')}
        </span>
      ) : null}
    </li>
  );
}
