import { CircleAlert, CircleCheck, Download, Eye, EyeOff, FileText, Image } from 'lucide-react';
import { useId, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import type { RequestCertificate } from '@diwan/contract/content/issued-certificates';
import type { Attachment } from '@diwan/contract/requests/attachments';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { findLatestMessage } from '../data/latest-message.ts';
import { ObjectToDecision } from '../record/owner-actions.tsx';
import { CertificateDetails, DownloadCertificate } from '../record/request-certificate.tsx';
import { StaffMessage } from '../record/staff-message.tsx';
import { DocumentView } from './document-view.tsx';
import { isQuarantined, ScanStatus } from './scan-status.tsx';
import { useSaveDocument } from './use-save-document.ts';
import { ViewedStatus } from './viewed-status.tsx';

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
  /** The page has another button that downloads the document. */
  isSavedElsewhere?: boolean;
}

/** One document, with buttons to open it in place and to download it. */
export function RequestDocument({
  attachment,
  reload,
  onViewed,
  isSavedElsewhere = false,
}: RequestDocumentProps) {
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
        {/* Beside the buttons a phone has no room for a name: they come below it. */}
        <div className="min-w-0 grow basis-48">
          <p className="font-semibold wrap-anywhere">
            <bdi>{title}</bdi>
          </p>
          <p className="text-sm wrap-anywhere text-ink-500">
            {fileName === title ? null : (
              <>
                <FileName name={fileName} /> ·{' '}
              </>
            )}
            <bdi className="whitespace-nowrap">{fileSize(size)}</bdi>
          </p>
          {onViewed ? <ViewedStatus attachment={attachment} /> : null}
          <ScanStatus attachment={{ scanState: attachment.scanState }} />
        </div>
        <div
          data-no-print
          className={isQuarantined(attachment) ? 'hidden' : 'flex items-center gap-1 max-sm:ms-9'}
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
          {isSavedElsewhere ? null : (
            <IconButton label={t('documents.saveName', { title })} onPress={() => void save()}>
              <Download aria-hidden size={20} />
            </IconButton>
          )}
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

/** Whether a document has its own name, not only that of its file. */
const isNamed = ({ title, fileName }: Attachment) => title !== fileName;

const certificateTitles = {
  valid: 'certificates:download.title',
  expired: 'certificates:record.expiredTitle',
  revoked: 'certificates:record.revokedTitle',
} as const;

function useResultTitle({ attachments, certificate }: RequestRecord): string {
  const { t } = useTranslation(['requests', 'certificates']);
  const [only, another] = attachments.filter(({ isResult }) => isResult);
  if (!only) return certificate ? t(certificateTitles[certificate.state]) : t('record.completed');
  if (another) return t('record.readyMany');
  return isNamed(only)
    ? t('record.ready', { title: `\u2068${only.title}\u2069` })
    : t('record.readyOne');
}

/** The certificate of a completed request. `isOver`: it cannot be used any more. */
function CertificateResult({
  requestId,
  certificate,
  isOver,
}: {
  requestId: number;
  certificate: RequestCertificate;
  isOver: boolean;
}) {
  const { t } = useTranslation('certificates');
  return (
    <div
      className={classNames(
        'flex flex-col gap-4 rounded-md border bg-white p-4',
        isOver ? 'border-ink-200' : 'border-green-200',
      )}
    >
      <CertificateDetails certificate={certificate} />
      {isOver ? null : <p>{t('download.text')}</p>}
      <DownloadCertificate isMain requestId={requestId} number={certificate.number} />
    </div>
  );
}

/**
 * A completed request: its result to download, or that there is none, and what the agency wrote.
 */
export function RequestResult({
  record,
  reload,
}: {
  record: RequestRecord;
  /** Loads the record again, for new references to the documents. */
  reload: () => Promise<unknown>;
}) {
  const { t } = useTranslation('requests');
  const title = useResultTitle(record);
  const results = record.attachments.filter(({ isResult }) => isResult);
  const message = findLatestMessage(record);
  const { certificate, requestId } = record;
  const hasDocuments = results.length > 0;
  const isOver = certificate !== undefined && certificate.state !== 'valid';
  // Documents beside it can still be used.
  const isDone = hasDocuments || !isOver;
  return (
    <section
      data-surface
      aria-labelledby="request-result"
      className={classNames(
        'flex flex-col gap-4 rounded-lg border p-4 md:p-6',
        isDone ? 'border-green-200 bg-green-50' : 'border-ink-200 bg-ink-50',
      )}
    >
      <div className="flex items-start gap-3">
        {isDone ? (
          <CircleCheck aria-hidden size={32} className="shrink-0 text-green-700" />
        ) : (
          <CircleAlert aria-hidden size={32} className="shrink-0 text-ink-600" />
        )}
        <div className="min-w-0">
          <h2 id="request-result" className="text-xl wrap-anywhere">
            {title}
          </h2>
          <p className="mt-1 text-ink-700">
            {t(hasDocuments || certificate ? 'record.readyText' : 'record.noResult')}
          </p>
        </div>
      </div>
      {certificate ? (
        <CertificateResult requestId={requestId} certificate={certificate} isOver={isOver} />
      ) : null}
      {hasDocuments ? (
        <ul className="flex flex-col gap-3">
          {results.map((attachment) => (
            <ResultDocument key={attachment.attachmentId} attachment={attachment} reload={reload} />
          ))}
        </ul>
      ) : null}
      {message ? <StaffMessage entry={message} title={t('record.message')} /> : null}
      <ObjectToDecision record={record} reload={reload} />
    </section>
  );
}

/** A result document with a large button to download it; it can be opened in place as well. */
function ResultDocument({
  attachment,
  reload,
}: {
  attachment: Attachment;
  reload: () => Promise<unknown>;
}) {
  const { t } = useTranslation('requests');
  const { hasFailed, save } = useSaveDocument(attachment, { reload });
  return (
    <li className="flex flex-col gap-4 rounded-md border border-green-200 bg-white p-4">
      <ul>
        <RequestDocument attachment={attachment} reload={reload} isSavedElsewhere />
      </ul>
      {isQuarantined(attachment) ? null : (
        <div data-no-print className="flex flex-col items-stretch gap-2 sm:items-start">
          <Button icon={<Download aria-hidden size={20} />} onPress={() => void save()}>
            {isNamed(attachment)
              ? t('record.download', { title: `\u2068${attachment.title}\u2069` })
              : t('record.downloadFile')}
          </Button>
          <span aria-live="polite" className="text-sm font-medium text-red-700">
            {hasFailed ? t('documents.failed') : null}
          </span>
        </div>
      )}
    </li>
  );
}
