import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './pdf-page.css';
import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from './pdf-library.ts';

// Larger canvases fail on phones, and nobody sees more.
const mostPixels = 8_000_000;

/** Paints a page, and puts its text over it to be selected. Answers how to stop. */
function paint(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  words: HTMLElement,
  width: number,
  rotation: number,
  onPainted: () => void,
): () => void {
  const turned = (page.rotate + rotation) % 360;
  const scale = width / page.getViewport({ scale: 1, rotation: turned }).width;
  const viewport = page.getViewport({ scale, rotation: turned });
  const sharpness = Math.min(
    window.devicePixelRatio || 1,
    Math.sqrt(mostPixels / (viewport.width * viewport.height)),
  );
  canvas.width = Math.floor(viewport.width * sharpness);
  canvas.height = Math.floor(viewport.height * sharpness);
  const task = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] });
  words.replaceChildren();
  words.style.setProperty('--total-scale-factor', String(scale));
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: words,
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
  /** Height by width, until the page itself is known. */
  shape: number;
  onPainted: () => void;
}

/** One page. It keeps its place always and is painted while it is near what is seen. */
export function PdfPage({ pdf, number, width, rotation, shape, onPainted }: PdfPageProps) {
  const { t } = useTranslation('staff');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
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
    let isOver = false;
    pdf.getPage(number).then(
      (found) => {
        if (!isOver) setPage(found);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [pdf, number, isNear]);
  useEffect(() => {
    if (!isNear || !page || !canvas.current || !words.current) return;
    return paint(page, canvas.current, words.current, width, rotation, onPainted);
  }, [page, isNear, width, rotation, onPainted]);
  const view = page?.getViewport({ scale: 1, rotation: (page.rotate + rotation) % 360 });
  const height = Math.round(
    width * (view ? view.height / view.width : rotation % 180 === 0 ? shape : 1 / shape),
  );
  return (
    <div
      ref={box}
      data-page={number}
      dir="ltr"
      role="group"
      aria-label={t('viewer.pageNumber', { number })}
      className="relative mx-auto shrink-0 bg-white shadow-soft"
      style={{ width, height }}
    >
      {isNear ? (
        <>
          <canvas ref={canvas} aria-hidden className="block size-full" />
          <div ref={words} className="pdf-words" />
        </>
      ) : null}
    </div>
  );
}
