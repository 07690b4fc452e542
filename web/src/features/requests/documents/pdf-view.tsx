import {
  getDocument,
  GlobalWorkerOptions,
  TextLayer,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// oxlint-disable-next-line import/default -- Vite resolves this import to the worker's address
import workerAddress from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { useCallback, useEffect, useRef, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useElementWidth } from '#lib/browser/media.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import './pdf-view.css';

GlobalWorkerOptions.workerSrc = workerAddress;
const assetsAddress = new URL(String(import.meta.env.VITE_PDF_PARTS), window.location.origin).href;

/**
 * Opens a PDF without code from strings and without WebAssembly, because the content security
 * policy forbids both. All resources come from our own server. Scripts and forms of the document
 * are disabled. Decision 0025.
 */
export async function openPdf(content: Blob): Promise<PDFDocumentLoadingTask> {
  return getDocument({
    data: await content.arrayBuffer(),
    cMapUrl: `${assetsAddress}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${assetsAddress}standard_fonts/`,
    wasmUrl: `${assetsAddress}wasm/`,
    useWasm: false,
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: 64_000_000,
  });
}

interface PdfViewProps {
  content: Blob;
  zoom: number;
  rotation: number;
  page: number;
  /** The user scrolled to another page. */
  onPage: (page: number) => void;
  onCount: (count: number) => void;
  /** The first page is rendered. */
  onShown: () => void;
  onProblem: (problem: 'locked' | 'broken') => void;
}

/** An open document with the ratio of its first page, or why it cannot be opened. */
type OpenResult = { pdf: PDFDocumentProxy; ratio: number } | 'locked' | 'broken';

async function measureFirstPage(pdf: PDFDocumentProxy): Promise<OpenResult> {
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return { pdf, ratio: height / width };
}

/** Opens the document of a blob; undefined while loading. */
function useOpenPdf(content: Blob): OpenResult | undefined {
  const [opened, setOpened] = useState<OpenResult>();
  useEffect(() => {
    let isCancelled = false;
    const task = openPdf(content);
    const fail = (error: unknown) => {
      if (!isCancelled)
        setOpened(
          error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken',
        );
    };
    task
      .then(({ promise }) => promise)
      .then(measureFirstPage)
      .then((found) => {
        if (!isCancelled) setOpened(found);
      })
      .catch(fail);
    return () => {
      isCancelled = true;
      setOpened(undefined);
      void task.then((loading) => loading.destroy()).catch(() => undefined);
    };
  }, [content]);
  return opened;
}

/** The page in the middle of the visible area. */
function findVisiblePage(pages: HTMLElement): number {
  const middle = pages.getBoundingClientRect().top + pages.clientHeight / 2;
  const found = [...pages.querySelectorAll<HTMLElement>('[data-page]')].findLast(
    (page) => page.getBoundingClientRect().top <= middle,
  );
  return Number(found?.dataset.page ?? 1);
}

/** All pages of a PDF, one below the other. Only pages near the visible area are rendered. */
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
  const opened = useOpenPdf(content);
  const pages = useRef<HTMLDivElement>(null);
  const visiblePage = useRef(1);
  const { ref: measure, width } = useElementWidth<HTMLDivElement>();
  const isOpen = typeof opened === 'object';
  useEffect(() => {
    if (isOpen) onCount(opened.pdf.numPages);
  }, [isOpen, opened, onCount]);
  useEffect(() => {
    if (page === visiblePage.current) return;
    visiblePage.current = page;
    const element = pages.current?.querySelector<HTMLElement>(`[data-page="${page}"]`);
    if (element && pages.current)
      pages.current.scrollTop +=
        element.getBoundingClientRect().top - pages.current.getBoundingClientRect().top - 12;
  }, [page]);
  const onScroll = () => {
    const seen = pages.current ? findVisiblePage(pages.current) : 1;
    if (seen === visiblePage.current) return;
    visiblePage.current = seen;
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
          className={classNames(
            'flex min-h-0 grow flex-col gap-3 overflow-auto overscroll-contain rounded-md',
            'bg-ink-100 p-3 max-lg:h-[70dvh]',
          )}
        >
          {Array.from({ length: opened.pdf.numPages }, (_, index) => (
            <PdfPage
              key={index}
              pdf={opened.pdf}
              number={index + 1}
              width={Math.round(fit * zoom)}
              rotation={rotation}
              ratio={opened.ratio}
              onPainted={index === 0 ? onPainted : doNothing}
            />
          ))}
        </div>
      ) : (
        <Skeleton>
          <SkeletonBar className="h-80 w-full" />
        </Skeleton>
      )}
    </div>
  );
}

function doNothing(): void {}

// Larger canvases fail on phones.
const maximumPixels = 8_000_000;

interface RenderOptions {
  canvas: HTMLCanvasElement;
  textContainer: HTMLElement;
  /** In CSS pixels. */
  width: number;
  rotation: number;
  onPainted: () => void;
}

/** Renders a page and, above it, its selectable text. Returns a function that cancels both. */
function renderPage(
  page: PDFPageProxy,
  { canvas, textContainer, width, rotation, onPainted }: RenderOptions,
): () => void {
  const angle = (page.rotate + rotation) % 360;
  const scale = width / page.getViewport({ scale: 1, rotation: angle }).width;
  const viewport = page.getViewport({ scale, rotation: angle });
  const sharpness = Math.min(
    window.devicePixelRatio || 1,
    Math.sqrt(maximumPixels / (viewport.width * viewport.height)),
  );
  canvas.width = Math.floor(viewport.width * sharpness);
  canvas.height = Math.floor(viewport.height * sharpness);
  const task = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] });
  textContainer.replaceChildren();
  textContainer.style.setProperty('--total-scale-factor', String(scale));
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: textContainer,
    viewport,
  });
  task.promise.then(onPainted, () => undefined);
  text.render().catch(() => undefined);
  return () => {
    task.cancel();
    text.cancel();
  };
}

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  number: number;
  /** In CSS pixels. */
  width: number;
  rotation: number;
  /** Height divided by width of the first page, used until this page is loaded. */
  ratio: number;
  onPainted: () => void;
}

/** One page. It always takes its space, and is rendered while it is near the visible area. */
function PdfPage({ pdf, number, width, rotation, ratio, onPainted }: PdfPageProps) {
  const { t } = useTranslation('staff');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const textLayer = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [isNear, setIsNear] = useState(number === 1);
  useEffect(() => {
    if (!box.current) return;
    const watch = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting ?? false), {
      root: box.current.closest('[data-pages]'),
      rootMargin: '100% 0px',
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear) return;
    let isCancelled = false;
    pdf.getPage(number).then(
      (found) => {
        if (!isCancelled) setPage(found);
      },
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [pdf, number, isNear]);
  useEffect(() => {
    if (!isNear || !page || !canvas.current || !textLayer.current) return;
    return renderPage(page, {
      canvas: canvas.current,
      textContainer: textLayer.current,
      width,
      rotation,
      onPainted,
    });
  }, [page, isNear, width, rotation, onPainted]);
  const view = page?.getViewport({ scale: 1, rotation: (page.rotate + rotation) % 360 });
  const height = Math.round(
    width * (view ? view.height / view.width : rotation % 180 === 0 ? ratio : 1 / ratio),
  );
  return (
    <div
      ref={box}
      data-page={number}
      dir="ltr"
      role="group"
      aria-label={t('viewer.pageNumber', { number })}
      className="relative mx-auto shrink-0 bg-paper shadow-soft"
      style={{ width, height }}
    >
      {isNear ? (
        <>
          <canvas ref={canvas} aria-hidden className="block size-full" />
          <div ref={textLayer} className="pdf-text-layer" />
        </>
      ) : null}
    </div>
  );
}
