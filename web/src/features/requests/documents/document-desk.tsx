import { Fragment, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { DocumentDeskRow } from './document-desk-row.tsx';
import { DocumentView } from './document-view.tsx';
import { isHeldBack } from './scan-mark.tsx';
import { useMediaQuery } from '../../../lib/browser/use-media-query.ts';
import { ShortcutHint } from '../staff/shortcut-hint.tsx';
import { useShortcuts } from '../staff/use-shortcuts.ts';

interface DocumentDeskProps {
  documents: readonly Attachment[];
  /** What the request led to; listed apart, with nothing to tick off. */
  results: readonly Attachment[];
  reload: () => Promise<unknown>;
  onViewed: (attachment: Attachment) => void;
}

/**
 * The documents of a request and the one that is open, in place. It opens none by itself: a mark
 * that something was viewed means that somebody asked for it. Decision 0025.
 */
export function DocumentDesk({ documents, results, reload, onViewed }: DocumentDeskProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const [openId, setOpenId] = useState<string>();
  const all = [...documents, ...results];
  const open = all.find(({ attachmentId }) => attachmentId === openId);
  const desk = useRef<HTMLElement>(null);
  const isBeside = useMediaQuery('(min-width: 64rem)');
  // Beside the answers the panel is as high as the window, so that the page moves to where all of
  // it is seen; on a phone each document opens under its own row.
  useEffect(() => {
    if (openId === undefined) return;
    const top =
      (isBeside
        ? desk.current
        : desk.current?.querySelector('[aria-pressed=true]')
      )?.getBoundingClientRect().top ?? 0;
    if (top > 16 || !isBeside) window.scrollBy({ top: top - 16 });
  }, [openId, isBeside]);
  const openable = all.filter((attachment) => !isHeldBack(attachment));
  const step = (by: 1 | -1) => () => {
    const place = openable.findIndex(({ attachmentId }) => attachmentId === openId);
    const next = openable[place < 0 ? 0 : (place + by + openable.length) % openable.length];
    setOpenId(next?.attachmentId);
    return next !== undefined;
  };
  useShortcuts({ '[': step(-1), ']': step(1) });
  const viewed = documents.filter(({ isViewed }) => isViewed).length;
  const onShown = useCallback(
    (attachment: Attachment) => {
      if (!attachment.isResult) onViewed(attachment);
    },
    [onViewed],
  );
  const view = open ? (
    <DocumentView key={open.attachmentId} attachment={open} reload={reload} onShown={onShown} />
  ) : null;
  const row = (attachment: Attachment) => (
    <Fragment key={attachment.attachmentId}>
      <DocumentDeskRow
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
      ref={desk}
      aria-labelledby="staff-documents"
      data-surface
      className="flex flex-col gap-3 rounded-lg border border-ink-100 bg-white p-4 lg:not-print:sticky lg:not-print:top-4 lg:not-print:h-[calc(100dvh-6.5rem)]"
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
      {open ? (
        isBeside ? (
          <div data-no-print className="flex min-h-0 grow flex-col">
            {view}
          </div>
        ) : null
      ) : openable.length > 0 ? (
        <p
          data-no-print
          className="grid grow place-items-center rounded-md bg-ink-50 p-6 text-center text-ink-600 max-lg:hidden"
        >
          <span>
            {t('staff:viewer.choose')} <ShortcutHint of="]" />
          </span>
        </p>
      ) : null}
    </section>
  );
}
