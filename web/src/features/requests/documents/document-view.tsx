import { Download, RotateCw, ExternalLink, Minus, Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { isScanRefusal, openInNewTab, useDocument } from './documents.data.ts';
import { PictureView } from './picture-view.tsx';
import { isQuarantined, ScanStatus } from './scan-status.tsx';

// Loaded lazily: half a megabyte of code that only PDFs need.
const LazyPdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

interface DocumentViewProps {
  attachment: Attachment;
  /** Loads the record again, for a new reference to the document. */
  reload: () => Promise<unknown>;
  /** The document is visible. */
  onShown?: (attachment: Attachment) => void;
}

/** The viewer of one document, with its tools. Use the document's id as `key`. */
export function DocumentView({ attachment, reload, onShown }: DocumentViewProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const { data: content, error, isFetching, refetch } = useDocument(attachment);
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState(0);
  const [page, setPage] = useState(1);
  const [pages, setPages] = useState<number>();
  const shown = useCallback(() => onShown?.(attachment), [onShown, attachment]);
  const [problem, setProblem] = useState<'locked' | 'broken'>();
  const again = async () => {
    await reload();
    await refetch();
  };
  if (isQuarantined(attachment))
    return (
      <Alert tone="warning" isLive>
        <ScanStatus attachment={attachment} />
      </Alert>
    );
  if (error && isScanRefusal(error))
    return (
      <Alert tone="warning" isLive>
        {messageOf(error)}
      </Alert>
    );
  if (error) {
    return (
      <Alert
        tone="danger"
        isLive
        action={
          <Button
            variant="secondary"
            size="sm"
            icon={<RotateCw aria-hidden size={18} />}
            isPending={isFetching}
            onPress={() => void again()}
          >
            {t('documents.again')}
          </Button>
        }
      >
        {t('documents.failed')}
      </Alert>
    );
  }
  const waiting = (
    <Skeleton>
      <SkeletonBar className="h-80 w-full" />
    </Skeleton>
  );
  if (!content) return waiting;
  if (problem) {
    return (
      <Alert
        tone="warning"
        isLive
        action={
          <Button
            variant="secondary"
            size="sm"
            icon={<Download aria-hidden size={18} />}
            aria-label={t('documents.saveName', { title: attachment.title })}
            onPress={() => saveContent(content, attachment.fileName)}
          >
            {t('staff:viewer.save')}
          </Button>
        }
      >
        {t(`staff:viewer.${problem}`)}
      </Alert>
    );
  }
  return (
    <div data-document={attachment.attachmentId} className="flex min-h-0 grow flex-col gap-2">
      <DocumentTools
        zoom={zoom}
        onZoom={setZoom}
        onRotate={() => setRotation((rotation + 90) % 360)}
        page={page}
        pages={pages}
        onPage={setPage}
        onNewTab={() => openInNewTab(content)}
      />
      {attachment.mediaType.startsWith('image/') ? (
        <PictureView
          content={content}
          title={attachment.title}
          zoom={zoom}
          rotation={rotation}
          onShown={shown}
          onProblem={setProblem}
        />
      ) : (
        <Suspense fallback={waiting}>
          <LazyPdfView
            content={content}
            zoom={zoom}
            rotation={rotation}
            page={page}
            onPage={setPage}
            onCount={setPages}
            onShown={shown}
            onProblem={setProblem}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The zoom levels; 1 is the width of the container. */
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

interface DocumentToolsProps {
  zoom: number;
  onZoom: (zoom: number) => void;
  onRotate: () => void;
  page: number;
  /** Undefined for an image, and while the document is loading. */
  pages: number | undefined;
  onPage: (page: number) => void;
  onNewTab: () => void;
}

/** The tools of the viewer. */
function DocumentTools({
  zoom,
  onZoom,
  onRotate,
  page,
  pages,
  onPage,
  onNewTab,
}: DocumentToolsProps) {
  const { t } = useTranslation('staff');
  const { count, percent } = useFormat();
  const larger = zooms.find((each) => each > zoom);
  const smaller = zooms.findLast((each) => each < zoom);
  const goTo = (text: string) => {
    const wanted = Number(toLatinDigits(text));
    if (pages && Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted);
  };
  return (
    <div
      role="toolbar"
      aria-label={t('viewer.tools')}
      className="flex flex-wrap items-center gap-x-1"
    >
      <IconButton
        label={t('viewer.smaller')}
        isDisabled={smaller === undefined}
        onPress={() => smaller && onZoom(smaller)}
      >
        <Minus aria-hidden size={18} />
      </IconButton>
      <button
        type="button"
        title={t('viewer.fit')}
        onClick={() => onZoom(1)}
        className="min-h-11 min-w-14 rounded-md text-sm tabular-nums hover:bg-ink-50 max-sm:hidden"
      >
        <bdi>{percent(zoom)}</bdi>
        <span className="sr-only"> {t('viewer.fit')}</span>
      </button>
      <IconButton
        label={t('viewer.larger')}
        isDisabled={larger === undefined}
        onPress={() => larger && onZoom(larger)}
      >
        <Plus aria-hidden size={18} />
      </IconButton>
      <IconButton label={t('viewer.rotate')} onPress={onRotate}>
        <RotateCw aria-hidden size={18} />
      </IconButton>
      {pages ? (
        <label className="ms-auto flex items-center gap-2 text-sm text-ink-600">
          <span className="sr-only">{t('viewer.page')}</span>
          <input
            key={page}
            defaultValue={page}
            inputMode="numeric"
            dir="ltr"
            aria-label={t('viewer.page')}
            onBlur={(event) => goTo(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') goTo(event.currentTarget.value);
            }}
            className="min-h-9 w-12 rounded-md border border-ink-300 text-center text-ink-900 tabular-nums"
          />
          <span>{t('viewer.of', { number: count(pages) })}</span>
        </label>
      ) : (
        <span className="ms-auto" />
      )}
      <IconButton label={t('viewer.newTab')} onPress={onNewTab}>
        <ExternalLink aria-hidden size={18} className="mirror" />
      </IconButton>
    </div>
  );
}
