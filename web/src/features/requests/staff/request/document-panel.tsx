import { CircleAlert, Download, Eye, FileText, Image } from 'lucide-react';
import { Fragment, useCallback, useEffect, useRef, useState } from 'react';
import { DocumentView } from '#features/requests/documents/document-view.tsx';
import { isQuarantined, ScanStatus } from '#features/requests/documents/scan-status.tsx';
import { useSaveDocument } from '#features/requests/documents/use-save-document.ts';
import { ViewedStatus } from '#features/requests/documents/viewed-status.tsx';
import { useMarkControls } from '#features/requests/record/mark-controls.tsx';
import { classNames } from '#lib/browser/class-names.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';

interface DocumentPanelProps {
  documents: readonly Attachment[];
  /** The documents that the request resulted in. They are listed separately. */
  results: readonly Attachment[];
  reload: () => Promise<unknown>;
  onViewed: (attachment: Attachment) => void;
}

/** The sticky line at the top of the page, in pixels. */
const headerHeight = 48;
/** How long a document that opened automatically is shown until it counts as viewed. */
const glanceMs = 1000;

/**
 * The list of a request's documents with a viewer for the open one. Beside the answers the first one
 * opens automatically; it counts as viewed after a moment, and not on a request that is only passed.
 */
export function DocumentPanel({ documents, results, reload, onViewed }: DocumentPanelProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const [chosenId, setOpenId] = useState<string>();
  const all = [...documents, ...results];
  const panel = useRef<HTMLElement>(null);
  const isBeside = useMediaQuery('(min-width: 64rem)');
  const openable = all.filter((attachment) => !isQuarantined(attachment));
  const openId = chosenId ?? (isBeside ? openable[0]?.attachmentId : undefined);
  const open = all.find(({ attachmentId }) => attachmentId === openId);
  // Beside the answers the panel is as high as the window, so the page scrolls until all of it is
  // visible. On a phone each document opens below its row.
  useEffect(() => {
    if (chosenId === undefined) return;
    const top =
      (isBeside
        ? panel.current
        : panel.current?.querySelector('[aria-pressed=true]')
      )?.getBoundingClientRect().top ?? 0;
    if (top > headerHeight + 16 || !isBeside) window.scrollBy({ top: top - headerHeight - 8 });
  }, [chosenId, isBeside]);
  const step = (by: 1 | -1) => () => {
    const index = openable.findIndex(({ attachmentId }) => attachmentId === openId);
    const next = openable[index < 0 ? 0 : (index + by + openable.length) % openable.length];
    setOpenId(next?.attachmentId);
    return next !== undefined;
  };
  useShortcuts({ '[': step(-1), ']': step(1) });
  const viewed = documents.filter(({ isViewed }) => isViewed).length;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isChosen = chosenId !== undefined;
  const onShown = useCallback(
    (attachment: Attachment) => {
      if (attachment.isResult) return;
      if (isChosen) onViewed(attachment);
      else timer.current = setTimeout(() => onViewed(attachment), glanceMs);
    },
    [onViewed, isChosen],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const view = open ? (
    <DocumentView key={open.attachmentId} attachment={open} reload={reload} onShown={onShown} />
  ) : null;
  const row = (attachment: Attachment) => (
    <Fragment key={attachment.attachmentId}>
      <DocumentPanelRow
        attachment={attachment}
        isOpen={attachment === open}
        onOpen={() =>
          setOpenId(attachment === open && !isBeside ? undefined : attachment.attachmentId)
        }
        reload={reload}
        onViewed={attachment.isResult ? undefined : onViewed}
      />
      {attachment === open && !isBeside ? (
        <li data-no-print className="mb-2 flex flex-col">
          {view}
        </li>
      ) : null}
    </Fragment>
  );
  return (
    <section
      ref={panel}
      aria-labelledby="staff-documents"
      data-surface
      className={classNames(
        'flex flex-col gap-3 rounded-lg border border-ink-100 bg-white p-4',
        'lg:not-print:sticky lg:not-print:top-14 lg:not-print:h-[calc(100dvh-10.5rem)]',
        'lg:not-print:min-h-72',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="staff-documents" className="text-lg">
          {t('staff.documents')}
        </h2>
        {documents.length > 0 ? (
          <p
            className={`text-sm ${viewed === documents.length ? 'font-semibold text-green-700' : 'text-ink-500'}`}
            role="status"
          >
            {viewed === documents.length
              ? t('staff:viewer.allViewed')
              : t('documents.viewedCount', { viewed, total: documents.length })}
          </p>
        ) : null}
      </div>
      {all.length === 0 ? <p className="text-ink-600">{t('record.noDocuments')}</p> : null}
      <ul className="flex flex-col gap-1 lg:not-print:max-h-[40%] lg:not-print:shrink-0 lg:not-print:overflow-y-auto">
        {documents.map(row)}
        {results.length > 0 ? (
          <li className="px-3 pt-2 text-sm font-semibold text-ink-600">
            {t('dialogs.resultDocuments')}
          </li>
        ) : null}
        {results.map(row)}
      </ul>
      {open && isBeside ? (
        <div data-no-print className="flex min-h-0 grow flex-col">
          {view}
        </div>
      ) : null}
    </section>
  );
}

interface DocumentPanelRowProps {
  attachment: Attachment;
  isOpen: boolean;
  onOpen: () => void;
  onViewed?: (attachment: Attachment) => void;
  reload: () => Promise<unknown>;
}

/** One document in the list. It cannot be opened before the scan has passed it. */
function DocumentPanelRow({ attachment, isOpen, onOpen, onViewed, reload }: DocumentPanelRowProps) {
  const { t } = useTranslation('requests');
  const { fileSize } = useFormat();
  const createControls = useMarkControls();
  const { hasFailed, save } = useSaveDocument(attachment, { reload, onSaved: onViewed });
  const { title, fileName, mediaType, size } = attachment;
  const Icon = mediaType.startsWith('image/') ? Image : FileText;
  const isLocked = isQuarantined(attachment);
  const target = {
    field: `attachments.${attachment.name}`,
    attachmentId: attachment.attachmentId,
  };
  const controls = attachment.isResult
    ? undefined
    : createControls?.(target, `${title} (${fileName})`);
  return (
    <li
      data-open-document={isOpen || undefined}
      className={classNames(
        'flex flex-wrap items-center gap-1 rounded-md border',
        isOpen ? 'border-gold-600 bg-gold-50' : 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-pressed={isOpen}
        disabled={isLocked}
        onClick={onOpen}
        className={classNames(
          'flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-md px-3 py-2 text-start',
          'enabled:hover:bg-gold-50 print:min-h-0 print:px-0 print:py-1',
        )}
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
            {onViewed && !isLocked ? <ViewedStatus attachment={attachment} /> : null}
          </span>
          <ScanStatus attachment={attachment} />
        </span>
        {isLocked ? null : (
          <Eye aria-hidden size={18} className="shrink-0 text-ink-500 max-md:hidden print:hidden" />
        )}
      </button>
      {controls?.flag}
      {isLocked ? null : (
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
      {controls?.reason ? <div className="w-full px-3 pb-2">{controls.reason}</div> : null}
    </li>
  );
}
