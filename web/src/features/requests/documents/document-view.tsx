import { Download, RotateCw } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { saveContent } from '../../../lib/browser/save-content.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Bone, Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { DocumentTools } from './document-tools.tsx';
import { isScanRefusal, openInNewTab, useDocument } from './documents.data.ts';
import { PictureView } from './picture-view.tsx';
import { isHeldBack, ScanMark } from './scan-mark.tsx';

// Half a megabyte that only opened PDFs need.
const LatePdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

interface DocumentViewProps {
  attachment: Attachment;
  /** Reads the record again, for a new reference to the document. */
  reload: () => Promise<unknown>;
  /** It was painted. */
  onShown?: (attachment: Attachment) => void;
}

/** One document in place, with its tools. Give it the document's id as `key`. */
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
  if (isHeldBack(attachment))
    return (
      <Notice tone="warning" isLive>
        <ScanMark attachment={attachment} />
      </Notice>
    );
  if (error && isScanRefusal(error))
    return (
      <Notice tone="warning" isLive>
        {messageOf(error)}
      </Notice>
    );
  if (error) {
    return (
      <Notice
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
      </Notice>
    );
  }
  const waiting = (
    <Skeleton>
      <Bone className="h-80 w-full" />
    </Skeleton>
  );
  if (!content) return waiting;
  if (problem) {
    return (
      <Notice
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
      </Notice>
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
          <LatePdfView
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
