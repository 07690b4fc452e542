import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWidth } from '../../../lib/browser/use-width.ts';
import { Bone, Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { openPdf, type PDFDocumentProxy } from './pdf-library.ts';
import { PdfPage } from './pdf-page.tsx';

interface PdfViewProps {
  content: Blob;
  zoom: number;
  rotation: number;
  page: number;
  /** The page that is seen, by scrolling. */
  onPage: (page: number) => void;
  onCount: (count: number) => void;
  /** The first page is painted. */
  onShown: () => void;
  onProblem: (problem: 'locked' | 'broken') => void;
}

type Opened = { pdf: PDFDocumentProxy; shape: number } | 'locked' | 'broken';

async function open(pdf: PDFDocumentProxy): Promise<Opened> {
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return { pdf, shape: height / width };
}

/** The document of a blob, and what became of opening it. */
function useOpened(content: Blob): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    let isOver = false;
    const task = openPdf(content);
    const fail = (error: unknown) => {
      if (!isOver)
        setOpened(
          error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken',
        );
    };
    task
      .then(({ promise }) => promise)
      .then(open)
      .then((found) => {
        if (!isOver) setOpened(found);
      })
      .catch(fail);
    return () => {
      isOver = true;
      setOpened(undefined);
      void task.then((loading) => loading.destroy()).catch(() => undefined);
    };
  }, [content]);
  return opened;
}

/** The page in the middle of what is seen. */
function pageInSight(pages: HTMLElement): number {
  const middle = pages.getBoundingClientRect().top + pages.clientHeight / 2;
  const found = [...pages.querySelectorAll<HTMLElement>('[data-page]')].findLast(
    (page) => page.getBoundingClientRect().top <= middle,
  );
  return Number(found?.dataset.page ?? 1);
}

/** All pages of a PDF under each other; those far from what is seen are places only. */
export function PdfView({
  content,
  zoom,
  rotation,
  page,
  onPage,
  onCount,
  onShown,
  onProblem,
}: PdfViewProps) {
  const { t } = useTranslation('staff');
  const opened = useOpened(content);
  const pages = useRef<HTMLDivElement>(null);
  const inSight = useRef(1);
  const { ref: measure, width } = useWidth<HTMLDivElement>();
  const isOpen = typeof opened === 'object';
  useEffect(() => {
    if (isOpen) onCount(opened.pdf.numPages);
  }, [isOpen, opened, onCount]);
  useEffect(() => {
    if (page === inSight.current) return;
    inSight.current = page;
    const place = pages.current?.querySelector<HTMLElement>(`[data-page="${page}"]`);
    if (place && pages.current)
      pages.current.scrollTop +=
        place.getBoundingClientRect().top - pages.current.getBoundingClientRect().top - 12;
  }, [page]);
  const onScroll = () => {
    const seen = pages.current ? pageInSight(pages.current) : 1;
    if (seen === inSight.current) return;
    inSight.current = seen;
    onPage(seen);
  };
  const onPainted = useCallback(() => onShown(), [onShown]);
  useEffect(() => {
    if (opened === 'locked' || opened === 'broken') onProblem(opened);
  }, [opened, onProblem]);
  const fit = Math.max(120, Math.floor(width) - 26);
  return (
    <div ref={measure} className="flex min-h-0 grow flex-col">
      {isOpen && width > 0 ? (
        <div
          ref={pages}
          data-pages
          role="region"
          aria-label={t('viewer.pages')}
          tabIndex={0}
          onScroll={onScroll}
          className="flex min-h-0 grow flex-col gap-3 overflow-auto overscroll-contain rounded-md bg-ink-100 p-3 max-lg:h-[70dvh]"
        >
          {Array.from({ length: opened.pdf.numPages }, (_, index) => (
            <PdfPage
              key={index}
              pdf={opened.pdf}
              number={index + 1}
              width={Math.round(fit * zoom)}
              rotation={rotation}
              shape={opened.shape}
              onPainted={index === 0 ? onPainted : nothing}
            />
          ))}
        </div>
      ) : (
        <Skeleton>
          <Bone className="h-80 w-full" />
        </Skeleton>
      )}
    </div>
  );
}

function nothing(): void {}
